"""Finds what of an argument is fixed, and what a person, an earlier result or a model gives. Pure.

It is given the values of one argument in each run. Equal ones are fixed; what stands in the words
of the person is an input; what stands in an earlier result is taken from there; for the rest a
model is needed. Nothing that was written after content of strangers was read becomes fixed text,
and nothing is taken from that content.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

from pydantic import JsonValue

from dataagent_core.config.limits.patterns import (
    PATTERN_TEXT_CHARS_MAX,
    WORKFLOW_TEXT_CHARS_MAX,
)
from dataagent_core.language.text_ends import keep_whole_ends
from dataagent_core.language.unicode_text import storable
from dataagent_core.patterns.scrub import holds_private
from dataagent_core.patterns.workflow.differences import (
    is_word_in,
    match_word,
)
from dataagent_core.patterns.workflow.text_templates import TemplateMaker
from dataagent_core.patterns.workflow.value_sources import (
    ValueSources,
    make_slug,
    write_place,
)
from dataagent_core.patterns.workflow.workflow import (
    PLACE,
    Arg,
    Fixed,
    ModelPlace,
    TextTemplate,
    may_write,
)

# An equal text of this length that stands in an earlier result was copied from there.
_COPIED_CHARS_MIN: Final = 40
_PLACES: Final = re.compile(f"({PLACE.pattern.replace('(', '(?:')})")
_WHAT: Final = "Write `{name}` for what the person wants this time."


@dataclass(frozen=True, slots=True)
class Generaliser:
    """Makes the arguments of a workflow from those of several runs."""

    sources: ValueSources
    templates: TemplateMaker

    def generalise(self, values: Sequence[JsonValue], step: int, name: str) -> Arg:
        """Return the argument of a step for its values in each run, the newest run first."""
        if all(isinstance(one, dict) for one in values):
            objects = cast("Sequence[Mapping[str, JsonValue]]", values)
            if any(holds_private(key) or not may_write(key) for key in objects[0]):
                return self._leave(values, step, name)
            if objects[0] and all(one.keys() == objects[0].keys() for one in objects):
                return {
                    key: self.generalise([one[key] for one in objects], step, key)
                    for key in objects[0]
                }
        if all(isinstance(one, list) for one in values):
            lists = cast("Sequence[list[JsonValue]]", values)
            if lists[0] and len({len(one) for one in lists}) == 1:
                rows = zip(*lists, strict=True)
                return tuple(self.generalise(row, step, name) for row in rows)
        if all(isinstance(one, str) for one in values):
            texts = cast("Sequence[str]", values)
            return self._make_text(texts, step, name)
        if _are_same(values):
            return self._keep_value(values, step, name)
        return self._make_number(values, step, name) or self._leave(values, step, name)

    def make_answer(self, answers: Sequence[str]) -> TextTemplate | ModelPlace:
        """Return what the answers of the runs have in common."""
        made = self._make_text(answers, len(self.sources.calls[0]), "answer")
        match made:
            case TextTemplate() | ModelPlace():
                return made
            case Fixed(value=str() as text) if not PLACE.search(text):
                return TextTemplate(text)
            case _:
                return ModelPlace(_WHAT.format(name="answer"))

    def make_goal(self, goal: str) -> TextTemplate:
        """Return the newest request with places for the inputs."""
        text = storable(goal.replace("{{", "{ {").replace("\0", " "))
        for name in sorted(self.sources.inputs, key=lambda one: -len(self.sources.values[one][0])):
            # Not within a place that is there already.
            pieces = _PLACES.split(text)
            word = match_word(self.sources.values[name][0])
            pieces[::2] = [
                word.sub(lambda _, n=name: write_place(n), piece) for piece in pieces[::2]
            ]
            text = "".join(pieces)
        return TextTemplate(text)

    def _make_text(self, texts: Sequence[str], step: int, name: str) -> Arg:
        if max(map(len, texts)) > WORKFLOW_TEXT_CHARS_MAX or not all(map(may_write, texts)):
            return self._leave(texts, step, name)
        if _are_same(texts):
            return self._keep(texts, step, name)
        if self.sources.is_known(texts):
            return TextTemplate(write_place(self.sources.add_input(name, texts)))
        # What the inputs give is surer than what a result says.
        parts = None if self.sources.is_tainted(step) else self.templates.compare(texts)
        made = self.templates.make(parts, step, name, self.sources.is_known)
        if made is None and self.templates.may_take(texts, step, name):
            taken = self.sources.find_taken_name(texts, step, name)
            made = TextTemplate(write_place(taken)) if taken else None
        if made is None:
            has_source = partial(self.sources.has_source, step=step)
            made = self.templates.make(parts, step, name, has_source)
        return made or self._leave(texts, step, name)

    def _keep(self, texts: Sequence[str], step: int, name: str) -> Arg:
        """Return an equal text; one that may not be kept is left to the person or a model."""
        text = texts[0]
        if holds_private(text):
            return TextTemplate(write_place(self.sources.add_input(name, texts, is_private=True)))
        was_said = all(is_word_in(text, said) for said in self.sources.words)
        if self.sources.is_tainted(step) and not was_said and any(map(str.isalpha, text)):
            return self._leave(texts, step, name)
        if len(text) >= _COPIED_CHARS_MIN and not was_said:
            may_take = self.templates.may_take(texts, step, name)
            found = self.sources.find_name(texts, step, name) if may_take else ""
            if found or self.sources.is_copied(text, step):
                return TextTemplate(write_place(found)) if found else self._leave(texts, step, name)
        return Fixed(text)

    def _keep_value(self, values: Sequence[JsonValue], step: int, name: str) -> Arg:
        """Return an equal value that is no text; a number may be one of a person or a card."""
        if not holds_private(json.dumps(values[0])):
            return Fixed(values[0])
        if not isinstance(values[0], int | float):
            return self._leave(values, step, name)
        kind = "integer" if isinstance(values[0], int) else "number"
        return TextTemplate(
            write_place(
                self.sources.add_input(name, [str(one) for one in values], kind, is_private=True)
            )
        )

    def _make_number(self, values: Sequence[JsonValue], step: int, name: str) -> Arg | None:
        if not all(isinstance(one, int | float) and not isinstance(one, bool) for one in values):
            return None
        kind = "integer" if all(isinstance(one, int) for one in values) else "number"
        texts = [str(one) for one in values]
        if all(map(is_word_in, texts, self.sources.words)):
            return TextTemplate(write_place(self.sources.add_input(name, texts, kind)))
        found = self.sources.find_taken_name(values, step, name)
        return TextTemplate(write_place(found)) if found else None

    def _leave(self, values: Sequence[JsonValue], step: int, name: str) -> ModelPlace:
        newest = values[0]
        text = newest if isinstance(newest, str) else ""
        shown = keep_whole_ends(text, PATTERN_TEXT_CHARS_MAX)
        is_kept = (
            bool(shown)
            and may_write(shown)
            and not self.sources.is_tainted(step)
            and not holds_private(text)
        )
        return ModelPlace(_WHAT.format(name=make_slug(name)), shown if is_kept else None)


def _are_same(values: Sequence[JsonValue]) -> bool:
    # `True` is not 1, and 1 is not 1.0.
    return all(one == values[0] and type(one) is type(values[0]) for one in values)
