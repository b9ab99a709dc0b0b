"""A sentence with places for values, found again in a text that was made of it. Pure.

A place is written `{name}` in both languages. `{name!r}` in the English says that its value stands
in quotes, `{_name}` that it is grammar (an `s`, `is` or `are`) which Chinese has no use for.
`{name:said}` in the Chinese says that the value may be a sentence or a phrase of the catalogue.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, Final, Self

Translate = Callable[[str], str]
SENTENCE_END: Final = re.compile(r"(?<=[.?]) ")
_SAID: Final = "said"


@dataclass(frozen=True, slots=True)
class SentenceTemplate:
    """One sentence: the English words around its places, the places, and the Chinese."""

    words: tuple[str, ...]
    places: tuple[str, ...]
    quoted: frozenset[str]
    # Those whose value may be sentences itself.
    said: frozenset[str]
    chinese: str

    @classmethod
    def of(cls, english: str, chinese: str) -> Self:
        """Read an entry of a catalogue."""
        words, places, quoted = [""], list[str](), set[str]()
        for literal, name, _, conversion in Formatter().parse(english):
            words[-1] += literal
            if name is not None:
                words.append("")
                places.append(name)
                if conversion == "r":
                    quoted.add(name)
        said = {name for _, name, how, _ in Formatter().parse(chinese) if name and how == _SAID}
        return cls(tuple(words), tuple(places), frozenset(quoted), frozenset(said), chinese)

    @property
    def weight(self) -> int:
        """Say how many characters of a text it accounts for: the heaviest that fits is meant."""
        return sum(map(len, self.words))

    def parts(self) -> dict[str, object]:
        """Give it in parts, for a reader who does not know Python's formats (the console)."""
        chinese: list[str | dict[str, str]] = []
        for literal, name, _, _ in Formatter().parse(self.chinese):
            chinese += [literal] if literal else []
            chinese += [{"place": name}] if name is not None else []
        return {
            "words": self.words,
            "places": self.places,
            "quoted": sorted(self.quoted),
            "said": sorted(self.said),
            "chinese": chinese,
        }

    def filled(self, text: str, translate: Translate) -> str | None:
        """Say a text in Chinese; None where it was not made of this sentence.

        None too where the words around the places fit in two ways: a value holds them itself.
        """
        found = {_leftmost(self.words, text), _rightmost(self.words, text)}
        fitting = [values for values in found if values is not None and self._fits(values)]
        if len(fitting) != 1:
            return None
        values = dict(zip(self.places, fitting[0], strict=True))
        return _SayingFormatter(translate).vformat(self.chinese, (), values)

    def _fits(self, values: Sequence[str]) -> bool:
        # What ends in a colon before a sentence is a name of its own.
        if self.places and not self.words[0] and ": " in values[0]:
            return False
        return all(
            (name not in self.quoted or _is_quoted(value))
            and (name in self.said or not SENTENCE_END.search(value))
            for name, value in zip(self.places, values, strict=True)
        )


def _is_quoted(value: str) -> bool:
    return len(value) > 1 and value[0] == value[-1] and value[0] in "'\""


class _SayingFormatter(Formatter):
    def __init__(self, translate: Translate) -> None:
        self._translate = translate

    def format_field(self, value: Any, format_spec: str) -> str:
        return self._translate(value) if format_spec == _SAID else str(value)


def _leftmost(words: Sequence[str], text: str) -> tuple[str, ...] | None:
    """Give the values between words, each word where it stands first."""
    first, *middle = words
    if not middle:
        return () if text == first else None
    if not text.startswith(first):
        return None
    values: list[str] = []
    start = len(first)
    last = middle.pop()
    for word in middle:
        place = text.find(word, start)
        if place < 0:
            return None
        values.append(text[start:place])
        start = place + len(word)
    end = len(text) - len(last)
    if end < start or not text.endswith(last):
        return None
    return (*values, text[start:end])


def _rightmost(words: Sequence[str], text: str) -> tuple[str, ...] | None:
    """Give the values between words, each word where it stands last."""
    backwards = _leftmost([word[::-1] for word in reversed(words)], text[::-1])
    return None if backwards is None else tuple(value[::-1] for value in reversed(backwards))
