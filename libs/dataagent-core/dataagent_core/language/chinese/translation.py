"""A text in Chinese: its sentences one by one, each with what stands before it.

What no catalogue has stays as it is: an engine's own words, a person's.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final

from dataagent_core.language.chinese.templates import SENTENCE_END, SentenceTemplate

# A longer text is no sentence of ours.
_CHARS_MAX: Final = 4_000
_PARTS_MAX: Final = 8
# An error of an engine with many colons and full stops has more parts than anybody wants to try.
_LOOKS_MAX: Final = 300


class Translation:
    """Translates texts that were made of some sentences and phrases, each English to Chinese."""

    def __init__(self, sentences: Mapping[str, str], phrases: Mapping[str, str]) -> None:
        self.sentences = sentences
        self.phrases = phrases

    def __call__(self, text: str) -> str:
        """Say a text in Chinese, as far as its sentences are known."""
        return text if len(text) > _CHARS_MAX else _Search(self).text(text) or text

    @cached_property
    def sentence_templates(self) -> tuple[SentenceTemplate, ...]:
        """The sentences, in the order in which they are tried."""
        return _heaviest_first(self.sentences)

    @cached_property
    def phrase_templates(self) -> tuple[SentenceTemplate, ...]:
        """The phrases, in the order in which they are tried."""
        return _heaviest_first(self.phrases)


class _Search:
    """The search through one text. Each part is looked at once, and only so many parts are."""

    def __init__(self, translation: Translation) -> None:
        self._translation = translation
        self._found: dict[tuple[str, str], str | None] = {}

    def text(self, text: str) -> str | None:
        return (
            self._once("sentence", text, self._sentence)
            or self._once("name", text, self._behind_a_name)
            or self._once("several", text, self._several)
        )

    def _once(self, how: str, text: str, find: Callable[[str], str | None]) -> str | None:
        key = (how, text)
        if key not in self._found:
            if len(self._found) >= _LOOKS_MAX:
                return None
            self._found[key] = None
            self._found[key] = find(text)
        return self._found[key]

    def _several(self, text: str) -> str | None:
        """Translate the longest beginning that is known, then what comes after it."""
        ends = [found.start() for found in SENTENCE_END.finditer(text)][:_PARTS_MAX]
        for end in reversed(ends):
            known = self._once("sentence", text[:end], self._sentence) or self._once(
                "name", text[:end], self._behind_a_name
            )
            if known is not None:
                gap = "" if known[-1] in "。;:?!" else " "
                rest = text[end + 1 :]
                return f"{known}{gap}{self.text(rest) or rest}"
        return None

    def _behind_a_name(self, text: str) -> str | None:
        """Translate what stands after the name of a file, a source or an error."""
        end = SENTENCE_END.search(text)
        colons = re.finditer(": ", text[: end.start() if end else None])
        places = [found.start() for found in colons][:_PARTS_MAX]
        for place in places:
            rest = text[place + 2 :]
            known = self._once("sentence", rest, self._sentence) or self._once(
                "several", rest, self._several
            )
            if known is not None:
                return f"{self._phrase(text[:place])}: {known}"
        name = text[: places[0]] if places else ""
        named = self._phrase(name)
        return None if named == name else named + text[len(name) :]

    def _sentence(self, text: str) -> str | None:
        templates = self._translation.sentence_templates
        known = self._filled(templates, text)
        if known is not None or not text.endswith("."):
            return known
        # Some are written without their full stop: what they stand in brings it.
        known = self._filled(templates, text[:-1])
        return None if known is None else f"{known}。"

    def _said(self, text: str) -> str:
        """Translate a value that may be a sentence, a phrase, or a list of them."""
        known = self.text(text)
        if known is None and "; " in text:
            return "; ".join(map(self._phrase, text.split("; ")))
        return known or self._phrase(text)

    def _phrase(self, text: str) -> str:
        return self._filled(self._translation.phrase_templates, text) or text

    def _filled(self, templates: Iterable[SentenceTemplate], text: str) -> str | None:
        for template in templates:
            known = template.filled(text, self._said)
            if known is not None:
                return known
        return None


def _heaviest_first(texts: Mapping[str, str]) -> tuple[SentenceTemplate, ...]:
    templates = [SentenceTemplate.of(english, chinese) for english, chinese in texts.items()]
    return tuple(sorted(templates, key=lambda one: -one.weight))
