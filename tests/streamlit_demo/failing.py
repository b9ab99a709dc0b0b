"""A server with prepared replies: good, bad, or none."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

SERVER = {"name": "one", "status": "connected"}
_COMPLETE = {"type": "complete", "data": {}, "conversation_id": "s"}


@dataclass(frozen=True)
class Reply:
    """The reply of a path; `hangs_up` ends the connection in the middle of it."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict[str, str])
    hangs_up: bool = False

    @property
    def fails(self) -> bool:
        """Whether every client must take it for a failure."""
        return self.hangs_up or not 200 <= self.status < 300


def reply(value: Any, status: int = 200) -> Reply:
    return Reply(status, json.dumps(value).encode())


def stream(*events: dict[str, Any]) -> Reply:
    frames = [f"id: {n}\ndata: {json.dumps(one)}\n\n" for n, one in enumerate(events, 1)]
    return Reply(200, "".join(frames).encode())


GOOD = {
    "me": reply({"user_id": "local"}),
    "list": reply([SERVER]),
    "add": reply(SERVER, 201),
    "delete": reply({"server_name": "one"}),
    "requests": reply({"requests": []}),
    "chat": stream(
        {
            "type": "text_delta",
            "data": {"content": "Hello.", "is_final": True},
            "conversation_id": "s",
        },
        _COMPLETE,
    ),
}


class Playing(ThreadingHTTPServer):
    """Plays replies by path."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies = dict(GOOD)
        self.keys: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def play(self, **replies: Reply) -> None:
        """Use good replies, except for these."""
        self.replies = GOOD | replies

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing: clients that disconnect are expected."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _playing(self) -> Playing:
        return cast("Playing", self.server)

    def do_GET(self) -> None:
        kinds = {"/auth/me": "me", "/mcp-servers": "list", "/requests": "requests"}
        self._play(next((kind for end, kind in kinds.items() if self.path.endswith(end)), "list"))

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.endswith("/agent/chat"):
            self._playing.keys.append(self.headers["Idempotency-Key"])
        self._play("chat" if self.path.endswith("/agent/chat") else "add")

    def do_DELETE(self) -> None:
        self._play("delete")

    def _play(self, kind: str) -> None:
        told = self._playing.replies[kind]
        self.close_connection = True
        self.send_response(told.status)
        for name, value in told.headers.items():
            self.send_header(name, value)
        missing = 7 if told.hangs_up else 0
        self.send_header("Content-Length", str(len(told.body) + missing))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(told.body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's name)
        """Print nothing."""


@contextmanager
def playing() -> Generator[Playing]:
    with Playing() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
