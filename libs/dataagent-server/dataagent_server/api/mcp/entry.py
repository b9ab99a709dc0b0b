"""Says who asks before MCP hears of it: a key as the REST API knows it, or a token of the issuer.

A cookie does not count: what a browser sends by itself must not call tools.
"""

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Final

from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_core.errors import DeniedError
from dataagent_core.mcp.server.ports import MCPCaller
from dataagent_core.mcp.server.tool_table import SCOPES
from dataagent_server.api.deps import tell_middleware
from dataagent_server.api.mcp.discovery import KeySource
from dataagent_server.api.mcp.oauth import PATH, TokenReader, looks_like_a_token
from dataagent_server.api.mcp.rights import scopes_of
from dataagent_server.api.mcp.services import CALLER
from dataagent_server.api.mcp.sessions import MCPSessions
from dataagent_server.api.middleware.caller import presented_by
from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal

_SESSION: Final = "mcp-session-id"
_VERSION: Final = "mcp-protocol-version"
_NOT_FOUND_STATUS: Final = 404
_ERROR_STATUS: Final = 400
METADATA_PATH: Final = f"/.well-known/oauth-protected-resource{PATH}"


class MCPEntry:
    """Stands before the MCP application; whoever is nobody gets no further."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        # Binds what a client carries between rounds, and its session, to who it is.
        self._app = AuthContextMiddleware(app)
        self._services = services
        self._keys = KeySource(services.settings)
        self._tokens: TokenReader | None = None
        self._sessions = MCPSessions()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # White space around a value is no part of it; not every parser takes it off.
        headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        scope = {**scope, "headers": headers}
        connection = HTTPConnection(scope)
        caller = await self._caller(connection)
        who: Principal = caller.who
        tell_middleware(connection, who)
        scope["state"][CALLER] = caller
        scope["user"] = AuthenticatedUser(_token(who))
        # Tools have time-outs of their own.
        scope["state"]["deadline"].reschedule(None)
        connections = self._services.connections
        place = connections.connect(who.tenant_id, who.user_id, PATH, "sse")
        try:
            await self._until_stopping(scope, receive, self._watched(scope, who, send))
        finally:
            connections.disconnect(place)

    def _watched(self, scope: Scope, who: Principal, send: Send) -> Send:
        """Keep count of handshake sessions; a request that names none may open one."""
        headers = Headers(scope=scope)
        named = headers.get(_SESSION)
        if named is None and headers.get(_VERSION) not in MODERN_PROTOCOL_VERSIONS:
            self._sessions.check_room(who)

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = Headers(raw=message.get("headers", [])).get(_SESSION)
                gone = scope["method"] == "DELETE" or message["status"] == _NOT_FOUND_STATUS
                if (named or told) and gone:
                    self._sessions.ended(who, named or told or "")
                elif told is not None and message["status"] < _ERROR_STATUS:
                    self._sessions.used(who, told)
            await send(message)

        return watched

    async def _until_stopping(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve; a stream that only waits for news ends when the server stops."""
        if not _only_waits(scope):
            await self._app(scope, receive, send)
            return
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        serving = asyncio.ensure_future(self._app(scope, receive, noted))
        stopping = asyncio.ensure_future(self._services.stopping.wait())
        try:
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            cut = not serving.done() and serving.cancel()
            with suppress(asyncio.CancelledError):
                await serving
        if cut and begun:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _caller(self, connection: HTTPConnection) -> MCPCaller:
        try:
            token = _bearer(connection)
            if self._services.settings.mcp_oauth_issuer and looks_like_a_token(token):
                return await self._by_token(token)
            presented = presented_by(connection, self._services.settings.public_url)
            who = await self._services.authenticator.request(replace(presented, cookie=None))
        except UnauthenticatedError as error:
            error.headers = self._challenge("invalid_token")  # pyright: ignore[reportAttributeAccessIssue] (`middleware/errors/error_body.py` sends them)
            raise
        return MCPCaller(who.actor, scopes_of(who), who)

    async def _by_token(self, token: str) -> MCPCaller:
        if self._tokens is None:
            services = self._services
            url = await self._keys.url()
            self._tokens = TokenReader(services.settings, services.database, url)
        holder = await self._tokens.holder(token)
        if not holder.scopes:
            refused = DeniedError(f"The token has none of the scopes {' '.join(SCOPES)}.")
            refused.headers = self._challenge("insufficient_scope")  # pyright: ignore[reportAttributeAccessIssue] (`middleware/errors/error_body.py` sends them)
            raise refused
        who = holder.principal
        return MCPCaller(who.actor, scopes_of(who) & holder.scopes, who)

    def _challenge(self, error: str) -> dict[str, str]:
        settings = self._services.settings
        parts = [f'error="{error}"']
        if settings.mcp_oauth_issuer and settings.public_url:
            where = settings.public_url.rstrip("/") + METADATA_PATH
            parts += [f'scope="{" ".join(SCOPES)}"', f'resource_metadata="{where}"']
        return {"www-authenticate": f"Bearer {', '.join(parts)}"}


def _only_waits(scope: Scope) -> bool:
    listening = Headers(scope=scope).get("mcp-method") == "subscriptions/listen"
    return scope["method"] == "GET" or listening


def _bearer(connection: HTTPConnection) -> str:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _token(who: Principal) -> AccessToken:
    # Only names: neither the library nor a log of its gets to see a credential.
    return AccessToken(
        token="",
        client_id=who.key_id or "",
        scopes=[],
        subject=f"{who.tenant_id}/{who.user_id}",
        claims={"iss": who.tenant_id},
    )
