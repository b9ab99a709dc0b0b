"""Fork, import and export of sessions.

A copy is written completely before its row is, under an id that nobody can know: so no half copy is
visible. It is history: its requests cannot be answered, its runs not resumed, and nothing is
counted or audited again.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection

from dataagent_core.engine.checkpoints.checkpoint_histories import (
    CarriedHistory,
    CheckpointHistories,
)
from dataagent_core.session.bundle_file import Bundle, open_archive, read_bundle
from dataagent_core.session.copies.bundle_session import bundle_session
from dataagent_core.session.copies.fork import ORIGIN_KEY, origin, read_part
from dataagent_core.session.copies.histories import extent_of
from dataagent_core.session.copies.import_bundle import find_import_origin, imported_part
from dataagent_core.session.copies.new_ids import IdMapping
from dataagent_core.session.copies.session_part import SessionPart
from dataagent_core.session.copies.write_copy import forget_copy, write_copy
from dataagent_core.session.export import html_page, json_document, markdown_document
from dataagent_core.session.export.read_session import read_session_for_export
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.session.titles import title_from
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.audit.trail import AuditTrail
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.run_services import RunServices
from dataagent_server.runs.session_operations.copied_rows import insert_copied_runs
from dataagent_server.sessions.session_service import NewSession, SessionService
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter
from dataagent_server.stores.messages import ServerMessageStore
from dataagent_server.stores.session_lists import ListedSession
from dataagent_server.stores.session_planning import chosen_columns

DocumentKind = Literal["md", "html", "json"]
Before = Callable[[Connection, ListedSession], None]


@dataclass(frozen=True, slots=True)
class SessionCopy:
    """A copied session, and what was copied."""

    listed: ListedSession
    part: SessionPart
    workspace_files: int = 0


class _CopiedHistories(CheckpointHistories):
    """Histories of runs that no process holds."""

    def __init__(self, runs: RunServices) -> None:
        super().__init__(runs.checkpoints)
        self._held = runs.leases

    async def write(self, run_id: str, history: CarriedHistory, ids: IdMapping) -> None:
        with self._held.copying(run_id):
            await super().write(run_id, history, ids)


class SessionCopies:
    """Forks, imports and exports sessions."""

    def __init__(
        self, database: Database, audit: AuditTrail, sessions: SessionService, runs: RunServices
    ) -> None:
        self._database = database
        self._audit = audit
        self._sessions = sessions
        self._runs = runs
        self._histories = _CopiedHistories(runs)
        # A writer without a projection: copied events do not happen again.
        self._writer = LogWriter(database)

    async def fork(
        self,
        principal: Principal,
        session_id: str,
        *,
        message_id: str | None,
        title: str | None,
        also: Before | None = None,
    ) -> SessionCopy:
        """Create a session with the events of another up to a message."""
        found = await self._sessions.get(principal, session_id)
        stores = self._open_stores(principal.tenant_id)
        part = await read_part(stores.messages, stores.log, session_id, message_id)
        history = await self._histories.read(extent_of(part))
        new = NewSession(
            assistant_id=found.session.assistant_id,
            project_id=found.project_id,
            title=title or found.title,
            metadata=found.session.metadata,
            **chosen_columns(found),
        )
        made = self._prepare_copy(principal, new, origin(session_id, message_id, part))
        made = replace(made, model=found.model)
        await self._write(principal, made, part, history, action="session.fork", also=also)
        return SessionCopy(made, part)

    async def take_in(
        self, principal: Principal, file: Path, assistant_id: str, also: Before | None = None
    ) -> SessionCopy:
        """Import a session from a bundle of unknown origin."""
        bundle, files = await asyncio.to_thread(_read, file)
        history = self._histories.unpack(bundle.history)
        part = imported_part(bundle)
        new = NewSession(assistant_id=assistant_id, title=title_from(bundle.title))
        made = self._prepare_copy(principal, new, find_import_origin(bundle))
        await self._write(principal, made, part, history, action="session.import", also=also)
        return SessionCopy(made, part, files)

    async def document(self, principal: Principal, session_id: str, kind: DocumentKind) -> str:
        """Export a session as a document."""
        found = await self._record_export(principal, session_id, kind)
        stores = self._open_stores(principal.tenant_id)
        exported = await read_session_for_export(
            stores.messages, stores.log, found.session, found.title
        )
        write = {"md": markdown_document, "html": html_page, "json": json_document}[kind]
        return await asyncio.to_thread(write, exported)

    async def bundle(self, principal: Principal, session_id: str, place: Path) -> None:
        """Export a session as a bundle to continue elsewhere, without a workspace."""
        found = await self._record_export(principal, session_id, "bundle")
        stores = self._open_stores(principal.tenant_id)
        await bundle_session(stores, self._histories, found.session, place, title=found.title)

    async def _record_export(
        self, principal: Principal, session_id: str, kind: str
    ) -> ListedSession:
        found = await self._sessions.get(principal, session_id)
        await self._database.write(
            lambda c: self._record(c, principal, "session.export", session_id, {"format": kind})
        )
        return found

    def _prepare_copy(
        self, principal: Principal, new: NewSession, where: dict[str, Any]
    ) -> ListedSession:
        made = self._sessions.prepare(principal, new)
        return replace(made, session=replace(made.session, state={ORIGIN_KEY: where}))

    async def _write(
        self,
        principal: Principal,
        made: ListedSession,
        part: SessionPart,
        history: Any,
        *,
        action: str,
        also: Before | None,
    ) -> None:
        stores = self._open_stores(principal.tenant_id)
        session = made.session
        ids = await write_copy(stores, self._histories, part, history, session.session_id)

        def before(connection: Connection) -> None:
            if also is not None:
                also(connection, made)
            insert_copied_runs(connection, principal.tenant_id, made, part, ids)
            self._record(
                connection, principal, action, session.session_id, session.state[ORIGIN_KEY]
            )

        try:
            await self._sessions.create(principal, made, before)
        except BaseException:
            await forget_copy(stores, self._histories, part, ids, session.session_id)
            raise

    def _open_stores(self, tenant_id: TenantId) -> Stores:
        # Neither is fenced: no process works on the runs of a copy.
        log = ServerEventLog(self._writer, tenant_id)
        messages = ServerMessageStore(self._database, tenant_id)
        return replace(self._runs.stores_of(tenant_id), log=log, messages=messages)

    def _record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        session_id: str,
        detail: dict[str, Any],
    ) -> None:
        named = f"session:{session_id}"
        self._audit.record(connection, principal.tenant_id, principal.actor, action, named, detail)


def _read(file: Path) -> tuple[Bundle, int]:
    with open_archive(file, "The file you sent") as archive:
        return read_bundle(archive), len(archive.files)
