"""`BearerAuth` signs the requests to one server with the token of one owner.

A run never opens a browser: without tokens, or when the server wants another scope, it raises
`SignInNeededError`, which the transport turns into the failure of that call.

`KeptTokens` reads the tokens from the store and renews them in time. Many servers take a refresh
token used twice for a stolen one and end the whole sign-in. So a renewal happens under the store's
lock, checks first whether another process has done it, and is not abandoned when its call is
cancelled: the answer may hold the only valid token.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

import httpx2
from mcp.client.auth.utils import extract_field_from_www_auth, extract_scope_from_www_auth

from dataagent_core.config.limits.mcp import (
    MCP_AUTH_REFRESH_LEAD_S,
    MCP_AUTH_REFRESH_LEAD_SHARE,
    MCP_AUTH_REFRESH_PAUSE_S,
    MCP_AUTH_REREAD_S,
)
from dataagent_core.errors import MCPServerError, SignInNeededError, StorageError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth.addresses import origin
from dataagent_core.mcp.oauth.bounded_http import BoundedHttp, ClientFactory, plain_client
from dataagent_core.mcp.oauth.ports import TokenStore
from dataagent_core.mcp.oauth.resource import covers, resource_of
from dataagent_core.mcp.oauth.server_words import scopes
from dataagent_core.mcp.oauth.token_requests import CLIENT_UNKNOWN, TokenRefusal, renew
from dataagent_core.mcp.oauth.tokens import OAuthTokens
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import AuthFor


def is_due(tokens: OAuthTokens, now: float, spread: float) -> bool:
    """Return whether to renew: a little before expiry, spread by `spread` (0 to 1)."""
    if tokens.expires_at is None:
        return False
    lifetime_s = max(tokens.expires_at - tokens.obtained_at, 0)
    lead_s = min(MCP_AUTH_REFRESH_LEAD_S, lifetime_s * MCP_AUTH_REFRESH_LEAD_SHARE)
    return now >= tokens.expires_at - lead_s * (1 + spread)


def match_configuration(tokens: OAuthTokens, config: MCPServerConfig, resource: str) -> bool:
    """Return whether stored tokens are those this configuration would get."""
    if not covers(tokens.resource, resource):
        return False
    if config.oauth is None:
        return True
    wanted = (config.oauth.client_id, config.oauth.token_endpoint)
    stored = (tokens.client.client_id, tokens.token_endpoint)
    return all(not want or want == has for want, has in zip(wanted, stored, strict=True))


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
        """Return tokens that should be valid, or None if nobody signed in."""
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
            return await self._renew(tokens)
        except SignInNeededError:
            raise
        except (MCPServerError, StorageError):
            if _is_over(tokens, now):
                raise
            # The renewal was ahead of time: the old token is still valid.
            self._not_before = now + MCP_AUTH_REFRESH_PAUSE_S
            return tokens

    async def find_newer(self, rejected: OAuthTokens) -> OAuthTokens | None:
        """Return tokens of a newer sign-in, which may have more scopes."""
        await self._reread()
        tokens = self._known
        return None if tokens is None or tokens.access_token == rejected.access_token else tokens

    async def replace_rejected(self, rejected: OAuthTokens) -> OAuthTokens | None:
        """Return other tokens after the server refused these; None if a person must sign in."""
        await self._reread()
        tokens = self._known
        if tokens is None or tokens.access_token != rejected.access_token:
            return tokens
        # A token that was renewed after a refusal and is refused at once will always be refused.
        if not tokens.refresh_token or tokens.access_token == self._last_resort:
            return None
        fresh = await self._renew(tokens)
        self._last_resort = fresh.access_token
        return fresh

    def mark_accepted(self, tokens: OAuthTokens | None) -> None:
        """Note that the server accepted these: a later refusal means that they expired."""
        if tokens is not None and tokens.access_token == self._last_resort:
            self._last_resort = ""

    async def _reread(self) -> None:
        tokens = await self.store.get_tokens(self.owner, self.resource)
        is_ours = tokens is not None and match_configuration(tokens, self.config, self.resource)
        self._known = tokens if is_ours else None
        self._read_at = self.clock()

    async def _renew(self, seen: OAuthTokens) -> OAuthTokens:
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._renew_once(seen))
            self._renewal.add_done_callback(_retrieve_exception)
        return await asyncio.shield(self._renewal)

    async def _renew_once(self, seen: OAuthTokens) -> OAuthTokens:
        async with self.store.lock(self.owner, self.resource):
            await self._reread()
            tokens = self._known
            if tokens is None:
                raise SignInNeededError(self.config.name)
            if tokens.access_token != seen.access_token:
                return tokens
            renewed = await renew(
                self._apply_configured_secret(tokens), self.config.name, self.http, self.clock
            )
            if isinstance(renewed, TokenRefusal):
                raise await self._handle_refusal(renewed, tokens)
            await self.store.set_tokens(self.owner, self.resource, renewed)
        self._known, self._read_at = renewed, self.clock()
        return renewed

    async def _handle_refusal(self, refused: TokenRefusal, tokens: OAuthTokens) -> MCPServerError:
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

    def _apply_configured_secret(self, tokens: OAuthTokens) -> OAuthTokens:
        oauth = self.config.oauth
        if oauth is None or oauth.client_id != tokens.client.client_id:
            return tokens
        # The secret may have been replaced for the same client.
        return replace(tokens, client=replace(tokens.client, client_secret=oauth.client_secret))


def _is_over(tokens: OAuthTokens, now: float) -> bool:
    return tokens.expires_at is not None and now >= tokens.expires_at


def _retrieve_exception(task: asyncio.Task[OAuthTokens]) -> None:
    # All waiting calls may be cancelled; then nobody else retrieves the exception.
    if not task.cancelled():
        task.exception()


_UNAUTHORIZED = 401
_FORBIDDEN = 403


class BearerAuth(httpx2.Auth):
    """Signs the requests of one owner to one server."""

    def __init__(self, kept: KeptTokens) -> None:
        self._kept = kept

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Send the request with the token, and once more with a renewed one."""
        if origin(str(request.url)) != origin(self._kept.resource):
            # A token is only sent to the origin it was issued for.
            yield request
            return
        tokens = await self._kept.current()
        if tokens is None and self._kept.config.oauth is not None:
            raise SignInNeededError(self._kept.config.name)
        response = yield _sign(request, tokens)
        if response.status_code == _UNAUTHORIZED and tokens is not None:
            tokens = await self._kept.replace_rejected(tokens)
            if tokens is not None:
                response = yield _sign(request, tokens)
        elif _wants_more_scope(response) and tokens is not None:
            newer = await self._kept.find_newer(tokens)
            if newer is not None:
                tokens = newer
                response = yield _sign(request, tokens)
        if response.status_code != _UNAUTHORIZED:
            self._kept.mark_accepted(tokens)
        error = _make_sign_in_error(self._kept.config.name, response, tokens)
        if error is not None:
            raise error


