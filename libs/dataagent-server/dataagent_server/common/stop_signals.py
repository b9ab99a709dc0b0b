"""Handles SIGTERM and Ctrl-C before uvicorn acts on them, whoever started uvicorn.

uvicorn tells the application to stop only after every connection has ended; streams and waiting
requests must know before, or they would hold the connections open.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def handle_stop_signals(tell: Callable[[], None]) -> Generator[None]:
    """Call `tell` in the running loop when the process is asked to stop, then the old handler."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def heard(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(tell)
        old = before[signal.Signals(number)]
        if callable(old):
            old(number, frame)

    # Only where the signal has a handler already: in a test or a script it keeps its meaning.
    ours = [number for number, old in before.items() if callable(old) and old is not _default_int()]
    for number in ours:
        signal.signal(number, heard)
    try:
        yield
    finally:
        for number in ours:
            if signal.getsignal(number) is heard:
                signal.signal(number, before[number])


def _default_int() -> object:
    return signal.default_int_handler
