"""The last events of a session in memory: a cache for readers that are close behind."""

from collections import deque
from collections.abc import Sequence

from dataagent_server.sessions.live.event_line import EventLine
from dataagent_server.sessions.live.limits import BUFFER_CHARS_MAX, BUFFER_EVENTS_MAX


class SessionBuffer:
    """Consecutive events, the newest last, limited in number and in text."""

    def __init__(self, lines_max: int = BUFFER_EVENTS_MAX) -> None:
        self._lines: deque[EventLine] = deque(maxlen=lines_max)
        self._chars = 0

    def add(self, lines: Sequence[EventLine]) -> None:
        """Add new events. After a gap the old ones are dropped: a reader must not skip any."""
        for line in lines:
            if self._lines and line.seq <= self._lines[-1].seq:
                continue
            if self._lines and line.seq != self._lines[-1].seq + 1:
                self._clear()
            if len(self._lines) == self._lines.maxlen:
                self._drop_oldest()
            self._lines.append(line)
            self._chars += len(line.frame)
            while self._chars > BUFFER_CHARS_MAX and self._lines:
                self._drop_oldest()

    @property
    def newest(self) -> EventLine | None:
        """The last event."""
        return self._lines[-1] if self._lines else None

    def _drop_oldest(self) -> None:
        self._chars -= len(self._lines.popleft().frame)

    def _clear(self) -> None:
        self._lines.clear()
        self._chars = 0

    def after(self, seq: int) -> list[EventLine] | None:
        """Return all events after a number, or `None` if the log must be read."""
        if not self._lines or self._lines[0].seq > seq + 1:
            return None
        skipped = seq + 1 - self._lines[0].seq
        return [line for number, line in enumerate(self._lines) if number >= skipped]
