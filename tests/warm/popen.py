"""`WarmPopen`: `subprocess.Popen` for our programs, forked from the zygote of this test run."""

import contextlib
import json
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Self

START_S_MAX = 120.0


def _no_zygote() -> str:
    raise RuntimeError("the plugin of the services (tests/services/fixtures.py) is not loaded")


# Returns the address of the zygote.
find_zygote: Callable[[], str] = _no_zygote


class WarmPopen:
    """One process. Streams are what `subprocess` takes: PIPE, DEVNULL, STDOUT, a file or its number."""

    def __init__(
        self,
        command: Sequence[str | bytes | Path],
        *,
        env: Mapping[str, str],
        cwd: Path,
        stdin: Any = None,
        stdout: Any = None,
        stderr: Any = None,
        text: bool = False,
    ) -> None:
        self.args = command
        self.stdin: IO[Any] | None = None
        self.stdout: IO[Any] | None = None
        self.stderr: IO[Any] | None = None
        self._text = text
        self.returncode: int | None = None
        passed = [
            self._child_end("stdin", stdin, 0),
            self._child_end("stdout", stdout, 1),
        ]
        passed.append(
            os.dup(passed[1])
            if stderr == subprocess.STDOUT
            else self._child_end("stderr", stderr, 2)
        )
        request = {
            "command": [os.fsdecode(part) for part in command],
            "environment": dict(env),
            "folder": str(cwd),
        }
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(find_zygote())
        line = json.dumps(request).encode() + b"\n"
        sent = socket.send_fds(self._connection, [line], passed)
        self._connection.sendall(line[sent:])
        for descriptor in passed:
            os.close(descriptor)
        self._answers = self._connection.makefile("rb")
        self.pid = int(self._answers.readline() or 0)
        assert self.pid, f"{command} could not be started"

    def _child_end(self, name: str, given: Any, number: int) -> int:
        if given == subprocess.PIPE:
            reading, writing = os.pipe()
            mine, theirs = (writing, reading) if number == 0 else (reading, writing)
            mode = "w" if number == 0 else "r"
            opened = (
                os.fdopen(mine, mode, encoding="utf-8")
                if self._text
                else os.fdopen(mine, mode + "b")
            )
            setattr(self, name, opened)
            return theirs
        if given == subprocess.DEVNULL:
            return os.open(os.devnull, os.O_RDWR)
        if given is None:
            return os.dup(number)
        return os.dup(given if isinstance(given, int) else given.fileno())

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal, or None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(list(map(os.fsdecode, self.args)), timeout or 0)
        return code

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None:
            ready, _, _ = select.select([self._connection], [], [], timeout)
            if ready:
                self.returncode = os.waitstatus_to_exitcode(int(self._answers.readline()))
                self._answers.close()
                self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def communicate(self, data: Any = None, timeout: float | None = None) -> tuple[Any, Any]:
        """Write all input, read both outputs to their end, and wait."""
        outputs: dict[IO[Any], Any] = {}

        def write() -> None:
            assert self.stdin is not None
            with contextlib.suppress(BrokenPipeError), self.stdin as stream:
                stream.write(data or ("" if self._text else b""))

        def read(stream: IO[Any]) -> None:
            with stream:
                outputs[stream] = stream.read()

        threads = [threading.Thread(target=write, daemon=True)] if self.stdin else []
        threads += [
            threading.Thread(target=read, args=(stream,), daemon=True)
            for stream in (self.stdout, self.stderr)
            if stream and not stream.closed
        ]
        for thread in threads:
            thread.start()
        try:
            self.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            self.wait()
            raise
        for thread in threads:
            thread.join(START_S_MAX)  # until all inheritors of the streams have closed them
        nothing = "" if self._text else b""
        out, err = (outputs.get(s, nothing) if s else nothing for s in (self.stdout, self.stderr))
        return out, err

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream:
                stream.close()
        self.wait()


def launcher_words(command: Sequence[str | Path]) -> list[str]:
    """Return the command that starts a program of ours in a terminal (`launcher.py`)."""
    launcher = Path(__file__).with_name("launcher.py")
    start = [sys.executable, "-I", "-S", str(launcher), find_zygote()]
    return [*start, *(str(part) for part in command)]


def launcher_folder(program: Path, folder: Path) -> Path:
    """Make a folder for PATH in which a shell finds the warm program."""
    folder.mkdir()
    script = folder / program.name
    script.write_text(f'#!/bin/sh\nexec {shlex.join(launcher_words([program]))} "$@"\n')
    script.chmod(0o755)
    return folder


def warm_run(
    command: Sequence[str | bytes | Path],
    *,
    env: Mapping[str, str],
    cwd: Path,
    stdin: str | bytes = b"",
    timeout: float,
) -> subprocess.CompletedProcess[Any]:
    """Run a program to its end with no terminal, as `subprocess.run(capture_output=True)` does.

    What it prints is text if what it is given is.
    """
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = WarmPopen(command, env=env, cwd=cwd, text=isinstance(stdin, str), **pipes)
    out, err = process.communicate(stdin, timeout)
    return subprocess.CompletedProcess(command, process.wait(), out, err)
