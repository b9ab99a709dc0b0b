"""The operations of users on sessions; each checks the right to it.

A session of another tenant is not found, exactly like a missing one; that of another user is
refused, unless it is shared (`session_shares.py`) or the principal is an admin.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from dataagent_core.errors import ValidationError
from dataagent_core.events import Event
from dataagent_core.events.system import Mode
from dataagent_core.ids import checked_id, new_id
from dataagent_core.session.state import Session
from dataagent_core.session.stores.encoding import json_text
from dataagent_core.session.stores.sql.usage_rollup import join_session
from dataagent_server.common.ids import TenantId
from dataagent_server.common.names import validate_name
from dataagent_server.db.database import Database
from dataagent_server.db.store_connection import sql_connection
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal, Resource, require
from dataagent_server.sessions import session_rows
from dataagent_server.sessions.records import SessionRecords
from dataagent_server.stores.removal import remove_rest
from dataagent_server.stores.session_lists import (
    ListedSession,
    SessionFilter,
    SessionLists,
    SessionPage,
    SharePermission,
)
from dataagent_server.stores.session_modes import switch_mode
from dataagent_server.stores.session_planning import (
    PLANNING_COLUMNS,
    PlanningColumns,
    chosen_columns,
)
from dataagent_server.stores.session_search import SessionSearch
from dataagent_server.stores.sessions import insert_session

_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
METADATA_CHARS_MAX: Final = 16_000
Before = Callable[[Connection], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession(PlanningColumns):
    """A session to be created; the caller has checked the assistant and the project."""

    assistant_id: str
    session_id: str | None = None
    project_id: str | None = None
    title: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionChange(PlanningColumns):
    """The changes of a session; only the names in `fields` change."""

    fields: frozenset[str]
    title: str | None = None
    project_id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


class SessionService:
    """The sessions of the principal's own tenant.

    Without `records` a session is its row in the database.
    """

    def __init__(
        self, database: Database, audit: AuditTrail, records: SessionRecords | None = None
    ) -> None:
        self._database = database
        self._audit = audit
        self._records = records

    async def create(
        self, principal: Principal, made: ListedSession, before: Before | None = None
    ) -> None:
        """Write a prepared session; `before` runs in the same transaction."""

        def work(connection: Connection) -> None:
            if before is not None:
                before(connection)
            self.insert(connection, principal, made)

        await self._database.write(work)
        await self.settle(principal, made.session)

    async def settle(self, principal: Principal, session: Session) -> None:
        """Move a new session to the session store."""
        if self._records is not None:
            await self._records.move_in(principal.tenant_id, session)

    def prepare(self, principal: Principal, new: NewSession) -> ListedSession:
        """Make a session of the principal, which `create` or `insert` has to write."""
        require(
            principal, "session.create", session_resource(principal.tenant_id, principal.user_id)
        )
        chosen = new_id() if new.session_id is None else checked_id(new.session_id, "session id")
        title = None if new.title is None else validate_name(new.title, "title")
        metadata = _validate_metadata(new.metadata)
        session = Session(chosen, principal.user_id, new.assistant_id, metadata=metadata)
        planning = {name: getattr(new, name) for name in PLANNING_COLUMNS}
        return ListedSession(session=session, project_id=new.project_id, title=title, **planning)

    def insert(self, connection: Connection, principal: Principal, made: ListedSession) -> None:
        """Write a prepared session, to be settled later; an existing id is a conflict."""
        tenant_id, session_id = principal.tenant_id, made.session.session_id
        insert_session(connection, tenant_id, made.session, made.project_id, made.title)
        chosen = chosen_columns(made) | ({} if made.model is None else {"model": made.model})
        if chosen:
            session_rows.change_session(connection, tenant_id, session_id, chosen)
        self._record(connection, principal, "session.create", session_id)

    async def get(
        self, principal: Principal, session_id: str, action: Action = "session.read"
    ) -> ListedSession:
        """Return a session to a principal who may do `action` with it."""
        row = await self._find_row(principal, session_id, action)
        if not (found := await self._select_present(principal.tenant_id, [row])):
            raise session_rows.not_found(session_id)
        return found[0]

    async def _select_present(
        self, tenant_id: TenantId, found: Sequence[ListedSession]
    ) -> Sequence[ListedSession]:
        """Leave out the sessions whose record is not in the current session store."""
        if self._records is None:
            return [one for one in found if one.store is None]
        return await self._records.find_all(tenant_id, found)

    async def _find_row(
        self, principal: Principal, session_id: str, action: Action
    ) -> ListedSession:
        # A text that cannot be an id is not looked up: not every database accepts every character.
        lists = SessionLists(self._database, principal.tenant_id, principal.user_id)
        found = await lists.get(session_id) if _ID.match(session_id) else None
        if found is None:
            raise session_rows.not_found(session_id)
        shared = is_shared_for(action, found.permission)
        require(
            principal, action, session_resource(principal.tenant_id, found.session.user_id, shared)
        )
        return found

    async def list(
        self,
        principal: Principal,
        which: SessionFilter,
        *,
        limit: int,
        cursor: str | None,
        words: str | None = None,
    ) -> SessionPage:
        """List sessions, the last used first; without a user those of all, for admins.

        With words, only those that contain all of them, in their titles or messages.
        """
        whose = which.shared_with or which.user_id
        require(principal, "session.read", session_resource(principal.tenant_id, whose))
        if words:
            found = SessionSearch(self._database, principal.tenant_id, principal.user_id)
            page = await found.page(which, words, limit=limit, cursor=cursor)
        else:
            lists = SessionLists(self._database, principal.tenant_id, principal.user_id)
            page = await lists.page(which, limit=limit, cursor=cursor)
        return replace(page, items=await self._select_present(principal.tenant_id, page.items))

    async def change(
        self, principal: Principal, session_id: str, change: SessionChange
    ) -> ListedSession:
        """Rename a session, move it to another project, change its metadata or how it plans."""
        found = await self.get(principal, session_id, "session.change")
        wished = {name: getattr(change, name) for name in sorted(change.fields)}
        if wished.get("title") is not None:
            wished["title"] = validate_name(wished["title"], "title")
        noted = _validate_metadata(wished.pop("metadata")) if "metadata" in wished else None
        row = wished if noted is None or found.store is not None else wished | {"metadata": noted}

        def work(connection: Connection) -> bool:
            store = session_rows.hold_session(connection, principal.tenant_id, session_id)
            if store != found.store:
                return False
            session_rows.change_session(connection, principal.tenant_id, session_id, row)
            detail = {"fields": sorted(change.fields)}
            self._record(connection, principal, "session.change", session_id, detail)
            return True

        if change.fields and not await self._database.write(work):
            # It was just created, and its record has moved to its store: that happens once.
            return await self.change(principal, session_id, change)
        if noted is None:
            return replace(found, **wished)
        session = replace(found.session, metadata=noted)
        if self._records is not None and found.store is not None:
            await self._records.change(principal.tenant_id, session)
        return replace(found, session=session, **wished)

    async def switch_mode(
        self, principal: Principal, session_id: str, mode: Mode
    ) -> Sequence[Event]:
        """Switch a session's mode; return the event to be passed on."""
        await self.get(principal, session_id, "session.change")

        def work(connection: Connection) -> Sequence[Event]:
            # Locks the row: it cannot be deleted before its log has the event.
            session_rows.change_session(connection, principal.tenant_id, session_id, {})
            return self.insert_mode(connection, principal, session_id, mode)

        return await self._database.write(work)

    def insert_mode(
        self, connection: Connection, principal: Principal, session_id: str, mode: Mode
    ) -> Sequence[Event]:
        """Write a switch of mode, in a transaction that holds the session's row."""
        by = principal.user_id
        events = switch_mode(connection, principal.tenant_id, session_id, mode, by)
        if events:
            self._record(connection, principal, "session.mode", session_id, {"mode": mode})
        return events

    async def delete(
        self, principal: Principal, session_id: str, *, unused_since: datetime | None = None
    ) -> Sequence[str]:
        """Delete a session with all its data; return its runs, for their checkpoints.

        With `unused_since`, only if it was not used since then.
        """
        # Also where its record is gone: the rest in the database is deleted too.
        found = await self._find_row(principal, session_id, "session.delete")

        def work(connection: Connection) -> Sequence[str]:
            runs = session_rows.remove_whole(
                connection, principal.tenant_id, session_id, unused_since=unused_since
            )
            join_session(sql_connection(connection), principal.tenant_id, session_id)
            detail = {"owner": found.session.user_id, "runs": len(runs)}
            self._record(connection, principal, "session.delete", session_id, detail)
            return runs

        runs = await self._database.write(work)
        await remove_rest(self._database, principal.tenant_id, session_id)
        if self._records is not None:
            await self._records.remove(principal.tenant_id, session_id)
        return runs

    def _record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        session_id: str,
        detail: dict[str, Any] | None = None,
    ) -> None:
        named = f"session:{session_id}"
        self._audit.record(connection, principal.tenant_id, principal.actor, action, named, detail)


def is_shared_for(action: Action, permission: SharePermission | None) -> bool:
    """Return whether a share counts for an action; the table of rights decides further."""
    return permission == "answer" if action == "request.answer" else permission is not None


def session_resource(tenant_id: TenantId, owner_id: str | None, shared: bool = False) -> Resource:  # noqa: FBT001, FBT002 (as the table says it)
    """Return a session as a resource."""
    return Resource(tenant_id, "session", owner_id=owner_id, shared=shared)


def _validate_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    chars = len(json_text(metadata, "a session's metadata"))
    if chars > METADATA_CHARS_MAX:
        raise ValidationError(
            f"A session's metadata has {chars:,} characters as JSON, more than the "
            f"{METADATA_CHARS_MAX:,} allowed. Keep files in a workspace."
        )
    return metadata
