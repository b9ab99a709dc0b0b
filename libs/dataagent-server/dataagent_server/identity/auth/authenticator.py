"""Authenticates a request: from its credentials to its `Principal`.

The order: an API key, else a cookie (with its CSRF guard), else nobody. A WebSocket may present a
ticket instead. `recheck` authenticates again, for connections that stay open while rights change.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from dataagent_core.errors import StorageError
from dataagent_core.secrets import Keyring
from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.common.ids import DEFAULT_ADMIN, DEFAULT_TENANT
from dataagent_server.db.database import Database
from dataagent_server.identity.auth import membership, one_time_tokens
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.auth.configured_keys import ConfiguredKeys
from dataagent_server.identity.auth.csrf import CsrfGuard
from dataagent_server.identity.auth.limits import LAST_USED_EVERY_S
from dataagent_server.identity.auth.logins import lives_until
from dataagent_server.identity.auth.membership import VerifiedLogin
from dataagent_server.identity.auth.presented_credentials import PresentedCredentials
from dataagent_server.identity.auth.principal import Principal

_HOW = "Send a valid key as X-API-Key or as Authorization: Bearer, or sign in."


class Authenticator:
    """Authenticates requests; one per process."""

    def __init__(
        self,
        database: Database,
        keyring: Keyring,
        cache: PrincipalCache,
        guard: CsrfGuard,
        configured: ConfiguredKeys,
        *,
        disabled: bool = False,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._cache = cache
        self._guard = guard
        self._configured = configured
        self._disabled = disabled
        self._clock = clock

    async def request(self, presented: PresentedCredentials) -> Principal:
        """Return the principal of a request, or refuse it."""
        if self._disabled:
            # `api/middleware/local_only.py` has checked the client.
            return Principal(DEFAULT_TENANT, DEFAULT_ADMIN, "owner", via="disabled")
        if presented.api_key is not None:
            return await self._authenticate_key(presented.api_key)
        if presented.cookie is not None:
            principal = await self._authenticate_cookie(presented.cookie)
            assert principal.login_id is not None
            self._guard.check(presented, principal.login_id)
            return principal
        raise UnauthenticatedError(f"The request does not say who sends it. {_HOW}")

    async def websocket(
        self, presented: PresentedCredentials, *, session_id: str, ticket: str | None = None
    ) -> Principal:
        """Return the principal of a WebSocket; browsers cannot send our headers with it."""
        if ticket is not None and not self._disabled:
            return await self._authenticate_ticket(ticket, session_id)
        principal = await self.request(presented)
        if principal.via == "cookie":
            self._guard.check_origin(presented)
        return principal

    async def recheck(self, principal: Principal) -> Principal:
        """Return the current principal: the role may have changed, the key been revoked."""
        if principal.via == "disabled":
            return principal
        found = await self._database.read(
            lambda connection: self._reload_principal(connection, principal)
        )
        if found is None:
            raise UnauthenticatedError(f"What you signed in with is no longer valid. {_HOW}")
        return replace(found, via=principal.via)

    async def _authenticate_key(self, key: str) -> Principal:
        hashes = self._keyring.hashes("api-key", key)
        if known := self._cache.get(hashes[0]):
            return known
        generation = self._cache.generation
        now = self._clock()
        configured = self._configured.find(hashes)
        if configured is not None:
            principal = await self._database.read(lambda c: self._find_configured(c, configured))
        else:
            found = await self._database.read(lambda c: membership.find_key(c, now, hashes=hashes))
            principal = found.principal if found else None
            if found and _is_due(found, now):
                await self._note_key(found.principal, now)
        if principal is None:
            raise UnauthenticatedError(f"The API key is unknown, expired or revoked. {_HOW}")
        self._cache.put(hashes[0], principal, generation)
        return principal

    async def _authenticate_cookie(self, token: str) -> Principal:
        hashes = self._keyring.hashes("web-session", token)
        if known := self._cache.get(hashes[0]):
            return known
        generation = self._cache.generation
        now = self._clock()
        found = await self._database.read(lambda c: membership.find_login(c, now, hashes=hashes))
        if found is None:
            raise UnauthenticatedError("You are no longer signed in. Sign in again.")
        if _is_due(found, now):
            await self._note_login(found, now)
        self._cache.put(hashes[0], found.principal, generation)
        return found.principal

    async def _authenticate_ticket(self, ticket: str, session_id: str) -> Principal:
        now = self._clock()

        def redeem(connection: Connection) -> Principal | None:
            grant = one_time_tokens.redeem(
                connection, self._keyring, ticket, "ws_ticket", now, session_id=session_id
            )
            if grant is None:
                return None
            asker = Principal(
                grant.tenant_id,
                grant.user_id,
                "viewer",
                key_id=grant.key_id,
                login_id=grant.login_id,
            )
            return self._reload_principal(connection, asker)

        found = await self._database.write(redeem)
        if found is None:
            raise UnauthenticatedError(
                "The ticket is unknown, used, too old or for another session. Get a new one from "
                "POST /api/v1/ws-tickets."
            )
        return replace(found, via="ticket")

    def _reload_principal(self, connection: Connection, principal: Principal) -> Principal | None:
        now = self._clock()
        tenant_id, key_id, login_id = principal.tenant_id, principal.key_id, principal.login_id
        if key_id is not None and key_id in self._configured:
            return self._find_configured(connection, key_id)
        if key_id is not None:
            found = membership.find_key(connection, now, key_id=(tenant_id, key_id))
        elif login_id is not None:
            found = membership.find_login(connection, now, login_id=(tenant_id, login_id))
        else:
            found = None
        return found.principal if found else None

    def _find_configured(self, connection: Connection, key_id: str) -> Principal | None:
        admin = membership.find_member(connection, DEFAULT_TENANT, DEFAULT_ADMIN)
        return None if admin is None else replace(admin, key_id=key_id)

    async def _note_key(self, principal: Principal, now: datetime) -> None:
        tenant_id, key_id = principal.tenant_id, principal.key_id
        assert key_id is not None
        # A full disk must not keep users from reading.
        with suppress(StorageError):
            await self._database.write(lambda c: membership.touch_key(c, tenant_id, key_id, now))

    async def _note_login(self, found: VerifiedLogin, now: datetime) -> None:
        tenant_id, login_id = found.principal.tenant_id, found.principal.login_id
        assert login_id is not None
        until = lives_until(found.created_at, now)
        with suppress(StorageError):
            await self._database.write(
                lambda c: membership.touch_login(c, tenant_id, login_id, now, until)
            )


def _is_due(found: VerifiedLogin, now: datetime) -> bool:
    last = found.last_seen_at
    return last is None or now - last >= timedelta(seconds=LAST_USED_EVERY_S)
