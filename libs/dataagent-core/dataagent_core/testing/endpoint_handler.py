"""One HTTP connection to the scripted endpoint: reads a request, plays the step that answers it.

What is said is `endpoint_wire.py`'s; here are status lines, server-sent events, delays and broken
connections. Answers are chunked, so that a client notices one that breaks off.
"""

import json
import socket
import time
from collections.abc import Iterable, Mapping
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any, cast

from dataagent_core.config.limits import ENDPOINT_BODY_BYTES_MAX, ENDPOINT_SOCKET_S
from dataagent_core.models.pieces import Piece, first_half, pieces
from dataagent_core.models.script import ScriptedFailure
from dataagent_core.models.turn import Chosen
from dataagent_core.testing import endpoint_wire as wire

if TYPE_CHECKING:
    from dataagent_core.testing.endpoint_server import EndpointServer


class EndpointHandler(BaseHTTPRequestHandler):
    """Answers GET /v1/models and POST /v1/chat/completions."""

    protocol_version = "HTTP/1.1"
    timeout = ENDPOINT_SOCKET_S
    # Each event leaves at once instead of waiting for the next one's acknowledgement.
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's name)
        """Stay quiet: what was received is in `ScriptedEndpoint.requests`."""

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._send_json(200, wire.model_list(int(time.time())))
        else:
            self._refuse(404, f"there is no {self.path} here", "not_found_error")

    def do_POST(self) -> None:
        body = self._read_body()
        if body is None:
            return
        if self.path != "/v1/chat/completions":
            self._refuse(404, f"there is no {self.path} here", "not_found_error")
            return
        server = cast("EndpointServer", self.server)
        chosen, failure = server.choose(self.path, dict(self.headers.items()), body)
        if not server.wait(chosen.step.delay_s):
            return
        if failure is not None and not failure.disconnect:
            self._fail(failure)
        elif body.get("stream"):
            self._stream(chosen, body, broken=failure is not None)
        else:
            self._send_json(
                200, wire.completion(chosen, body, int(time.time())), broken=failure is not None
            )

    def _read_body(self) -> dict[str, Any] | None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > ENDPOINT_BODY_BYTES_MAX:
            self.close_connection = True
            self._refuse(413, "the body needs a length, and not too large a one", "invalid")
            return None
        try:
            body = json.loads(self.rfile.read(int(length)))
        except ValueError:
            self._refuse(400, "the body is not JSON", "invalid_request_error")
            return None
        if not isinstance(body, dict) or not isinstance(body.get("messages", []), list):
            self._refuse(400, "the body has no list of messages", "invalid_request_error")
            return None
        return cast("dict[str, Any]", body)

    def _stream(self, chosen: Chosen, body: Mapping[str, Any], *, broken: bool) -> None:
        created = int(time.time())
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        cut = pieces(chosen.step)
        if not self._send_pieces(first_half(cut) if broken else cut, chosen, body, created):
            return
        if broken:
            self._break_off()
            return
        for closing in wire.closing_chunks(chosen, body, created):
            self._send_event(json.dumps(closing))
        self._send_event("[DONE]")
        self.wfile.write(b"0\r\n\r\n")

    def _send_pieces(
        self, cut: Iterable[Piece], chosen: Chosen, body: Mapping[str, Any], created: int
    ) -> bool:
        """Send the pieces with their pauses; false if the endpoint is stopping."""
        server = cast("EndpointServer", self.server)
        for number, piece in enumerate(cut):
            if number and not server.wait(chosen.step.chunk_delay_s):
                self._break_off()
                return False
            self._send_event(json.dumps(wire.chunk(chosen, body, created, piece)))
        return True

    def _send_event(self, data: str) -> None:
        event = f"data: {data}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))

    def _fail(self, failure: ScriptedFailure) -> None:
        headers: dict[str, str] = {}
        if failure.retry_after_s is not None:
            headers["Retry-After"] = f"{failure.retry_after_s:g}"
        self._send_json(failure.status, wire.failure_body(failure), headers)

    def _refuse(self, status: int, message: str, kind: str) -> None:
        self._send_json(status, wire.error_body(message, kind))

    def _send_json(
        self,
        status: int,
        value: Mapping[str, Any],
        headers: Mapping[str, str] | None = None,
        *,
        broken: bool = False,
    ) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if broken else data)
        if broken:
            self._break_off()

    def _break_off(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
