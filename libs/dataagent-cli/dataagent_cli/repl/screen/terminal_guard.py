"""Restores the terminal when this process is killed.

prompt_toolkit restores it when the process ends by itself. A SIGKILL leaves it raw; then a small
guard process restores it, unless a shell has done so already.
"""

import contextlib
import os
import signal
import sys
import termios
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

_LOCAL_FLAGS = 3
# Shows the cursor, ends bracketed paste, resets attributes.
_SANE = b"\x1b[?25h\x1b[?2004l\x1b[0m\r\n\x1b[J"


@contextmanager
def guarded_terminal() -> Generator[None]:
    """Run the guard while this is entered; enter it before threads are started."""
    descriptor = sys.stdin.fileno()
    try:
        before = termios.tcgetattr(descriptor)
    except termios.error:
        yield
        return
    reading, writing = os.pipe()
    sys.stdout.flush()
    guard = os.fork()
    if guard == 0:
        os.close(writing)
        _guard(reading, descriptor, before)
    os.close(reading)
    try:
        yield
    finally:
        # Tells the guard that the process ended by itself.
        with contextlib.suppress(OSError):
            os.write(writing, b".")
        os.close(writing)
        os.waitpid(guard, 0)


def _guard(reading: int, descriptor: int, before: list[Any]) -> None:
    """Wait for the other process to end; never returns."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTTOU):
            signal.signal(number, signal.SIG_IGN)
        if not os.read(reading, 1) and _is_raw(descriptor):
            termios.tcsetattr(descriptor, termios.TCSANOW, before)
            os.write(descriptor, _SANE)
    except (OSError, termios.error):
        pass  # the terminal is gone: nothing to restore
    finally:
        os._exit(0)


def _is_raw(descriptor: int) -> bool:
    """Say whether the terminal is as we left it: a shell's own line editing keeps its signals."""
    flags = termios.tcgetattr(descriptor)[_LOCAL_FLAGS]
    return not flags & (termios.ISIG | termios.ICANON | termios.ECHO)
