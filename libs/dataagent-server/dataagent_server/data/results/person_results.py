"""Core's `ResultStore` for one user: rows in the database, files in the folder of the user."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from dataagent_core.config.limits.data import RESULT_DAYS_MAX
from dataagent_core.tools.data.data_model import Dialect, EngineResult
from dataagent_core.tools.data.results.result_lineage import ResultLineage
from dataagent_core.tools.data.results.stored_result import (
    StoredResult,
    check_result_id,
    make_missing_result_error,
    make_result_id,
)
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import ItemPage, PageRequest
from dataagent_server.common.pagination import make_page as cut
from dataagent_server.data.results import result_rows
from dataagent_server.data.results.result_folder import result_file, results_folder
from dataagent_server.data.results.result_rows import ResultOwner
from dataagent_server.db.database_clock import database_now
from dataagent_server.workspaces.agent_workspace import ensure_user_default_workspace
from dataagent_server.workspaces.store import WorkspaceStore

LISTED_MAX: Final = 1_000
# How long a page can show, draw and download a result it displays.
LOOK_KEPT: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class UserResultStore:
    """The results of one user's queries. Results of others do not exist here."""

    workspaces: WorkspaceStore
    home: Path
    whose: ResultOwner
    # The session of the agent's queries.
    session_id: str | None = None
    # The project of the queries.
    project_id: str | None = None
    # Results that a page shows once are not listed.
    is_look: bool = False

    def draft(self) -> Path:
        """Return the path of a new file for an engine to write."""
        drafts = results_folder(self.home, *self._ids) / "drafts"
        drafts.mkdir(mode=0o700, parents=True, exist_ok=True)
        return drafts / f"{make_result_id()}.parquet"

    async def keep(
        self,
        draft: Path,
        ran: EngineResult,
        *,
        source: str,
        dialect: Dialect,
        sql: str,
        personal: Sequence[str] = (),
        session_id: str | None = None,
        lineage: ResultLineage | None = None,
    ) -> StoredResult:
        """Count a written file in the user's default workspace, and store its row."""
        sha256, size_bytes = await asyncio.to_thread(_measure, draft)
        workspace = await ensure_user_default_workspace(self.workspaces, *self._ids)
        unfinished = StoredResult(
            result_id=draft.stem,
            source=source,
            dialect=dialect,
            sql=sql,
            columns=ran.columns,
            row_count=ran.row_count,
            truncated=ran.truncated,
            bytes=size_bytes,
            sha256=sha256,
            elapsed_ms=ran.elapsed_ms,
            created_at=0.0,
            expires_at=0.0,
            personal=tuple(personal),
            session_id=session_id or self.session_id,
            lineage=lineage or ResultLineage(),
        )

        def work(connection: Connection) -> StoredResult:
            now = database_now(connection)
            until = now + (LOOK_KEPT if self.is_look else timedelta(days=RESULT_DAYS_MAX))
            kept = replace(unfinished, created_at=now.timestamp(), expires_at=until.timestamp())
            result_rows.add(
                connection,
                self.whose,
                workspace.workspace_id,
                kept,
                self.project_id,
                is_look=self.is_look,
            )
            return kept

        kept = await self.workspaces.database.write(work)
        try:
            await asyncio.to_thread(_put, draft, self._file(kept.result_id))
        except BaseException:
            # A row without its file is useless.
            await asyncio.shield(self._forget(kept.result_id))
            raise
        return kept

    async def get(self, result_id: str) -> StoredResult:
        """Return the metadata of a result."""
        check_result_id(result_id)
        kept = await self.workspaces.database.read(
            lambda c: result_rows.find(c, self.whose, result_id)
        )
        if kept is None:
            raise make_missing_result_error(result_id)
        return kept

    async def project_of(self, result_id: str) -> str | None:
        """Return the project of a result; None is the tenant itself."""
        database = self.workspaces.database
        return await database.read(lambda c: result_rows.project_of(c, self.whose, result_id))

    async def is_local(self, result_id: str) -> bool:
        """Return whether it belongs to the project of this store."""
        database = self.workspaces.database
        return await database.read(
            lambda c: result_rows.is_of_project(c, self.whose, result_id, self.project_id)
        )

    async def path(self, result_id: str) -> Path:
        """Return its Parquet file."""
        await self.get(result_id)
        file = self._file(result_id)
        if not await asyncio.to_thread(file.is_file):
            raise make_missing_result_error(result_id)
        return file

    async def listed(self) -> list[StoredResult]:
        """List the results, the newest first."""
        return await self.workspaces.database.read(
            lambda c: result_rows.newest(c, self.whose, LISTED_MAX)
        )

    async def page(self, page_request: PageRequest) -> ItemPage[StoredResult]:
        """List the results in pages, the oldest first."""
        found = await self.workspaces.database.read(
            lambda c: result_rows.page(c, self.whose, page_request)
        )
        return cut(found, page_request, result_rows.position)

    async def remove(self, result_id: str) -> None:
        """Delete a result, and release its space."""
        await self.get(result_id)
        await self._forget(result_id)

    async def _forget(self, result_id: str) -> None:
        await self.workspaces.database.write(lambda c: result_rows.remove(c, self.whose, result_id))
        await asyncio.to_thread(self._file(result_id).unlink, missing_ok=True)

    def _file(self, result_id: str) -> Path:
        return result_file(self.home, *self._ids, result_id)

    @property
    def _ids(self) -> tuple[TenantId, str]:
        return self.whose.tenant_id, self.whose.user_id


def _measure(draft: Path) -> tuple[str, int]:
    with draft.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return digest, file.tell()


def _put(draft: Path, file: Path) -> None:
    draft.chmod(0o600)
    draft.rename(file)
