"""The threads and sockets of the scripted endpoint, and what its connections share.

Stopping is prompt and complete: pauses are cut short, connections shut, threads joined.
"""

import contextlib
import itertools
import socket
import threading
import uuid
from collections import deque
from dataclasses import replace
from http.server import ThreadingHTTPServer
from typing import Any

from dataagent_core.config.limits import SCRIPT_REQUESTS_KEPT_MAX
from dataagent_core.models.scripted.script import Script, ScriptedFailure
from dataagent_core.models.scripted.script_turn import ChosenStep, ScriptTurn, choose
from dataagent_core.models.scripted.scripted_failures import ScriptedAttempts
from dataagent_core.testing.endpoint_handler import EndpointHandler, ReceivedRequest


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
