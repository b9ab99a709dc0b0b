"""Authenticates a request before the MCP application reads it: an API key or an OAuth token.

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
from dataagent_server.api.mcp.endpoint_services import CALLER
from dataagent_server.api.mcp.mcp_sessions import MCPSessions
from dataagent_server.api.mcp.role_scopes import scopes_of
from dataagent_server.api.mcp.token_reader import PATH, TokenReader, is_jwt
from dataagent_server.api.middleware.caller import read_credentials
from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal

_SESSION: Final = "mcp-session-id"
_VERSION: Final = "mcp-protocol-version"
_NOT_FOUND_STATUS: Final = 404
_ERROR_STATUS: Final = 400
METADATA_PATH: Final = f"/.well-known/oauth-protected-resource{PATH}"


class MCPEntry:
    """Stands in front of the MCP application and refuses unauthenticated requests."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        # Binds a client's session and state to its principal.
        self._app = AuthContextMiddleware(app)
        self._services = services
        self._keys = KeySource(services.settings)
        self._tokens: TokenReader | None = None
        self._sessions = MCPSessions()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # White space around a value is not part of it; not every parser strips it.
        headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        scope = {**scope, "headers": headers}
        connection = HTTPConnection(scope)
        caller = await self._authenticate(connection)
        who: Principal = caller.who
        tell_middleware(connection, who)
        scope["state"][CALLER] = caller
        scope["user"] = AuthenticatedUser(_make_token(who))
        # Tools have time-outs of their own.
        scope["state"]["deadline"].reschedule(None)
        connections = self._services.connections
        connection_slot = connections.connect(who.tenant_id, who.user_id, PATH, "sse")
        try:
            await self._serve(scope, receive, self._count_sessions(scope, who, send))
        finally:
            connections.disconnect(connection_slot)

    def _count_sessions(self, scope: Scope, who: Principal, send: Send) -> Send:
        """Count handshake sessions; a request without a session id may open one."""
        headers = Headers(scope=scope)
        named = headers.get(_SESSION)
        if named is None and headers.get(_VERSION) not in MODERN_PROTOCOL_VERSIONS:
            self._sessions.check_limit(who)

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                opened_session = Headers(raw=message.get("headers", [])).get(_SESSION)
                gone = scope["method"] == "DELETE" or message["status"] == _NOT_FOUND_STATUS
                if (named or opened_session) and gone:
                    self._sessions.forget(who, named or opened_session or "")
                elif opened_session is not None and message["status"] < _ERROR_STATUS:
                    self._sessions.note_use(who, opened_session)
            await send(message)

        return watched

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request; a stream that only waits ends when the server stops."""
        if not _is_listening(scope):
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

    async def _authenticate(self, connection: HTTPConnection) -> MCPCaller:
        try:
            token = _read_bearer(connection)
            if self._services.settings.mcp_oauth_issuer and is_jwt(token):
                return await self._authenticate_token(token)
            presented = read_credentials(connection, self._services.settings.public_url)
            who = await self._services.authenticator.request(replace(presented, cookie=None))
        except UnauthenticatedError as error:
            error.headers = self._make_challenge("invalid_token")  # pyright: ignore[reportAttributeAccessIssue] (`middleware/errors/error_body.py` sends them)
            raise
        return MCPCaller(who.actor, scopes_of(who), who)

    async def _authenticate_token(self, token: str) -> MCPCaller:
        if self._tokens is None:
            services = self._services
            url = await self._keys.url()
            self._tokens = TokenReader(services.settings, services.database, url)
        holder = await self._tokens.holder(token)
        if not holder.scopes:
            refused = DeniedError(f"The token has none of the scopes {' '.join(SCOPES)}.")
            refused.headers = self._make_challenge("insufficient_scope")  # pyright: ignore[reportAttributeAccessIssue] (`middleware/errors/error_body.py` sends them)
            raise refused
        who = holder.principal
        return MCPCaller(who.actor, scopes_of(who) & holder.scopes, who)

    def _make_challenge(self, error: str) -> dict[str, str]:
        settings = self._services.settings
        parts = [f'error="{error}"']
        if settings.mcp_oauth_issuer and settings.public_url:
            where = settings.public_url.rstrip("/") + METADATA_PATH
            parts += [f'scope="{" ".join(SCOPES)}"', f'resource_metadata="{where}"']
        return {"www-authenticate": f"Bearer {', '.join(parts)}"}


def _is_listening(scope: Scope) -> bool:
    listening = Headers(scope=scope).get("mcp-method") == "subscriptions/listen"
    return scope["method"] == "GET" or listening


def _read_bearer(connection: HTTPConnection) -> str:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _make_token(who: Principal) -> AccessToken:
    # Only names: neither the library nor its log may see a credential.
    return AccessToken(
        token="",
        client_id=who.key_id or "",
        scopes=[],
        subject=f"{who.tenant_id}/{who.user_id}",
        claims={"iss": who.tenant_id},
    )
