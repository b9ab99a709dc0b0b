"""Serves the console's files, and its page for every address that no other route answers.

The browser decides which view an address means, so every link into the console is answered with
`index.html`. A program that asks for a missing address still gets the API's answer.

`<base href>` holds the path below which the console is served, so that its relative addresses work
at any depth. The nonce admits the styles that Ant Design writes at run time, and no others.
"""

import re
import secrets
from html import escape
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from dataagent_server.api.console.files import ConsoleFiles
from dataagent_server.api.public_address import base_path

_BASE: Final = re.compile(r"<base href=[^>]*>")
_NONCE: Final = re.compile(r"<meta name=\"csp-nonce\"[^>]*>")
# 'self' covers the WebSocket too. Reports and files are framed from blobs or from ourselves.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self' blob:; "
    "worker-src 'self' blob:; manifest-src 'self'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'none'"
)
STATIC: Final = Path(__file__).parent / "static"
# Addresses below these are never pages of the console, whatever a browser accepts.
_OTHERS: Final = frozenset({"api", "ws", "mcp", "metrics", "assets", ".well-known"})


def is_built(folder: Path) -> bool:
    """Return whether the folder holds a built console."""
    return (folder / "index.html").is_file()


def add_console(app: FastAPI, folder: Path) -> None:
    """Serve the console of a folder where no route answers."""
    app.router.default = _Console(folder, app.router.default)


class _Console:
    def __init__(self, folder: Path, fallback: ASGIApp) -> None:
        self._files = ConsoleFiles(folder)
        self._fallback = fallback
        # The access log and the metrics use this name.
        self._route = Route("/{console}", self, name="console")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._find_answer(scope)
        if answer is None:
            await self._fallback(scope, receive, send)
            return
        scope["route"] = self._route
        await answer(scope, receive, send)

    async def _find_answer(self, scope: Scope) -> Response | None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        request = Request(scope)
        name = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/")
        if name != "index.html":
            file = await self._files.answer(name, request.headers)
            if file is not None:
                return file
        wants_page = name == "" or "text/html" in request.headers.get("accept", "").lower()
        if not wants_page or name.partition("/")[0] in _OTHERS:
            return None
        nonce = secrets.token_urlsafe(18)
        html = _fill_page(await self._files.page(), base_path(request), nonce)
        return HTMLResponse(html, headers=_page_headers(nonce) | {"vary": "Accept"})


def _fill_page(html: str, base_path: str, nonce: str) -> str:
    """Write base path and nonce into the page."""
    base = f'<base href="{escape(base_path)}" />'
    meta = f'<meta name="csp-nonce" content="{nonce}" />'
    # Functions, so that a backslash in the replacement has no meaning.
    return _NONCE.sub(lambda _: meta, _BASE.sub(lambda _: base, html, count=1), count=1)


def _page_headers(nonce: str) -> dict[str, str]:
    """Return the policy of the page.

    No validator is sent: a 304 would combine this answer's policy with a page of another nonce.
    """
    return {
        "content-security-policy": _POLICY.format(nonce=nonce),
        "cache-control": "no-cache",
    }
