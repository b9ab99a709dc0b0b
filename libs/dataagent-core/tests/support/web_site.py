"""A web server on loopback that answers as a test says, also badly."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_policy import WebPolicy

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Seen:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.site.seen.append(
            Seen(self.command, self.path, headers, self.rfile.read(length))
        )
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.server.site.routes[self.path.partition("?")[0]](self)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = answer  # noqa: N815

    def reply(
        self,
        body: bytes = b"",
        content_type: str | None = "text/plain",
        status: int = 200,
        **more: str,
    ) -> None:
        self.send_response(status)
        if content_type is not None:
            self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def stream(self, content_type: str, **more: str) -> None:
        """Begin an answer whose length nobody states."""
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@dataclass
class Site:
    port: int
    routes: dict[str, Callable[[Handler], None]] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)

    def url(self, path: str = "/", host: str = HOST) -> str:
        return f"http://{host}:{self.port}{path}"

    def page(
        self, path: str, body: bytes, content_type: str | None = "text/html", **more: Any
    ) -> str:
        self.routes[path] = lambda handler: handler.reply(body, content_type, **more)
        return self.url(path)

    def redirect(self, path: str, to: str, status: int = 302) -> str:
        return self.page(path, b"", status=status, Location=to)

    def client(self, *hosts: str) -> WebClient:
        """Make a client for which the operator vouches for these hosts at this port."""
        return WebClient(WebPolicy(frozenset((host, self.port) for host in hosts or (HOST,))))
