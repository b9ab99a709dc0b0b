"""Translates a text into Chinese, sentence by sentence. Pure.

What no catalogue has stays as it is: an engine's own words, a person's. An entry is a sentence with
placeholders, which is recognised in a text that was made from it. A placeholder is written `{name}`
in both languages. `{name!r}` in the English says that its value is in quotes, `{_name}` that it is
grammar (an `s`, `is` or `are`) that Chinese does not use. `{name:said}` in the Chinese says that
the value may be a sentence or a phrase of the catalogue.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import Formatter
from typing import Any, Final, Self

Translate = Callable[[str], str]
SENTENCE_END: Final = re.compile(r"(?<=[.?]) ")
_SAID: Final = "said"
# A longer text is not one of ours.
_CHARS_MAX: Final = 4_000
_PARTS_MAX: Final = 8
# An engine's error with many colons and full stops has too many parts to try all of them.
_TRIES_MAX: Final = 300


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
        """Count the fixed characters: of several that fit, the heaviest is used."""
        return sum(map(len, self.words))

    def parts(self) -> dict[str, object]:
        """Give it in parts, for a client without Python's format strings (the console)."""
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
        found = {_match_leftmost(self.words, text), _match_rightmost(self.words, text)}
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


def _match_leftmost(words: Sequence[str], text: str) -> tuple[str, ...] | None:
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


def _match_rightmost(words: Sequence[str], text: str) -> tuple[str, ...] | None:
    """Give the values between words, each word where it stands last."""
    backwards = _match_leftmost([word[::-1] for word in reversed(words)], text[::-1])
    return None if backwards is None else tuple(value[::-1] for value in reversed(backwards))


class Translation:
    """Translates texts that were made of some sentences and phrases, each English to Chinese."""

    def __init__(self, sentences: Mapping[str, str], phrases: Mapping[str, str]) -> None:
        self.sentences = sentences
        self.phrases = phrases

    def __call__(self, text: str) -> str:
        """Translate a text, as far as its sentences are known."""
        return text if len(text) > _CHARS_MAX else _Search(self).translate(text) or text

    @cached_property
    def sentence_templates(self) -> tuple[SentenceTemplate, ...]:
        """The sentences, in the order in which they are tried."""
        return _sort_by_weight(self.sentences)

    @cached_property
    def phrase_templates(self) -> tuple[SentenceTemplate, ...]:
        """The phrases, in the order in which they are tried."""
        return _sort_by_weight(self.phrases)


class _Search:
    """The search through one text. Each part is tried once, up to a limit of parts."""

    def __init__(self, translation: Translation) -> None:
        self._translation = translation
        self._found: dict[tuple[str, str], str | None] = {}

    def translate(self, text: str) -> str | None:
        return (
            self._once("sentence", text, self._translate_sentence)
            or self._once("name", text, self._translate_after_name)
            or self._once("several", text, self._translate_several)
        )

    def _once(self, how: str, text: str, find: Callable[[str], str | None]) -> str | None:
        key = (how, text)
        if key not in self._found:
            if len(self._found) >= _TRIES_MAX:
                return None
            self._found[key] = None
            self._found[key] = find(text)
        return self._found[key]

    def _translate_several(self, text: str) -> str | None:
        """Translate the longest beginning that is known, then what comes after it."""
        ends = [found.start() for found in SENTENCE_END.finditer(text)][:_PARTS_MAX]
        for end in reversed(ends):
            known = self._once("sentence", text[:end], self._translate_sentence) or self._once(
                "name", text[:end], self._translate_after_name
            )
            if known is not None:
                gap = "" if known[-1] in "。;:?!" else " "
                rest = text[end + 1 :]
                return f"{known}{gap}{self.translate(rest) or rest}"
        return None

    def _translate_after_name(self, text: str) -> str | None:
        """Translate what follows the name of a file, a source or an error."""
        end = SENTENCE_END.search(text)
        colons = re.finditer(": ", text[: end.start() if end else None])
        places = [found.start() for found in colons][:_PARTS_MAX]
        for place in places:
            rest = text[place + 2 :]
            known = self._once("sentence", rest, self._translate_sentence) or self._once(
                "several", rest, self._translate_several
            )
            if known is not None:
                return f"{self._translate_phrase(text[:place])}: {known}"
        name = text[: places[0]] if places else ""
        named = self._translate_phrase(name)
        return None if named == name else named + text[len(name) :]

    def _translate_sentence(self, text: str) -> str | None:
        templates = self._translation.sentence_templates
        known = self._fill_first(templates, text)
        if known is not None or not text.endswith("."):
            return known
        # Some entries have no full stop: the surrounding text brings it.
        known = self._fill_first(templates, text[:-1])
        return None if known is None else f"{known}。"

    def _translate_value(self, text: str) -> str:
        """Translate a value that may be a sentence, a phrase, or a list of them."""
        known = self.translate(text)
        if known is None and "; " in text:
            return "; ".join(map(self._translate_phrase, text.split("; ")))
        return known or self._translate_phrase(text)

    def _translate_phrase(self, text: str) -> str:
        return self._fill_first(self._translation.phrase_templates, text) or text

    def _fill_first(self, templates: Iterable[SentenceTemplate], text: str) -> str | None:
        for template in templates:
            known = template.filled(text, self._translate_value)
            if known is not None:
                return known
        return None


def _sort_by_weight(texts: Mapping[str, str]) -> tuple[SentenceTemplate, ...]:
    templates = [SentenceTemplate.of(english, chinese) for english, chinese in texts.items()]
    return tuple(sorted(templates, key=lambda one: -one.weight))
