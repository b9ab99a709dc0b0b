"""Tokens that stay good: read from the store, renewed in time, by one process at a time.

Many servers take a refresh token used twice for a stolen one and end the whole sign-in. So a
renewal happens under the store's lock, looks first whether another process has done it, and is not
abandoned when the call that wanted it is cancelled: its answer may hold the only good token.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dataagent_core.config.limits.mcp import (
    MCP_AUTH_REFRESH_LEAD_S,
    MCP_AUTH_REFRESH_LEAD_SHARE,
    MCP_AUTH_REFRESH_PAUSE_S,
    MCP_AUTH_REREAD_S,
)
from dataagent_core.errors import MCPServerError, SignInNeededError, StorageError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth.bounded_http import BoundedHttp
from dataagent_core.mcp.oauth.ports import TokenStore
from dataagent_core.mcp.oauth.resource import covers
from dataagent_core.mcp.oauth.token_requests import CLIENT_UNKNOWN, TokenRefusal, renew
from dataagent_core.mcp.oauth.tokens import OAuthTokens
from dataagent_core.mcp.owner import Owner


def is_due(tokens: OAuthTokens, now: float, spread: float) -> bool:
    """Say whether to renew: a little before the end, and (`spread`, 0 to 1) not all at once."""
    if tokens.expires_at is None:
        return False
    lifetime_s = max(tokens.expires_at - tokens.obtained_at, 0)
    lead_s = min(MCP_AUTH_REFRESH_LEAD_S, lifetime_s * MCP_AUTH_REFRESH_LEAD_SHARE)
    return now >= tokens.expires_at - lead_s * (1 + spread)


def belong(tokens: OAuthTokens, config: MCPServerConfig, resource: str) -> bool:
    """Say whether stored tokens are those this configuration would get."""
    if not covers(tokens.resource, resource):
        return False
    if config.oauth is None:
        return True
    wanted = (config.oauth.client_id, config.oauth.token_endpoint)
    had = (tokens.client.client_id, tokens.token_endpoint)
    return all(not want or want == has for want, has in zip(wanted, had, strict=True))


@dataclass(slots=True, kw_only=True)
class KeptTokens:
    """The tokens of one owner at one server."""

    owner: Owner
    config: MCPServerConfig
    resource: str
    store: TokenStore
    http: BoundedHttp
    spread: float
    clock: Callable[[], float] = time.time
    _known: OAuthTokens | None = field(default=None, init=False)
    _read_at: float = field(default=0.0, init=False)
    _not_before: float = field(default=0.0, init=False)
    _renewal: asyncio.Task[OAuthTokens] | None = field(default=None, init=False)
    _last_resort: str = field(default="", init=False)

    async def current(self) -> OAuthTokens | None:
        """Give tokens that should be good, or None when nobody signed in."""
        now = self.clock()
        # A sign-in or sign-out in another process is seen soon, without a read per request.
        if self._known is None or not 0 <= now - self._read_at < MCP_AUTH_REREAD_S:
            await self._reread()
        tokens = self._known
        if tokens is None or not tokens.refresh_token or not is_due(tokens, now, self.spread):
            return tokens
        if not _is_over(tokens, now) and now < self._not_before:
            return tokens
        try:
            return await self._renewed(tokens)
        except SignInNeededError:
            raise
        except (MCPServerError, StorageError):
            if _is_over(tokens, now):
                raise
            # It was ahead of time: the old token still serves.
            self._not_before = now + MCP_AUTH_REFRESH_PAUSE_S
            return tokens

    async def signed_in_since(self, rejected: OAuthTokens) -> OAuthTokens | None:
        """Give the tokens of a sign-in since these were read, perhaps one with more rights."""
        await self._reread()
        tokens = self._known
        return None if tokens is None or tokens.access_token == rejected.access_token else tokens

    async def instead_of(self, rejected: OAuthTokens) -> OAuthTokens | None:
        """Give other tokens after the server refused these, or None: then a person must sign in."""
        await self._reread()
        tokens = self._known
        if tokens is None or tokens.access_token != rejected.access_token:
            return tokens
        # What was renewed because of a refusal, and is refused at once, will always be.
        if not tokens.refresh_token or tokens.access_token == self._last_resort:
            return None
        fresh = await self._renewed(tokens)
        self._last_resort = fresh.access_token
        return fresh

    def worked(self, tokens: OAuthTokens | None) -> None:
        """Note that the server took these: when it refuses them later, it is because they ended."""
        if tokens is not None and tokens.access_token == self._last_resort:
            self._last_resort = ""

    async def _reread(self) -> None:
        tokens = await self.store.get_tokens(self.owner, self.resource)
        mine = tokens is not None and belong(tokens, self.config, self.resource)
        self._known = tokens if mine else None
        self._read_at = self.clock()

    async def _renewed(self, seen: OAuthTokens) -> OAuthTokens:
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._renew_once(seen))
            self._renewal.add_done_callback(_heard)
        return await asyncio.shield(self._renewal)

    async def _renew_once(self, seen: OAuthTokens) -> OAuthTokens:
        async with self.store.lock(self.owner, self.resource):
            await self._reread()
            tokens = self._known
            if tokens is None:
                raise SignInNeededError(self.config.name)
            if tokens.access_token != seen.access_token:
                return tokens
            got = await renew(
                self._with_our_secret(tokens), self.config.name, self.http, self.clock
            )
            if isinstance(got, TokenRefusal):
                raise await self._given_up(got, tokens)
            await self.store.set_tokens(self.owner, self.resource, got)
        self._known, self._read_at = got, self.clock()
        return got

    async def _given_up(self, refused: TokenRefusal, tokens: OAuthTokens) -> MCPServerError:
        if not refused.for_good:
            return MCPServerError(
                self.config.name,
                f"cannot be used just now: your sign-in could not be renewed ({refused.detail}). "
                "Try again later.",
            )
        await self.store.delete_tokens(self.owner, self.resource)
        if refused.code in CLIENT_UNKNOWN:
            await self.store.delete_client(self.owner, self.resource)
        self._known = None
        return SignInNeededError(self.config.name, tokens.scope)

    def _with_our_secret(self, tokens: OAuthTokens) -> OAuthTokens:
        oauth = self.config.oauth
        if oauth is None or oauth.client_id != tokens.client.client_id:
            return tokens
        # A secret may be replaced where the client stays.
        return replace(tokens, client=replace(tokens.client, client_secret=oauth.client_secret))


def _is_over(tokens: OAuthTokens, now: float) -> bool:
    return tokens.expires_at is not None and now >= tokens.expires_at


def _heard(task: asyncio.Task[OAuthTokens]) -> None:
    # Everybody who waited may be gone: then nobody else asks how it ended.
    if not task.cancelled():
        task.exception()
