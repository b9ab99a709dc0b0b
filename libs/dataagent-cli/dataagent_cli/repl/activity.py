"""Whether a run is under way, and since when; folded from events and from what was sent."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from dataagent_core import events as ev

if TYPE_CHECKING:
    from dataagent_core.events import Event


class Activity:
    """Follows one conversation."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since_s: float | None = None
        # Handed over, but its run has not begun: the engine may still be loading.
        self.sent: str | None = None
        self.stopping = False

    @property
    def active(self) -> bool:
        return self._since_s is not None

    @property
    def seconds(self) -> int:
        """Count how long it has been at work."""
        return 0 if self._since_s is None else int(self._clock() - self._since_s)

    def mark_sent(self, text: str | None) -> None:
        """Learn that a message, or an unfinished run, was handed over."""
        self.sent = text
        self._since_s = self._clock()

    def take_back(self) -> str | None:
        """Give back a message whose run never began."""
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
                # Nothing could be written: no `done` will follow.
                self._reset()
            case _:
                pass

    def _reset(self) -> None:
        self.sent = None
        self._since_s = None
        self.stopping = False
