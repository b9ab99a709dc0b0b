"""An authorization server and the MCP server it protects, on one loopback port.

The resource is the SDK's own (`MCPServer` behind its bearer check); the authorization server is
small, counts every request, checks what a careful one checks, and misbehaves as a test says.
"""

import asyncio
import base64
import hashlib
import json
import secrets
import socket
import time
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import httpx2
import uvicorn
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from mcp_auth_behaviour import Behaviour, Grant
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import Message, Receive, Scope, Send

from dataagent_core.mcp.config import MCPServerConfig, OAuthSettings
from dataagent_core.mcp.oauth.callback_server import CallbackAnswer

DOCUMENT_URL = "https://dataagent.example/api/v1/mcp/oauth/client.json"
REDIRECT_URI = "http://127.0.0.1:19999/mcp/oauth/callback"


@dataclass
class AuthServer:
    """Both servers, and what a test looks at."""

    port: int
    does: Behaviour = field(default_factory=Behaviour)
    counts: Counter[str] = field(default_factory=Counter[str])
    clients: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    codes: dict[str, Grant] = field(default_factory=dict[str, Grant])
    access: dict[str, Grant] = field(default_factory=dict[str, Grant])
    refresh: dict[str, Grant] = field(default_factory=dict[str, Grant])
    # (path, token) of every request to the resource.
    bearers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    forms: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    resources: dict[str, MCPServer] = field(default_factory=dict[str, MCPServer])
    registrations: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def url(self, path: str = "/mcp") -> str:
        return f"{self.issuer}{path}"

    def config(
        self, name: str = "notes", path: str = "/mcp", oauth: OAuthSettings | None = None
    ) -> MCPServerConfig:
        return MCPServerConfig(name=name, transport="http", url=self.url(path), oauth=oauth)

    @property
    def renewals(self) -> int:
        return self.counts["token refresh_token"]

    # What a person and a browser do.

    async def consent(self, authorization_url: str, user: str = "ada") -> CallbackAnswer:
        """Visit the page, say yes, and give what the browser would bring back."""
        return CallbackAnswer.from_query(
            urlsplit(await self.visited(authorization_url, user)).query
        )

    async def visited(self, authorization_url: str, user: str = "ada") -> str:
        async with httpx2.AsyncClient() as browser:
            page = await browser.get(authorization_url, headers={"X-User": user})
        assert page.status_code == 302, page.text
        return page.headers["location"]

    # What an administrator does.

    def revoke_access(self) -> None:
        self.access.clear()

    def revoke_all(self) -> None:
        self.access.clear()
        self.refresh.clear()

    # The authorization server.

    async def answered(self, request: Request) -> Response | None:
        path = request.url.path
        self.counts[path] += 1
        for key in (path, f"{request.method} {path}"):
            if key in self.does.instead:
                return self.does.instead[key]()
        if path.startswith("/.well-known/oauth-protected-resource"):
            return self._resource_metadata(path)
        if path == "/.well-known/oauth-authorization-server":
            return self._server_metadata()
        handler = {
            "/register": self._register,
            "/authorize": self._authorize,
            "/token": self._token,
            "/revoke": self._revoke,
        }.get(path)
        if handler is not None:
            return await handler(request)
        if path in self.resources:
            return None
        return PlainTextResponse("nothing here", 404)

    def _resource_metadata(self, path: str) -> Response:
        resource = path.removeprefix("/.well-known/oauth-protected-resource")
        if not self.does.publishes_resource or resource not in self.resources:
            return PlainTextResponse("nothing here", 404)
        facts: dict[str, Any] = {
            "resource": self.url(resource),
            "authorization_servers": [self.issuer],
            "scopes_supported": self.does.scopes,
        }
        return JSONResponse({**facts, **self.does.resource_says})

    def _server_metadata(self) -> Response:
        if not self.does.publishes_server:
            return PlainTextResponse("nothing here", 404)
        facts: dict[str, Any] = {
            "issuer": self.issuer,
            "authorization_endpoint": self.url("/authorize"),
            "token_endpoint": self.url("/token"),
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": self.does.auth_methods,
            "client_id_metadata_document_supported": self.does.reads_documents,
            "authorization_response_iss_parameter_supported": self.does.promises_iss,
            "registration_endpoint": self.url("/register") if self.does.registers else None,
            "revocation_endpoint": self.url("/revoke") if self.does.revokes else None,
            "scopes_supported": self.does.server_scopes,
        }
        facts = {name: value for name, value in facts.items() if value is not None}
        return JSONResponse({**facts, **self.does.server_says})

    async def _register(self, request: Request) -> Response:
        if not self.does.registers:
            return JSONResponse({"error": "access_denied"}, 403)
        asked = await request.json()
        self.registrations.append(asked)
        client = {**asked, "client_id": f"client-{len(self.registrations)}"}
        if asked.get("token_endpoint_auth_method") != "none":
            client["client_secret"] = secrets.token_hex(8)
        client |= self.does.registration_says
        self.clients[client["client_id"]] = client
        return JSONResponse(client, 201)

    async def _authorize(self, request: Request) -> Response:
        asked = request.query_params
        client_id, redirect_uri = asked["client_id"], asked["redirect_uri"]
        known = self.clients.get(client_id)
        if known is None and not (self.does.reads_documents and client_id == DOCUMENT_URL):
            return PlainTextResponse("unknown client", 400)
        if known is not None and redirect_uri not in known["redirect_uris"]:
            return PlainTextResponse("unknown redirect", 400)
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.codes[code] = Grant(
            user=request.headers.get("x-user", "ada"),
            client_id=client_id,
            scope=asked.get("scope", ""),
            resource=asked["resource"],
            redirect_uri=redirect_uri,
            challenge=asked["code_challenge"],
            family=secrets.token_hex(4),
        )
        back = {"code": code, "state": asked["state"]}
        if self.does.sends_iss:
            back["iss"] = self.does.wrong_iss or self.issuer
        return RedirectResponse(f"{redirect_uri}?{urlencode(back)}", 302)

    async def _token(self, request: Request) -> Response:
        form = _form(await request.body())
        self.forms.append(form)
        self.counts[f"token {form['grant_type']}"] += 1
        if form["grant_type"] == "refresh_token" and self.does.before_renewal is not None:
            await self.does.before_renewal()
        client_id = self._proven(request, form)
        if client_id is None:
            return JSONResponse({"error": "invalid_client"}, 401)
        grant = self._code(form) if form["grant_type"] == "authorization_code" else self._old(form)
        if grant is None or grant.client_id != client_id or form["resource"] != grant.resource:
            return JSONResponse({"error": "invalid_grant", "error_description": "no such"}, 400)
        return JSONResponse(self._issued(grant, form))

    def _code(self, form: dict[str, str]) -> Grant | None:
        grant = self.codes.pop(form["code"], None)
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if grant is None or grant.challenge != challenge:
            return None
        return grant if grant.redirect_uri == form["redirect_uri"] else None

    def _old(self, form: dict[str, str]) -> Grant | None:
        token = form["refresh_token"]
        grant = self.refresh.get(token)
        if grant is None and self.does.rotates:
            # Used twice: taken for stolen, and the whole family ends.
            family = token.partition(".")[0]
            self.refresh = {k: g for k, g in self.refresh.items() if g.family != family}
            self.access = {k: g for k, g in self.access.items() if g.family != family}
        return grant

    def _proven(self, request: Request, form: dict[str, str]) -> str | None:
        header = request.headers.get("authorization", "")
        if header.startswith("Basic "):
            client_id, _, secret = base64.b64decode(header[6:]).decode().partition(":")
            client_id, secret, method = unquote(client_id), unquote(secret), "client_secret_basic"
        else:
            client_id, secret = form.get("client_id", ""), form.get("client_secret", "")
            method = "client_secret_post" if secret else "none"
        if client_id == DOCUMENT_URL and self.does.reads_documents:
            return client_id
        known = self.clients.get(client_id)
        if known is None or known.get("client_secret", "") != secret:
            return None
        wanted = known.get("token_endpoint_auth_method") or method
        return client_id if wanted == method else None

    def _issued(self, grant: Grant, form: dict[str, str]) -> dict[str, Any]:
        now, lifetime_s = time.time(), self.does.lifetime_s
        access = secrets.token_urlsafe(16)
        ends = None if lifetime_s is None else now + lifetime_s
        self.access[access] = replace(grant, expires_at=ends)
        issued: dict[str, Any] = {
            "access_token": access,
            "token_type": "bearer",
            "scope": grant.scope,
        }
        if lifetime_s is not None:
            issued["expires_in"] = lifetime_s
        if self.does.gives_refresh_tokens and ("code" in form or self.does.rotates):
            self.refresh.pop(form.get("refresh_token", ""), None)
            token = f"{grant.family}.{secrets.token_urlsafe(16)}"
            self.refresh[token] = grant
            issued["refresh_token"] = token
        return issued

    async def _revoke(self, request: Request) -> Response:
        form = _form(await request.body())
        self.access.pop(form["token"], None)
        self.refresh.pop(form["token"], None)
        return Response()

    # The resource.

    async def verify_token(self, token: str) -> AccessToken | None:
        grant = self.access.get(token)
        if grant is None or (grant.expires_at is not None and grant.expires_at <= time.time()):
            return None
        return AccessToken(
            token=token,
            client_id=grant.client_id,
            scopes=grant.scope.split(),
            resource=grant.resource,
            subject=grant.user,
        )

    def refused(self, path: str, token: str, body: bytes) -> Response | None:
        """Give what the SDK's own check does not: a scope for one tool, a fuller 401."""
        grant = self.access.get(token)
        metadata = self.url(f"/.well-known/oauth-protected-resource{path}")
        named = f', resource_metadata="{metadata}"' if self.does.names_metadata else ""
        if grant is None:
            challenge = f'Bearer error="invalid_token"{named}'
            return PlainTextResponse("no", 401, {"WWW-Authenticate": challenge})
        call: Any = json.loads(body) if body else {}
        tool = call.get("params", {}).get("name") if call.get("method") == "tools/call" else None
        wanted = self.does.tool_scopes.get(tool or "")
        if wanted is not None and wanted not in grant.scope.split():
            challenge = f'Bearer error="insufficient_scope", scope="{wanted}"{named}'
            return PlainTextResponse("no", 403, {"WWW-Authenticate": challenge})
        return None


