"""Runs uvicorn: one process, or several that share the listening socket.

The application is passed by name: each worker imports `dataagent_server.main` and reads the same
settings from the environment of this process.
"""

import os
import signal
import socket
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from dataagent_core.errors import DataAgentError
from dataagent_server.api.middleware.errors.start_failure import START_FAILURE
from dataagent_server.cli.serve.protocol import DenyingProtocol, JsonErrorsProtocol
from dataagent_server.common.metrics.exposition import DIRECTORY_VARIABLE
from dataagent_server.settings import ServerSettings, limits

APPLICATION: Final = "dataagent_server.main:app"
_FAILED: Final = 1


def run_uvicorn(
    settings: ServerSettings, listener: socket.socket, greet: Callable[[], None]
) -> int:
    """Serve until asked to stop; return 0 if that went well.

    `greet` is called once requests are answered; a start that fails for a known reason raises it.
    """
    config = uvicorn_config(settings)
    if settings.workers == 1:
        server = _GreetingServer(config, greet)
        with _handle_signals(server), _raise_start_failure(server):
            server.run(sockets=[listener])
        return 0 if server.started else _FAILED
    with tempfile.TemporaryDirectory(prefix="dataagent-metrics-") as folder:
        os.environ[DIRECTORY_VARIABLE] = folder
        supervisor = _GreetingSupervisor(config, listener, greet)
        supervisor.run()
    # A worker that ended by the signal it was sent is fine; one that never started is not.
    started = all(each.exitcode != STARTUP_FAILURE for each in supervisor.processes)
    return 0 if started else _FAILED


class _GreetingServer(uvicorn.Server):
    """Greets once the application has started."""

    def __init__(self, config: uvicorn.Config, greet: Callable[[], None]) -> None:
        super().__init__(config)
        self._greet = greet

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self._greet()


class _GreetingSupervisor(Multiprocess):
    """Greets once every worker has started."""

    def __init__(
        self, config: uvicorn.Config, listener: socket.socket, greet: Callable[[], None]
    ) -> None:
        super().__init__(config, sockets=[listener])
        self._greet = greet
        self._greeted = False

    def keep_subprocess_alive(self) -> None:
        super().keep_subprocess_alive()
        if self._greeted or self.should_exit.is_set():
            return
        if all(each.is_ready() for each in self.processes):
            self._greeted = True
            self._greet()


@contextmanager
def _raise_start_failure(server: uvicorn.Server) -> Generator[None]:
    """Raise the reason of a failed start, where uvicorn would end the process."""
    try:
        yield
    except SystemExit:
        if isinstance(error := server.lifespan.state.get(START_FAILURE), DataAgentError):
            raise error from None
        raise


def uvicorn_config(settings: ServerSettings) -> uvicorn.Config:
    """Configure uvicorn: our log, our limits, forwarded headers only from named proxies."""
    return uvicorn.Config(
        APPLICATION,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        loop="uvloop",
        http=JsonErrorsProtocol,
        ws=DenyingProtocol,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        ws_max_size=limits.FRAME_BYTES_MAX,
        ws_max_queue=limits.FRAMES_WAITING_MAX,
        ws_per_message_deflate=False,
        timeout_keep_alive=limits.KEEP_ALIVE_S,
        timeout_graceful_shutdown=max(1, settings.stop_timeout // 2),
        timeout_worker_healthcheck=30,
        reset_contextvars=True,
    )


@contextmanager
def _handle_signals(server: uvicorn.Server) -> Generator[None]:
    """Handle a signal also during the start, and end normally afterwards.

    uvicorn listens for signals only later, and raises the signal again when it has stopped, which
    would end the process as if it had been killed.
    """

    def heard(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    before = {number: signal.signal(number, heard) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
