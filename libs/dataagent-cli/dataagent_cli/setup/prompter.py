"""The port of the first setup: four ways to ask a person."""

from collections.abc import Sequence
from typing import Protocol


class Prompter(Protocol):
    """A person at a prompt; `None` means that they leave the question (Ctrl-D)."""

    def tell(self, text: str) -> None:
        """Print a line."""
        ...

    async def choose(self, question: str, options: Sequence[str]) -> int | None:
        """Ask for one of the options; return its position, counted from 0."""
        ...

    async def line(self, question: str) -> str | None:
        """Ask for a line."""
        ...

    async def secret(self, question: str) -> str | None:
        """Ask for a line that is not shown and not stored."""
        ...