def _form(body: bytes) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(body.decode()).items()}


def _resource(server: AuthServer, path: str) -> MCPServer:
    resource = MCPServer(
        "notes",
        token_verifier=server,
        auth=AuthSettings(
            issuer_url=AnyHttpUrl(server.issuer),
            resource_server_url=AnyHttpUrl(server.url(path)),
            validate_token_resource=True,
        ),
    )

    def whoami() -> str:
        token = get_access_token()
        assert token is not None
        return token.subject or ""

    def write(text: str) -> str:
        return f"wrote {text}"

    resource.add_tool(whoami)
    resource.add_tool(write)
    return resource


@asynccontextmanager
async def auth_server(*paths: str) -> AsyncGenerator[AuthServer]:
    """Start one, with an MCP server at each path (`/mcp` unless told)."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = AuthServer(listener.getsockname()[1])
        server.resources = {path: _resource(server, path) for path in paths or ("/mcp",)}
        apps = {
            path: resource.streamable_http_app(streamable_http_path=path)
            for path, resource in server.resources.items()
        }

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                await _served(server, apps, scope, receive, send)

        config = uvicorn.Config(
            app, lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=1
        )
        web = uvicorn.Server(config)
        ready, done = asyncio.Event(), asyncio.Event()
        serving = asyncio.create_task(web.serve(sockets=[listener]))
        running = asyncio.create_task(_running(list(server.resources.values()), ready, done))
        try:
            await ready.wait()
            while not web.started and not serving.done():  # noqa: ASYNC110 (uvicorn's flag)
                await asyncio.sleep(0.01)
            yield server
        finally:
            web.should_exit = True
            await serving
            done.set()
            await running


async def _running(resources: list[MCPServer], ready: asyncio.Event, done: asyncio.Event) -> None:
    """Run the session managers in one task: their cancel scopes open and close in it."""
    if not resources:
        ready.set()
        await done.wait()
        return
    async with resources[0].session_manager.run():
        await _running(resources[1:], ready, done)


async def _served(
    server: AuthServer, apps: dict[str, Any], scope: Scope, receive: Receive, send: Send
) -> None:
    request = Request(scope, receive)
    path = scope["path"]
    response = await server.answered(request)
    if response is not None:
        await response(scope, receive, send)
        return
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    server.bearers.append((path, token))
    body = await request.body() if scope["method"] == "POST" else b""
    refusal = server.refused(path, token, body)
    if refusal is not None:
        await refusal(scope, receive, send)
        return
    sent = False

    async def replayed() -> Message:
        nonlocal sent
        if sent or scope["method"] != "POST":
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    await apps[path](scope, replayed, send)
