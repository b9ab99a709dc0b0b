"""Sharing a session with a user of the same tenant, by its owner or an admin.

`view` allows to read everything in it: messages, events, results, files of its tools. `answer` also
allows to answer its requests. Neither allows to send messages, or to cancel, change or delete it.
"""

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, LimitReachedError, NotFoundError
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal
from dataagent_server.identity.auth.membership import find_member
from dataagent_server.identity.auth.principal import outranks
from dataagent_server.sessions import share_rows
from dataagent_server.sessions.session_rows import change_session
from dataagent_server.sessions.session_service import SessionService
from dataagent_server.sessions.share_rows import Share
from dataagent_server.stores.session_lists import SharePermission

SHARES_PER_SESSION_MAX: Final = 200
# Called for a session to which a user may have lost the right.
RightsChanged = Callable[[TenantId, str], None]


class SessionSharing:
    """Shares and unshares sessions."""

    def __init__(
        self,
        database: Database,
        audit: AuditTrail,
        sessions: SessionService,
        rights_changed: RightsChanged,
    ) -> None:
        self._database = database
        self._audit = audit
        self._sessions = sessions
        self._rights_changed = rights_changed

    async def shares(self, principal: Principal, session_id: str) -> list[Share]:
        """List the shares of a session, for principals that may read it."""
        await self._sessions.get(principal, session_id)
        return await self._database.read(
            lambda c: share_rows.list_shares(c, principal.tenant_id, session_id)
        )

    async def share(
        self, principal: Principal, session_id: str, user_id: str, permission: SharePermission
    ) -> list[Share]:
        """Share a session, or change what is shared."""
        found = await self._sessions.get(principal, session_id, "session.share")
        if user_id == found.session.user_id:
            raise ConflictError("A session is its owner's already.")
        tenant_id = principal.tenant_id

        def work(connection: Connection) -> list[Share]:
            # Locks the row: shares are counted, and deleted with the session.
            change_session(connection, tenant_id, session_id, {})
            member = find_member(connection, tenant_id, user_id)
            if member is None:
                raise NotFoundError(f"There is no user {user_id!r}.")
            if permission == "answer" and not outranks(member.role, "member"):
                raise ConflictError(
                    f"{user_id!r} is a viewer, and viewers answer nothing. Share it to view, or "
                    "ask an admin to make them a member."
                )
            share_rows.put_share(
                connection,
                tenant_id,
                session_id,
                user_id,
                permission=permission,
                by=principal.user_id,
            )
            if share_rows.count_shares(connection, tenant_id, session_id) > SHARES_PER_SESSION_MAX:
                raise LimitReachedError(
                    f"A session is shared with {SHARES_PER_SESSION_MAX} people at most."
                )
            detail = {"user": user_id, "permission": permission}
            self._record(connection, principal, "session.share", session_id, detail)
            return share_rows.list_shares(connection, tenant_id, session_id)

        shares = await self._database.write(work)
        self._rights_changed(tenant_id, session_id)
        return shares

    async def unshare(self, principal: Principal, session_id: str, user_id: str) -> None:
        """Remove a share; a user may always give up their own. Open streams end."""
        action = "session.read" if user_id == principal.user_id else "session.share"
        await self._sessions.get(principal, session_id, action)
        tenant_id = principal.tenant_id

        def work(connection: Connection) -> None:
            if not share_rows.drop_share(connection, tenant_id, session_id, user_id):
                raise NotFoundError(f"The session is not shared with {user_id!r}.")
            self._record(connection, principal, "session.unshare", session_id, {"user": user_id})

        await self._database.write(work)
        self._rights_changed(tenant_id, session_id)

    def _record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        session_id: str,
        detail: dict[str, str],
    ) -> None:
        named = f"session:{session_id}"
        self._audit.record(connection, principal.tenant_id, principal.actor, action, named, detail)