def _sign(request: httpx2.Request, tokens: OAuthTokens | None) -> httpx2.Request:
    if tokens is not None:
        request.headers["Authorization"] = f"Bearer {tokens.access_token}"
    return request


def _make_sign_in_error(
    server: str, response: httpx2.Response, tokens: OAuthTokens | None
) -> SignInNeededError | None:
    if response.status_code == _UNAUTHORIZED:
        return SignInNeededError(server)
    if not _wants_more_scope(response):
        return None
    # The scopes granted before are requested again, or the new sign-in would lose them.
    granted = tokens.scope if tokens is not None else ""
    return SignInNeededError(server, scopes(granted, extract_scope_from_www_auth(response)))


def _wants_more_scope(response: httpx2.Response) -> bool:
    if response.status_code != _FORBIDDEN:
        return False
    return extract_field_from_www_auth(response, "error") == "insufficient_scope"


def auth_for(
    store: TokenStore,
    *,
    client_factory: ClientFactory = plain_client,
    clock: Callable[[], float] = time.time,
    spread: Callable[[], float] = random.random,
) -> AuthFor:
    """Return a factory of `httpx2.Auth` that uses the tokens of one owner for one server."""

    def auth(owner: Owner, config: MCPServerConfig) -> httpx2.Auth | None:
        if not _needs_auth(config):
            return None
        kept = KeptTokens(
            owner=owner,
            config=config,
            resource=resource_of(config),
            store=store,
            http=BoundedHttp(config.name, client_factory),
            spread=spread(),
            clock=clock,
        )
        return BearerAuth(kept)

    return auth


def _needs_auth(config: MCPServerConfig) -> bool:
    if config.transport not in ("http", "sse"):
        return False
    if config.oauth is not None:
        return True
    # A configured header, or a password in the URL, takes the place of OAuth.
    has_header = any(name.lower() == "authorization" for name in config.headers)
    return not has_header and "@" not in urlsplit(config.url).netloc
