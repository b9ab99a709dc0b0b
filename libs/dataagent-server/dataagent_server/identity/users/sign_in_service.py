"""Signs browsers in and out: by password or a one-time URL; and tickets for WebSockets."""

import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from dataagent_core.errors import DeniedError, NotFoundError, ValidationError
from dataagent_core.ids import checked_id
from dataagent_core.secrets import Keyring
from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.common.names import name_of, validate_username
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal, Resource, one_time_tokens, require
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.auth.csrf import csrf_token
from dataagent_server.identity.auth.login_limits import LoginLimits
from dataagent_server.identity.auth.logins import close_login, close_logins, open_login
from dataagent_server.identity.auth.membership import find_login
from dataagent_server.identity.auth.one_time_tokens import TokenGrant
from dataagent_server.identity.auth.passwords import Passwords
from dataagent_server.identity.users import user_rows
from dataagent_server.identity.users.user import SignInResult

T = TypeVar("T")


class SignInService:
    """The sign-in of the console."""

    def __init__(
        self,
        database: Database,
        audit: AuditTrail,
        cache: PrincipalCache,
        passwords: Passwords,
        keyring: Keyring,
        *,
        clock: Clock = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._audit = audit
        self._cache = cache
        self._passwords = passwords
        self._keyring = keyring
        self._clock = clock
        self._limits = LoginLimits(monotonic)

    async def login(
        self, username: str, password: str, *, address: str, tenant_id: str = DEFAULT_TENANT
    ) -> SignInResult:
        """Sign in by password at the home tenant; every refusal has the same text and duration."""
        name = _normalize_username(username)
        account = f"{tenant_id}/{name}"
        self._limits.take(account, address)
        home = TenantId(tenant_id)
        found = await self._database.read(lambda c: user_rows.find_account(c, home, name))
        user_id, stored = found or ("", None)
        if not await self._passwords.verify(stored, password):
            raise UnauthenticatedError("The user name or the password is not right.")
        signed_in = await self._database.write(lambda c: self._enter(c, home, user_id, "password"))
        self._limits.note_success(account, address)
        return signed_in

    async def sign_in_token(self, principal: Principal, user_id: str) -> str:
        """Create a one-time sign-in token for a user, if the principal administers them."""

        def work(connection: Connection) -> str:
            user = user_rows.find_user(connection, principal.tenant_id, user_id)
            role = user.role if user else None
            resource = Resource(principal.tenant_id, "user", owner_id=user_id, role=role)
            require(principal, "user.change", resource)
            if user is None:
                raise NotFoundError(f"There is no user {user_id!r}.")
            if principal.via != "operator" and user.home_tenant_id != principal.tenant_id:
                raise DeniedError(f"{user_id!r} belongs to another tenant.")
            grant = TokenGrant(principal.tenant_id, user_id, "sign_in")
            token = one_time_tokens.issue(connection, self._keyring, grant, self._clock())
            self._record(
                connection, principal.tenant_id, principal.actor, "user.sign_in_url", user_id
            )
            return token

        return await self._database.write(work)

    async def redeem(self, token: str) -> SignInResult:
        """Redeem the token of a one-time URL and sign in."""

        def work(connection: Connection) -> SignInResult:
            now = self._clock()
            grant = one_time_tokens.redeem(connection, self._keyring, token, "sign_in", now)
            if grant is None:
                raise UnauthenticatedError(
                    "This sign-in link was used, is too old or never was one. Make another with: "
                    "dataagent-server users sign-in-url"
                )
            return self._enter(connection, grant.tenant_id, grant.user_id, "url")

        return await self._database.write(work)

    async def log_out(self, principal: Principal, *, everywhere: bool = False) -> None:
        """Sign this browser out, or all browsers of the user."""
        login_id = principal.login_id

        def work(connection: Connection) -> None:
            if everywhere:
                close_logins(connection, principal.user_id)
            elif login_id is not None:
                close_login(connection, principal.tenant_id, login_id)
            action = "user.log_out_everywhere" if everywhere else "user.log_out"
            self._record(
                connection, principal.tenant_id, principal.actor, action, principal.user_id
            )

        await self._database.write(work)
        self._cache.forget_all()

    async def switch_tenant(self, principal: Principal, tenant_id: str) -> SignInResult:
        """Switch to another tenant the user is a member of."""
        if principal.login_id is None:
            raise ValidationError("Only a browser changes tenants; a key belongs to one.")
        login_id = principal.login_id

        def work(connection: Connection) -> SignInResult:
            close_login(connection, principal.tenant_id, login_id)
            try:
                return self._enter(connection, TenantId(tenant_id), principal.user_id, "switch")
            except UnauthenticatedError:
                raise NotFoundError(f"There is no tenant {tenant_id!r}.") from None

        return await self._change(work)

    async def tenants_of(self, principal: Principal) -> list[TenantId]:
        """List the tenants the user may switch to."""
        return await self._database.read(lambda c: user_rows.memberships(c, principal.user_id))

    async def name_of(self, principal: Principal) -> str:
        """Return the user's display name."""
        tenant_id, user_id = principal.tenant_id, principal.user_id
        found = await self._database.read(lambda c: user_rows.find_user(c, tenant_id, user_id))
        return user_id if found is None else name_of(found)

    async def ws_ticket(self, principal: Principal, session_id: str) -> str:
        """Create a one-time ticket that opens a WebSocket on one session."""
        resource = Resource(principal.tenant_id, "session", owner_id=principal.user_id)
        require(principal, "session.read", resource)
        grant = TokenGrant(
            principal.tenant_id,
            principal.user_id,
            "ws_ticket",
            key_id=principal.key_id,
            login_id=principal.login_id,
            session_id=checked_id(session_id, "session id"),
        )
        return await self._database.write(
            lambda c: one_time_tokens.issue(c, self._keyring, grant, self._clock())
        )

    def _enter(
        self, connection: Connection, tenant_id: TenantId, user_id: str, how: str
    ) -> SignInResult:
        now = self._clock()
        token = open_login(connection, self._keyring, tenant_id, user_id, now)
        hashes = self._keyring.hashes("web-session", token)
        standing = find_login(connection, now, hashes=hashes)
        # No longer a member, or a suspended tenant: this also rolls the log-in back.
        if standing is None or standing.principal.login_id is None:
            raise UnauthenticatedError("The user name or the password is not right.")
        principal = standing.principal
        self._record(connection, tenant_id, principal.actor, "user.sign_in", user_id, how=how)
        return SignInResult(
            principal, token, csrf_token(self._keyring, standing.principal.login_id)
        )

    async def _change(self, work: Callable[[Connection], T]) -> T:
        result = await self._database.write(work)
        self._cache.forget_all()
        return result

    def _record(
        self,
        connection: Connection,
        tenant_id: TenantId,
        actor: str,
        action: str,
        user_id: str,
        **detail: str,
    ) -> None:
        self._audit.record(connection, tenant_id, actor, action, f"user:{user_id}", detail)


def _normalize_username(username: str) -> str:
    # An invalid user name is looked up all the same, so that the refusal takes as long.
    try:
        return validate_username(username)
    except ValidationError:
        return "?"
