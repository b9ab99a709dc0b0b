"""Whether a run is active and since when, computed from events and sent messages."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from dataagent_core import events as ev

if TYPE_CHECKING:
    from dataagent_core.events import Event


class Activity:
    """The activity of one conversation."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since_s: float | None = None
        # Sent, but its run has not started: the engine may still be loading.
        self.sent: str | None = None
        self.stopping = False

    @property
    def active(self) -> bool:
        return self._since_s is not None

    @property
    def seconds(self) -> int:
        """Return how long the run has been active."""
        return 0 if self._since_s is None else int(self._clock() - self._since_s)

    def mark_sent(self, text: str | None) -> None:
        """Note that a message was sent, or that an unfinished run is resumed."""
        self.sent = text
        self._since_s = self._clock()

    def take_back(self) -> str | None:
        """Return a message whose run never started."""
        text, self.sent = self.sent, None
        self._since_s = None
        self.stopping = False
        return text

    def see(self, event: "Event") -> None:
        match event:
            case ev.RunStartedEvent() | ev.RunResumedEvent():
                self.sent = None
                if self._since_s is None:
                    self._since_s = self._clock()
            case ev.DoneEvent():
                self._reset()
            case ev.ErrorEvent() if event.seq is None:
                # The event is not in the log: no `done` will follow.
                self._reset()
            case _:
                pass

    def _reset(self) -> None:
        self.sent = None
        self._since_s = None
        self.stopping = False
