"""Reads and changes users: the principal, or users they administer.

Only the home tenant administers a user: an admin of another tenant could otherwise set their
password and sign in at their home.
"""

from typing import Any

from sqlalchemy import Connection

from dataagent_core.errors import DeniedError, NotFoundError, ValidationError
from dataagent_server.common.names import validate_name
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal, Resource, require
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.auth.logins import close_logins
from dataagent_server.identity.auth.one_time_tokens import cancel_tokens
from dataagent_server.identity.auth.passwords import Passwords
from dataagent_server.identity.users import user_rows
from dataagent_server.identity.users.user import User


class UserService:
    """Users of the principal's own tenant."""

    def __init__(
        self,
        database: Database,
        audit: AuditTrail,
        cache: PrincipalCache,
        passwords: Passwords,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._audit = audit
        self._cache = cache
        self._passwords = passwords
        self._clock = clock

    async def get(self, principal: Principal, user_id: str) -> User:
        """Return the principal, or for an admin any user of the tenant."""
        return await self._database.read(lambda c: require_user(c, principal, user_id, "user.read"))

    async def change(
        self,
        principal: Principal,
        user_id: str,
        *,
        display_name: str | None = None,
        learns_patterns: bool | None = None,
        uses_memory: bool | None = None,
    ) -> User:
        """Change the display name, or whether the person's runs use patterns and memory."""
        values: dict[str, Any] = {}
        if display_name is not None:
            values["display_name"] = validate_name(display_name, "display name")
        own = {"learns_patterns": learns_patterns, "uses_memory": uses_memory}
        switched = {name: value for name, value in own.items() if value is not None}
        values |= switched
        if not values:
            raise ValidationError(
                "Nothing is to change: give display_name, learns_patterns or uses_memory."
            )

        def work(connection: Connection) -> User:
            self._find_administered(connection, principal, user_id)
            if switched and user_id != principal.user_id:
                raise DeniedError(
                    "Whether their runs are learned from and remembered is for each person to say. "
                    "For the whole tenant there are the features 'patterns' and 'memory'."
                )
            user_rows.change_user(connection, user_id, values, self._clock())
            self._record(connection, principal, "user.change", user_id, **values)
            return require_user(connection, principal, user_id, "user.change")

        return await self._database.write(work)

    async def set_password(
        self, principal: Principal, user_id: str, new: str, *, current: str | None = None
    ) -> None:
        """Set a password and sign the user out everywhere but here.

        Changing one's own requires the current one, so that an open browser is not enough.
        """
        await self._database.read(lambda c: self._find_administered(c, principal, user_id))
        if user_id == principal.user_id:
            stored = await self._database.read(lambda c: user_rows.password_hash(c, user_id))
            if stored and not await self._passwords.verify(stored, current or ""):
                raise DeniedError("The current password is not right.")
        hashed = await self._passwords.hash(new)

        def work(connection: Connection) -> None:
            home = self._find_administered(connection, principal, user_id).home_tenant_id
            user_rows.change_user(connection, user_id, {"password_hash": hashed}, self._clock())
            close_logins(connection, user_id, but=principal.login_id)
            cancel_tokens(connection, home, user_id)
            self._record(connection, principal, "user.password", user_id)

        await self._database.write(work)
        self._cache.forget_all()

    def _find_administered(
        self, connection: Connection, principal: Principal, user_id: str
    ) -> User:
        user = require_user(connection, principal, user_id, "user.change")
        if user_id != principal.user_id and user.home_tenant_id != principal.tenant_id:
            raise DeniedError(
                f"{user_id!r} belongs to another tenant, whose admins change name and password."
            )
        return user

    def _record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        user_id: str,
        **detail: object,
    ) -> None:
        self._audit.record(
            connection, principal.tenant_id, principal.actor, action, f"user:{user_id}", detail
        )


def require_user(
    connection: Connection, principal: Principal, user_id: str, action: Action
) -> User:
    """Find a user of the principal's tenant on whom the action is allowed.

    A member who may not act on others gets the same answer for unknown and known users, so ids
    cannot be guessed.
    """
    user = user_rows.find_user(connection, principal.tenant_id, user_id)
    role = user.role if user else None
    require(principal, action, Resource(principal.tenant_id, "user", owner_id=user_id, role=role))
    if user is None:
        raise NotFoundError(f"There is no user {user_id!r}.")
    return user
