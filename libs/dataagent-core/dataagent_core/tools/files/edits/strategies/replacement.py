"""One place an edit changes, and the shape of a strategy."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Replacement:
    """The characters from `start` to `end` become `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class EditTarget:
    """The characters an edit means. `carry` fits the new string to them, or refuses."""

    start: int
    end: int
    carry: Callable[[], str]


# (text, old, new) -> every place found, in order
Strategy = Callable[[str, str, str], list[EditTarget]]
