"""Core's `TokenStore` in the server's database: tokens of each user, encrypted, one lock each.

The lock is a lease in the row: it works across processes and machines, is renewed while its holder
works, and expires soon after a holder died.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta

from dataagent_core.config.limits.mcp import MCP_AUTH_LOCK_WAIT_S
from dataagent_core.errors import StorageError
from dataagent_core.ids import new_id
from dataagent_core.mcp.oauth.tokens import (
    ClientRegistration,
    OAuthTokens,
    dump_tokens,
    load_tokens,
)
from dataagent_core.mcp.owner import Owner
from dataagent_core.secrets import Cipher, SecretLocation
from dataagent_server.agents.mcp_servers.limits import LOCK_LEASE_S, LOCK_PAUSE_S
from dataagent_server.agents.mcp_servers.sign_in import token_rows
from dataagent_server.agents.mcp_servers.sign_in.token_rows import Column, TokenKey
from dataagent_server.db.database import Database
from dataagent_server.identity.auth.clock import Clock, utc_now


@dataclass(frozen=True, slots=True)
class DatabaseTokenStore:
    """The tokens of all tenants; an owner reaches only their own."""

    database: Database
    cipher: Cipher
    lock_wait_s: float = MCP_AUTH_LOCK_WAIT_S
    lease_s: float = LOCK_LEASE_S
    clock: Clock = utc_now

    async def get_tokens(self, owner: Owner, resource: str) -> OAuthTokens | None:
        """Return the tokens, or None without a sign-in."""
        text = await self._get(TokenKey(owner, resource), "tokens")
        return None if text is None else load_tokens(OAuthTokens, text)

    async def set_tokens(self, owner: Owner, resource: str, tokens: OAuthTokens) -> None:
        """Store the tokens; they replace the previous ones."""
        await self._set(TokenKey(owner, resource), "tokens", dump_tokens(tokens))

    async def delete_tokens(self, owner: Owner, resource: str) -> None:
        """Delete the tokens."""
        await self._clear(TokenKey(owner, resource), "tokens")

    async def get_client(self, owner: Owner, resource: str) -> ClientRegistration | None:
        """Return the client registered there, if any."""
        text = await self._get(TokenKey(owner, resource), "client")
        return None if text is None else load_tokens(ClientRegistration, text)

    async def set_client(self, owner: Owner, resource: str, client: ClientRegistration) -> None:
        """Store the client; it replaces the previous one."""
        await self._set(TokenKey(owner, resource), "client", dump_tokens(client))

    async def delete_client(self, owner: Owner, resource: str) -> None:
        """Delete the client."""
        await self._clear(TokenKey(owner, resource), "client")

    def lock(self, owner: Owner, resource: str) -> AbstractAsyncContextManager[None]:
        """Keep every other process from renewing these tokens."""
        return self._hold_lock(TokenKey(owner, resource))

    async def _get(self, held: TokenKey, column: Column) -> str | None:
        sealed = await self.database.read(lambda c: token_rows.read(c, held, column))
        return (
            None if sealed is None else self.cipher.decrypt(sealed, _secret_location(held, column))
        )

    async def _set(self, held: TokenKey, column: Column, text: str) -> None:
        sealed = self.cipher.encrypt(text, _secret_location(held, column))
        now = self.clock()
        await self.database.write(lambda c: token_rows.write(c, held, column, sealed, now))

    async def _clear(self, held: TokenKey, column: Column) -> None:
        await self.database.write(lambda c: token_rows.clear(c, held, column))

    @asynccontextmanager
    async def _hold_lock(self, held: TokenKey) -> AsyncGenerator[None]:
        holder = new_id()
        try:
            async with asyncio.timeout(self.lock_wait_s):
                while not await self._try_lock(held, holder):  # noqa: ASYNC110 (another process's)
                    await asyncio.sleep(LOCK_PAUSE_S)
        except TimeoutError:
            raise StorageError(
                "Somebody else has been renewing these tokens for too long. Try again."
            ) from None
        keeping = asyncio.create_task(self._keep(held, holder))
        try:
            yield
        finally:
            keeping.cancel()
            # Also when the holder is cancelled: others would wait for the lease to end.
            await asyncio.shield(self.database.write(lambda c: token_rows.let_go(c, held, holder)))

    async def _try_lock(self, held: TokenKey, holder: str) -> bool:
        now = self.clock()
        # Read first: on SQLite an attempt to write would wait for every writer.
        if await self.database.read(lambda c: token_rows.is_locked(c, held, now)):
            return False
        until = now + timedelta(seconds=self.lease_s)
        return await self.database.write(
            lambda c: token_rows.take_lock(c, held, holder, now, until)
        )

    async def _keep(self, held: TokenKey, holder: str) -> None:
        while True:
            await asyncio.sleep(self.lease_s / 3)
            now = self.clock()
            until = now + timedelta(seconds=self.lease_s)
            # A database that is unreachable for a moment may be back before the lease ends.
            with suppress(StorageError):
                await self.database.write(
                    lambda c, n=now, u=until: token_rows.take_lock(c, held, holder, n, u)
                )


def _secret_location(held: TokenKey, column: Column) -> SecretLocation:
    owner = held.owner
    return SecretLocation(
        owner.tenant_id, f"MCP {column}", json.dumps([owner.user_id, held.resource])
    )
