"""`BearerAuth` signs the requests to one server with the token of one owner.

A run never opens a browser: without tokens, or when the server wants another scope, it raises
`SignInNeededError`, which the transport turns into the failure of that call.
"""

import random
import time
from collections.abc import AsyncGenerator, Callable
from urllib.parse import urlsplit

import httpx2
from mcp.client.auth.utils import extract_field_from_www_auth, extract_scope_from_www_auth

from dataagent_core.errors import SignInNeededError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth.addresses import origin
from dataagent_core.mcp.oauth.bounded_http import BoundedHttp, ClientFactory, plain_client
from dataagent_core.mcp.oauth.ports import TokenStore
from dataagent_core.mcp.oauth.renewal import KeptTokens
from dataagent_core.mcp.oauth.resource import resource_of
from dataagent_core.mcp.oauth.server_words import scopes
from dataagent_core.mcp.oauth.tokens import OAuthTokens
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import AuthFor

_UNAUTHORIZED = 401
_FORBIDDEN = 403


class BearerAuth(httpx2.Auth):
    """For the requests of one (owner, server)."""

    def __init__(self, kept: KeptTokens) -> None:
        self._kept = kept

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Send the request with the token; once more when it can be had anew."""
        if origin(str(request.url)) != origin(self._kept.resource):
            # A token never leaves the place it was given for.
            yield request
            return
        tokens = await self._kept.current()
        if tokens is None and self._kept.config.oauth is not None:
            raise SignInNeededError(self._kept.config.name)
        response = yield _signed(request, tokens)
        if response.status_code == _UNAUTHORIZED and tokens is not None:
            tokens = await self._kept.instead_of(tokens)
            if tokens is not None:
                response = yield _signed(request, tokens)
        elif _wants_more(response) and tokens is not None:
            newer = await self._kept.signed_in_since(tokens)
            if newer is not None:
                tokens = newer
                response = yield _signed(request, tokens)
        if response.status_code != _UNAUTHORIZED:
            self._kept.worked(tokens)
        error = _sign_in_wanted(self._kept.config.name, response, tokens)
        if error is not None:
            raise error


def _signed(request: httpx2.Request, tokens: OAuthTokens | None) -> httpx2.Request:
    if tokens is not None:
        request.headers["Authorization"] = f"Bearer {tokens.access_token}"
    return request


def _sign_in_wanted(
    server: str, response: httpx2.Response, tokens: OAuthTokens | None
) -> SignInNeededError | None:
    if response.status_code == _UNAUTHORIZED:
        return SignInNeededError(server)
    if not _wants_more(response):
        return None
    # Those granted before are asked for again, or the new sign-in would lose them.
    granted = tokens.scope if tokens is not None else ""
    return SignInNeededError(server, scopes(granted, extract_scope_from_www_auth(response)))


def _wants_more(response: httpx2.Response) -> bool:
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
    """Give the maker of `httpx2.Auth`s: one per owner and server, with that owner's tokens."""

    def auth(owner: Owner, config: MCPServerConfig) -> httpx2.Auth | None:
        if not _needs_us(config):
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


def _needs_us(config: MCPServerConfig) -> bool:
    if config.transport not in ("http", "sse"):
        return False
    if config.oauth is not None:
        return True
    # Whoever wrote a header or a password into the URL has settled it.
    written = any(name.lower() == "authorization" for name in config.headers)
    return not written and "@" not in urlsplit(config.url).netloc
