"""What a person can do with sessions; each operation checks the right to it.

Another tenant's session is not found, exactly as a missing one; a colleague's is refused, unless
one is an admin.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection

from dataagent_core.ids import checked_id, new_id
from dataagent_core.session.state import Session
from dataagent_server.audit import AuditTrail
from dataagent_server.auth import Action, Principal, Resource, require
from dataagent_server.db.database import Database
from dataagent_server.ids import TenantId
from dataagent_server.names import checked_name
from dataagent_server.sessions import rows
from dataagent_server.stores.session_lists import (
    ListedSession,
    SessionFilter,
    SessionLists,
    SessionPage,
)
from dataagent_server.stores.sessions import insert_session

_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
Before = Callable[[Connection], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session to be made; whoever asks has looked that assistant and project are there."""

    assistant_id: str
    session_id: str | None = None
    project_id: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionChange:
    """What is to become of a session; only what is in `fields` changes."""

    fields: frozenset[str]
    title: str | None = None
    project_id: str | None = None


class SessionService:
    """The sessions of the principal's own tenant."""

    def __init__(self, database: Database, audit: AuditTrail) -> None:
        self._database = database
        self._audit = audit

    async def create(
        self, principal: Principal, made: ListedSession, before: Before | None = None
    ) -> None:
        """Write a prepared session; `before` is done in the same transaction."""

        def work(connection: Connection) -> None:
            if before is not None:
                before(connection)
            self.insert(connection, principal, made)

        await self._database.write(work)

    def prepared(self, principal: Principal, new: NewSession) -> ListedSession:
        """Make a session of one's own, which `create` or `insert` has still to write."""
        require(principal, "session.create", resource(principal.tenant_id, principal.user_id))
        chosen = new_id() if new.session_id is None else checked_id(new.session_id, "session id")
        title = None if new.title is None else checked_name(new.title, "title")
        session = Session(chosen, principal.user_id, new.assistant_id)
        return ListedSession(session=session, project_id=new.project_id, title=title)

    def insert(self, connection: Connection, principal: Principal, made: ListedSession) -> None:
        """Write a prepared session; an id that is taken is a conflict."""
        insert_session(connection, principal.tenant_id, made.session, made.project_id, made.title)
        self._record(connection, principal, "session.create", made.session.session_id)

    async def get(
        self, principal: Principal, session_id: str, action: Action = "session.read"
    ) -> ListedSession:
        """Return a session to somebody who may do `action` with it."""
        # What cannot be an id is not looked for: not every database takes every character.
        lists = SessionLists(self._database, principal.tenant_id)
        found = await lists.get(session_id) if _ID.match(session_id) else None
        if found is None:
            raise rows.not_found(session_id)
        require(principal, action, resource(principal.tenant_id, found.session.user_id))
        return found

    async def list(
        self, principal: Principal, which: SessionFilter, *, limit: int, cursor: str | None
    ) -> SessionPage:
        """List sessions, the last used first; without a user that is everybody's, for admins."""
        require(principal, "session.read", resource(principal.tenant_id, which.user_id))
        lists = SessionLists(self._database, principal.tenant_id)
        return await lists.page(which, limit=limit, cursor=cursor)

    async def change(
        self, principal: Principal, session_id: str, change: SessionChange
    ) -> ListedSession:
        """Rename a session or move it to another project."""
        found = await self.get(principal, session_id, "session.change")
        wished = {name: getattr(change, name) for name in sorted(change.fields)}
        if wished.get("title") is not None:
            wished["title"] = checked_name(wished["title"], "title")

        def work(connection: Connection) -> None:
            rows.change_session(connection, principal.tenant_id, session_id, wished)
            detail = {"fields": list(wished)}
            self._record(connection, principal, "session.change", session_id, detail)

        if wished:
            await self._database.write(work)
        return replace(found, **wished)

    async def delete(self, principal: Principal, session_id: str) -> Sequence[str]:
        """Delete a session with all that is in it; return its runs, for their checkpoints."""
        found = await self.get(principal, session_id, "session.delete")

        def work(connection: Connection) -> Sequence[str]:
            runs = rows.remove_whole(connection, principal.tenant_id, session_id)
            detail = {"owner": found.session.user_id, "runs": len(runs)}
            self._record(connection, principal, "session.delete", session_id, detail)
            return runs

        return await self._database.write(work)

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


def resource(tenant_id: TenantId, owner_id: str | None) -> Resource:
    """Describe a session as rights look at it."""
    return Resource(tenant_id, "session", owner_id=owner_id)
