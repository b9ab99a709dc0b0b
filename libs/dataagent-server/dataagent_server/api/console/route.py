"""What answers when no route did: the console's files, and its page for every address it may have.

Which page an address means is decided in the browser, so a link into the console is answered with
`index.html`. Programs that ask for what is not there still get the API's answer.
"""

from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from dataagent_server.api.address import base_path
from dataagent_server.api.console.files import ConsoleFiles
from dataagent_server.api.console.page import filled_page, new_nonce, page_headers

STATIC: Final = Path(__file__).parent / "static"
# Never pages of the console, whatever a browser says it would like to see there.
_OTHERS: Final = frozenset({"api", "ws", "mcp", "metrics", "assets", ".well-known"})


def is_built(folder: Path) -> bool:
    """Say whether there is a console to serve."""
    return (folder / "index.html").is_file()


def add_console(app: FastAPI, folder: Path) -> None:
    """Serve the console of a folder where nothing else answers."""
    app.router.default = _Console(folder, app.router.default)


class _Console:
    def __init__(self, folder: Path, nothing: ASGIApp) -> None:
        self._files = ConsoleFiles(folder)
        self._nothing = nothing
        # By which the access log and the metrics name it.
        self._route = Route("/{console}", self, name="console")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._answer(scope)
        if answer is None:
            await self._nothing(scope, receive, send)
            return
        scope["route"] = self._route
        await answer(scope, receive, send)

    async def _answer(self, scope: Scope) -> Response | None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        request = Request(scope)
        name = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/")
        if name != "index.html":
            file = await self._files.answer(name, request.headers)
            if file is not None:
                return file
        wanted = name == "" or "text/html" in request.headers.get("accept", "").lower()
        if not wanted or name.partition("/")[0] in _OTHERS:
            return None
        nonce = new_nonce()
        html = filled_page(await self._files.page(), base_path(request), nonce)
        return HTMLResponse(html, headers=page_headers(nonce) | {"vary": "Accept"})
