"""One HTTP connection to the scripted endpoint: reads a request, plays the step that answers it.

`endpoint_wire.py` (OpenAI) and `endpoint_anthropic.py` make the bodies; here are status lines,
server-sent events, delays and broken connections. Answers are chunked, so that a client notices an
incomplete one.
"""

import json
import math
import socket
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any, Protocol, cast

from dataagent_core.config.limits import ENDPOINT_BODY_BYTES_MAX, ENDPOINT_SOCKET_S
from dataagent_core.models.scripted.pieces import Piece, first_half, pieces
from dataagent_core.models.scripted.script import ScriptedFailure, Step
from dataagent_core.models.scripted.script_turn import ChosenStep, ScriptTurn
from dataagent_core.testing import endpoint_anthropic
from dataagent_core.testing import endpoint_wire as wire

if TYPE_CHECKING:
    from dataagent_core.testing.endpoint import EndpointServer


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A request as it came in; header names are as the client wrote them."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class EndpointWire(Protocol):
    """The wire format of a provider's API; two modules implement it."""

    def turn_of(self, body: Mapping[str, Any]) -> ScriptTurn: ...

    def completion(self, chosen: ChosenStep, body: Mapping[str, Any], created: int) -> Any: ...

    def piece_frames(
        self, chosen: ChosenStep, body: Mapping[str, Any], created: int, cut: Sequence[Piece]
    ) -> Iterator[str]: ...

    def closing_frames(
        self, chosen: ChosenStep, body: Mapping[str, Any], created: int, cut: Sequence[Piece]
    ) -> Iterator[str]: ...

    def failure_body(self, failure: ScriptedFailure) -> tuple[int, Any]: ...


_WIRES: Mapping[str, EndpointWire] = {
    "/v1/chat/completions": wire,
    "/v1/messages": endpoint_anthropic,
}


class EndpointHandler(BaseHTTPRequestHandler):
    """Answers GET /v1/models, POST /v1/chat/completions and POST /v1/messages."""

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
        endpoint_wire = _WIRES.get(self.path.partition("?")[0])
        if endpoint_wire is None:
            self._refuse(404, f"there is no {self.path} here", "not_found_error")
            return
        server = cast("EndpointServer", self.server)
        received = ReceivedRequest(self.path, dict(self.headers.items()), body)
        chosen, failure = server.choose(received, endpoint_wire.turn_of(body))
        if not server.wait(chosen.step.delay_s):
            return
        if failure is not None and failure.empty:
            chosen = replace(chosen, step=Step(usage=chosen.step.usage))
        broken = failure is not None and failure.disconnect
        if failure is not None and not failure.answers:
            self._fail(endpoint_wire, failure)
        elif body.get("stream"):
            self._stream(endpoint_wire, chosen, body, broken=broken)
        else:
            answer = endpoint_wire.completion(chosen, body, int(time.time()))
            self._send_json(200, answer, broken=broken)

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

    def _stream(
        self,
        endpoint_wire: EndpointWire,
        chosen: ChosenStep,
        body: Mapping[str, Any],
        *,
        broken: bool,
    ) -> None:
        created = int(time.time())
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        cut = pieces(chosen.step)
        sent = first_half(cut) if broken else cut
        if not self._send_frames(endpoint_wire.piece_frames(chosen, body, created, sent), chosen):
            return
        if broken:
            self._break_off()
            return
        for frame in endpoint_wire.closing_frames(chosen, body, created, sent):
            self._send_frame(frame)
        self.wfile.write(b"0\r\n\r\n")

    def _send_frames(self, frames: Iterable[str], chosen: ChosenStep) -> bool:
        """Send the pieces with their pauses; false if the endpoint is stopping."""
        server = cast("EndpointServer", self.server)
        for number, frame in enumerate(frames):
            if number and not server.wait(chosen.step.chunk_delay_s):
                self._break_off()
                return False
            self._send_frame(frame)
        return True

    def _send_frame(self, frame: str) -> None:
        data = frame.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def _fail(self, endpoint_wire: EndpointWire, failure: ScriptedFailure) -> None:
        headers: dict[str, str] = {}
        if failure.retry_after_s is not None:
            headers["Retry-After"] = _format_retry_after(failure.retry_after_s, failure)
        status, body = endpoint_wire.failure_body(failure)
        self._send_json(status, body, headers)

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


def _format_retry_after(seconds: float, failure: ScriptedFailure) -> str:
    if not failure.retry_after_as_date:
        return f"{seconds:g}"
    # Whole seconds, rounded up: a date must not ask for less.
    return formatdate(math.ceil(time.time() + seconds), usegmt=True)
