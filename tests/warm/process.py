"""The zygote: imports the programs, then forks one process for each request on its socket.

A request is one line of JSON with three descriptors (standard input, output and error) beside it.
Two lines answer it: the process's id at once, its wait status when it has ended; 0 and nothing else
where it cannot be given its terminal. A client that hangs up kills its process. Started as
`python -m tests.warm.process SOCKET`; it ends when its standard input is closed. Where lines are
measured, so are those its processes run, unless they are killed.
"""

import fcntl
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import tempfile
import termios
import threading
import traceback
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.line_coverage import LineCoverage

REQUEST_BYTES_MAX = 1 << 20
PROGRAMS = {
    "dataagent": ("dataagent_cli.main", "main"),
    "dataagent-server": ("dataagent_server.cli.main", "main"),
    "conformance_client.py": ("tests.mcp.conformance_client", "run"),
    "episode_victim.py": ("tests.kill.episode_victim", "main"),
}
# What these import when they start working. No module that starts threads, as duckdb does.
PRELOADED = (
    "dataagent_cli.main",
    "dataagent_cli.repl.start",
    "dataagent_cli.run.one_turn",
    "dataagent_cli.wiring",
    "dataagent_core.engine",
    "dataagent_core.session.stores.bundle",
    "dataagent_core.session.stores.sqlite.checkpoints",
    "dataagent_server.app",
    "dataagent_server.cli.main",
    "dataagent_server.runs.agents.shared_models",
    "langchain_openai",
    "uvicorn",
)


def main() -> None:
    address = sys.argv[1]
    LineCoverage.start_if_wanted()
    for name in PRELOADED:
        importlib.import_module(name)
    _build_an_agent()
    assert threading.active_count() == 1, threading.enumerate()
    threads = list(Path("/proc/self/task").iterdir())
    assert len(threads) == 1, (
        f"importing started {len(threads) - 1} threads; a fork would lose them"
    )
    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        _Zygote(listener).serve()
    if LineCoverage.current is not None:
        LineCoverage.current.save()


def _build_an_agent() -> None:
    """Read the signatures of all tools, which is half the work of a short program."""
    from dataagent_core.config import Settings
    from dataagent_core.engine import AgentConfig, AgentFactory

    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "script.json")
        script.write_text('{"scripts": []}')
        workspace = Path(folder, "workspace")
        workspace.mkdir()
        settings = Settings.load({"DATAAGENT_HOME": f"{folder}/home"}, workspace)
        config = AgentConfig("warm", model=f"scripted:{script}", workspace_path=workspace)
        AgentFactory(settings).create_agent(config)


class _Zygote:
    """The loop that takes requests and reports how each process ended."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._running: dict[int, socket.socket] = {}
        self._selector = selectors.DefaultSelector()
        self._ended, writer = os.pipe()
        for end in (self._ended, writer):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(writer)
        signal.signal(signal.SIGCHLD, _do_nothing)
        for source in (listener, self._ended, sys.stdin):
            self._selector.register(source, selectors.EVENT_READ)

    def serve(self) -> None:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready = {key.fileobj for key, _ in self._selector.select()}
            if sys.stdin in ready:  # the tests are over
                self._kill(list(self._running))
                return
            # A client sends nothing more: readable means that it has disconnected.
            self._kill([pid for pid, connection in self._running.items() if connection in ready])
            if self._ended in ready:
                os.read(self._ended, 4096)
                self._report_ended()
            if self._listener in ready:
                connection, _ = self._listener.accept()
                self._running[_start(connection)] = connection
                self._selector.register(connection, selectors.EVENT_READ)

    def _kill(self, pids: list[int]) -> None:
        for pid in pids:
            with suppress(KeyError):  # its client has disconnected
                self._selector.unregister(self._running[pid])
            os.kill(pid, signal.SIGKILL)

    def _report_ended(self) -> None:
        while self._running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            with self._running.pop(pid) as connection:
                with suppress(KeyError):  # its client has hung up
                    self._selector.unregister(connection)
                with suppress(OSError):
                    connection.sendall(f"{status}\n".encode())


def _do_nothing(*_: object) -> None:
    """Make the signal wake the loop instead of being ignored."""


def _start(connection: socket.socket) -> int:
    data, descriptors, _, _ = socket.recv_fds(connection, REQUEST_BYTES_MAX, 3)
    while not data.endswith(b"\n"):
        data += connection.recv(REQUEST_BYTES_MAX)
    request: dict[str, Any] = json.loads(data)
    pid = os.fork()
    if pid:
        for descriptor in descriptors:
            os.close(descriptor)
        return pid
    try:
        _become(request, descriptors, connection)
    except BaseException:  # noqa: BLE001 (nothing of the zygote may go on in the child)
        traceback.print_exc()
    os._exit(70)


def _become(request: dict[str, Any], descriptors: list[int], connection: socket.socket) -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.setsid()
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
    terminal_taken = not os.isatty(0) or _take_terminal()
    connection.sendall(b"%d\n" % (os.getpid() if terminal_taken else 0))
    os.closerange(3, 1024)
    if not terminal_taken:
        os._exit(0)
    if LineCoverage.current is not None:
        LineCoverage.current.start_after_fork()
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    program, *arguments = request["command"]
    # As in the installed script: multiprocessing's children look here for what to import.
    script = ModuleType("__main__")
    script.__file__ = program
    sys.modules["__main__"] = script
    sys.argv = [program, *arguments]
    module, function = PROGRAMS[os.path.basename(program)]  # noqa: PTH119
    code = 0
    try:
        code = _exit_code(getattr(importlib.import_module(module), function)())
    except SystemExit as ended:
        code = _exit_code(ended.code)
    except KeyboardInterrupt:
        traceback.print_exc()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    finally:
        _finish()
        if LineCoverage.current is not None:
            LineCoverage.current.save()
    os._exit(code)


def _take_terminal() -> bool:
    """Become the session of the terminal; only root may take it from another session."""
    try:
        fcntl.ioctl(0, termios.TIOCSCTTY, 1 if os.geteuid() == 0 else 0)
    except PermissionError:
        return False
    return True


def _exit_code(result: object) -> int:
    if isinstance(result, str):
        sys.stderr.write(f"{result}\n")
        return 1
    return result if isinstance(result, int) else 0


def _finish() -> None:
    """Do what the interpreter does at exit: threads, atexit, buffers."""
    import atexit

    threading._shutdown()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage]
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()


if __name__ == "__main__":
    main()
