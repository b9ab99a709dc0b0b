"""A script behind a real HTTP endpoint that speaks OpenAI's chat completions and Anthropic's API.

In a test: `with ScriptedEndpoint(script) as endpoint: ... endpoint.base_url ...`. On its own:
`python -m dataagent_core.testing.endpoint --port 8099 --script steps.json`. The script's JSON is
described in docs/testing-kit.md. It listens on 127.0.0.1 only and checks no key. Stopping is prompt
and complete: pauses are cut short, connections shut, threads joined.
"""

import argparse
import contextlib
import itertools
import signal
import socket
import sys
import threading
import uuid
from collections import deque
from dataclasses import replace
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

from dataagent_core.config.limits import ENDPOINT_STOP_S, SCRIPT_REQUESTS_KEPT_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.models.scripted.script import Script, ScriptedFailure, Step
from dataagent_core.models.scripted.script_turn import ChosenStep, ScriptTurn, choose
from dataagent_core.models.scripted.scripted_failures import ScriptedAttempts
from dataagent_core.testing.endpoint_handler import EndpointHandler, ReceivedRequest

_WITHOUT_SCRIPT = Script.of(
    Step(text="This is the scripted endpoint; give it steps with --script FILE.")
)


class EndpointServer(ThreadingHTTPServer):
    """Plays one script to any number of clients on this machine."""

    daemon_threads = False
    allow_reuse_address = True

    def __init__(self, script: Script, port: int) -> None:
        super().__init__(("127.0.0.1", port), EndpointHandler)
        self.received: deque[ReceivedRequest] = deque(maxlen=SCRIPT_REQUESTS_KEPT_MAX)
        self._script = script
        self._attempts = ScriptedAttempts()
        self._serials = itertools.count()
        self._nonce = uuid.uuid4().hex[:6]
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._connections: set[socket.socket] = set()

    def choose(
        self, received: ReceivedRequest, turn: ScriptTurn
    ) -> tuple[ChosenStep, ScriptedFailure | None]:
        """Note a request and return the step that answers it, and how this try fails."""
        self.received.append(received)
        chosen = choose(self._script, turn)
        failure = self._attempts.next_failure(chosen)
        # Messages have no ids on this wire, so equal conversations could not be told apart by
        # name; like a real provider, every answer gets ids of its own.
        serial = f"{self._nonce}{next(self._serials)}"
        return replace(chosen, name=f"{chosen.name}_{serial}"), failure

    def wait(self, seconds: float) -> bool:
        """Pause an answer; false if the endpoint is being stopped."""
        return not self._stopping.wait(seconds) if seconds else not self._stopping.is_set()

    def stop(self) -> None:
        """Take no more requests and end those under way."""
        self._stopping.set()
        self.shutdown()
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away: cancelled runs do that on purpose."""


class ScriptedEndpoint:
    """Serves a script while it is entered; a port of 0 takes any that is free."""

    def __init__(self, script: Script, port: int = 0) -> None:
        self._server = EndpointServer(script, port)
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.02},
            name="scripted-endpoint",
        )

    @property
    def base_url(self) -> str:
        """What goes into OPENAI_BASE_URL."""
        return f"{self.root_url}/v1"

    @property
    def root_url(self) -> str:
        """What goes into ANTHROPIC_BASE_URL."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def requests(self) -> tuple[ReceivedRequest, ...]:
        """The latest requests, oldest first."""
        return tuple(self._server.received)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.stop()
        self._thread.join(ENDPOINT_STOP_S)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def main(arguments: list[str] | None = None) -> int:
    """Serve until SIGTERM or SIGINT; the base URL is the one line of output."""
    parser = argparse.ArgumentParser(
        prog="python -m dataagent_core.testing.endpoint",
        description="Play a script behind OpenAI's chat-completions wire on 127.0.0.1.",
    )
    parser.add_argument("--port", type=int, default=0, help="port; 0 takes any that is free")
    parser.add_argument("--script", type=Path, help="JSON file, see docs/testing-kit.md")
    chosen = parser.parse_args(arguments)
    try:
        script = Script.read(chosen.script) if chosen.script else _WITHOUT_SCRIPT
        endpoint = ScriptedEndpoint(script, chosen.port)
    except (DataAgentError, OSError, OverflowError) as error:
        parser.error(str(error))
    stopped = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        stopped.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    with endpoint:
        sys.stdout.write(endpoint.base_url + "\n")
        sys.stdout.flush()
        stopped.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
