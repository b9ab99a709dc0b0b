"""How a user chose to have the data files of a workspace read, by path.

A choice stays when the file is replaced: next month's export is written like this month's.
"""

import hashlib
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import ConflictError, LimitReachedError
from dataagent_core.sandbox.paths.tool_paths import format_path, split_path
from dataagent_core.tools.data.sources.read_options import FileReadOptions, ReadOptions
from dataagent_server.common.ids import TenantId
from dataagent_server.data.sources.data_source import ReadingChanges
from dataagent_server.db.database import Database
from dataagent_server.db.tables.data import file_readings as table
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.workspaces.access import find_accessible
from dataagent_server.workspaces.workspace import WorkspaceId

FILE_READINGS_MAX: Final = 10_000


@dataclass(frozen=True, slots=True)
class WorkspaceKey:
    """A workspace of a tenant."""

    tenant_id: TenantId
    workspace_id: WorkspaceId


@dataclass(frozen=True, slots=True)
class FileReadingService:
    """Reads and changes the choices; the caller has checked that the file exists."""

    database: Database
    audit: AuditTrail
    clock: Clock = utc_now

    def choices(self, of: WorkspaceKey) -> FileReadOptions:
        """Return a function that reads the choices of a workspace."""

        async def choice(path: str) -> ReadOptions:
            return await self.database.read(lambda c: _find(c, of, _normalize(path)))

        return choice

    async def change(
        self, principal: Principal, workspace_id: WorkspaceId, path: str, changes: ReadingChanges
    ) -> ReadOptions:
        """Change the given choices; without any choice left, the row is deleted."""
        of, plain = WorkspaceKey(principal.tenant_id, workspace_id), _normalize(path)

        def work(connection: Connection) -> ReadOptions:
            find_accessible(connection, principal, workspace_id, "write")
            known = _find(connection, of, plain)
            chosen = changes.over(known)
            if chosen == known:
                return known
            values: dict[str, Any] = {**asdict(chosen), "updated_at": self.clock()}
            if chosen == ReadOptions():
                connection.execute(delete(table).where(_is(of, plain)))
            elif known == ReadOptions():
                _add(connection, of, plain, values)
            else:
                connection.execute(update(table).where(_is(of, plain)).values(**values))
            self.audit.record(
                connection,
                principal.tenant_id,
                principal.actor,
                "file.choose_reading",
                f"workspace:{workspace_id}",
                {"path": plain, **asdict(chosen)},
            )
            return chosen

        return await self.database.write(work)


def _add(connection: Connection, of: WorkspaceKey, path: str, values: dict[str, Any]) -> None:
    mine = and_(table.c.tenant_id == of.tenant_id, table.c.workspace_id == of.workspace_id)
    count = connection.execute(select(func.count()).select_from(table).where(mine)).scalar_one()
    if count >= FILE_READINGS_MAX:
        raise LimitReachedError(
            f"The workspace has choices for its {FILE_READINGS_MAX:,} files. Set one back to auto "
            "first."
        )
    identity = {**asdict(of), "path_sha256": _path_key(path), "path": path}
    try:
        connection.execute(insert(table).values(**identity, **values))
    except IntegrityError:
        raise ConflictError("Somebody else chose just now how it is read. Try again.") from None


def _find(connection: Connection, of: WorkspaceKey, path: str) -> ReadOptions:
    query = select(table.c.dates, table.c.decimals, table.c.encoding).where(_is(of, path))
    row = connection.execute(query).mappings().first()
    return ReadOptions() if row is None else ReadOptions(**row)


def _is(of: WorkspaceKey, path: str) -> ColumnElement[bool]:
    return and_(
        table.c.tenant_id == of.tenant_id,
        table.c.workspace_id == of.workspace_id,
        table.c.path_sha256 == _path_key(path),
    )


def _normalize(path: str) -> str:
    return format_path(split_path(path))


def _path_key(path: str) -> str:
    return hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()
