"""Messages the person wrote while the agent works: in order, shown, and theirs to take back."""

from collections import deque

from dataagent_core.errors import ConflictError

QUEUED_MAX = 50


class Queue:
    """What is sent next, when the run is over."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque()

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def texts(self) -> list[str]:
        """Give the messages, the next one first."""
        return list(self._texts)

    def add(self, text: str) -> None:
        if len(self._texts) >= QUEUED_MAX:
            raise ConflictError(f"{QUEUED_MAX} messages wait already. Let the agent answer first.")
        self._texts.append(text)

    def next(self) -> str | None:
        """Take the message that is sent now."""
        return self._texts.popleft() if self._texts else None

    def take_back(self) -> str | None:
        """Take the newest message back, to change it or to drop it."""
        return self._texts.pop() if self._texts else None

    def take_all_back(self) -> str:
        """Take every message back, as one text."""
        text = "\n".join(self._texts)
        self._texts.clear()
        return text
