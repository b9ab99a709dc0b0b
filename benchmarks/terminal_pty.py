"""A program in a pseudo-terminal of its own, with the moment each piece of its output came."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

COLUMNS, ROWS = 100, 30
WAIT_S_MAX = 120.0
_KEYS_S = 0.02


def peak_mb(pid: int) -> float:
    """Give the kernel's own count of the most a program held; 0 once it is gone.

    Not what `wait4` says: that counts what held this process before it became the program.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = status.partition("VmHWM:")[2].split()
    return int(found[0]) / 1024 if found else 0.0


class Watched:
    """What came out of the program so far, and its keyboard."""

    def __init__(self, descriptor: int, process: subprocess.Popen[bytes], began: float) -> None:
        self._descriptor = descriptor
        self.process = process
        self.began = began
        self._came = threading.Condition()
        self._seen = b""
        self._pieces: list[tuple[int, float]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def mark(self) -> int:
        """Say up to where it was read; a search begins there."""
        with self._came:
            return len(self._seen)

    def until(self, text: str, after: int = 0) -> float:
        """Wait for a text; return the moment its last letter came."""
        sought = text.encode()
        deadline = time.monotonic() + WAIT_S_MAX
        with self._came:
            while (at := self._seen.find(sought, after)) < 0:
                if not self._came.wait(deadline - time.monotonic()):
                    shown = self._seen[-2000:].decode(errors="replace")
                    raise SystemExit(f"{text!r} never showed in:\n{shown!r}")
            end = at + len(sought)
            return next(moment for reached, moment in self._pieces if reached >= end)

    def text(self, after: int = 0) -> str:
        with self._came:
            return self._seen[after:].decode(errors="replace")

    def enter(self, text: str) -> None:
        """Type a line and send it: Enter by itself, as a person presses it."""
        os.write(self._descriptor, text.encode())
        time.sleep(_KEYS_S)
        os.write(self._descriptor, b"\r")

    def peak_mb(self) -> float:
        return peak_mb(self.process.pid)

    def end(self) -> None:
        """Kill the program; its terminal's number must not be read once another may have it."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        os.close(self._descriptor)

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._descriptor, 1 << 20)
            except OSError:  # how Linux says that the other side is closed
                return
            with self._came:
                self._seen += data
                self._pieces.append((len(self._seen), time.time()))
                self._came.notify_all()


@contextmanager
def watched(
    command: Sequence[str | Path], environment: Mapping[str, str], cwd: Path
) -> Generator[Watched]:
    """Start a program in a terminal; it is killed at the end."""
    outer, inner = pty.openpty()
    fcntl.ioctl(outer, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    began = time.time()
    process = subprocess.Popen(
        command,
        stdin=inner,
        stdout=inner,
        stderr=inner,
        env=environment,
        cwd=cwd,
        start_new_session=True,
    )
    os.close(inner)
    terminal = Watched(outer, process, began)
    try:
        yield terminal
    finally:
        terminal.end()
