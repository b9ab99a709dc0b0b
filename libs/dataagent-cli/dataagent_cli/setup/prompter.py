"""What the first minutes need of whoever shows them: four ways to ask a person."""

from collections.abc import Sequence
from typing import Protocol


class Prompter(Protocol):
    """A person at a prompt; `None` is a person who leaves the question (Ctrl-D)."""

    def tell(self, text: str) -> None:
        """Say a line."""
        ...

    async def choose(self, question: str, options: Sequence[str]) -> int | None:
        """Let them choose; the answer is the option's position, counted from 0."""
        ...

    async def line(self, question: str) -> str | None:
        """Let them type a line."""
        ...

    async def secret(self, question: str) -> str | None:
        """Let them type or paste a line that does not show and is kept nowhere."""
        ...
