"""Writes log lines in its own thread, so that a slow reader of the log blocks nobody.

Bounded: when the thread cannot keep up, lines are dropped and a line says how many.
"""

import contextlib
import logging
import queue
import threading
from typing import Final, TextIO

LINES_WAITING_MAX: Final = 10_000
_CLOSE_S: Final = 2.0


class BackgroundHandler(logging.Handler):
    """Formats in the logging thread, writes in another."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue(LINES_WAITING_MAX)
        self._dropped = 0
        self._thread = threading.Thread(target=self._write, name="logs", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._lines.put_nowait(self.format(record))
        except queue.Full:
            self._dropped += 1
        except Exception:  # noqa: BLE001 (a line that cannot be made must not end a request)
            self.handleError(record)

    def close(self) -> None:
        """Write the waiting lines, for a bounded time."""
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=_CLOSE_S)
        self._thread.join(_CLOSE_S)
        super().close()

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            if self._dropped:
                line, self._dropped = f"{line}\n({self._dropped} log lines were dropped)", 0
            try:
                self._stream.write(line + "\n")
                if self._lines.empty():
                    self._stream.flush()
            except (OSError, ValueError):  # nobody reads any more
                return
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()
