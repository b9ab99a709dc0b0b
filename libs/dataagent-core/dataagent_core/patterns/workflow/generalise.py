"""Finds what of an argument is fixed, and what a person, an earlier result or a model gives. Pure.

It is given the values of one argument in each run. Equal ones are fixed; what stands in the words
of the person is an input; what stands in an earlier result is taken from there; for the rest a
model is needed. Nothing that was written after content of strangers was read becomes fixed text,
and nothing is taken from that content.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, cast

from pydantic import JsonValue

from dataagent_core.config.limits.patterns import (
    PATTERN_TEXT_CHARS_MAX,
    WORKFLOW_COMPARED_CHARS_MAX,
    WORKFLOW_NAMES_MAX,
    WORKFLOW_TEXT_CHARS_MAX,
)
from dataagent_core.language.common_words import is_common
from dataagent_core.language.text_ends import keep_whole_ends
from dataagent_core.language.unicode_text import storable
from dataagent_core.patterns.scrub import holds_private
from dataagent_core.patterns.slots import fill_slots
from dataagent_core.patterns.trace import TracedCall
from dataagent_core.patterns.workflow.code_places import find_unsafe
from dataagent_core.patterns.workflow.differences import (
    Part,
    find_parts,
    is_word_in,
    join_parts,
    match_word,
)
from dataagent_core.patterns.workflow.find_taken import find_taken
from dataagent_core.patterns.workflow.workflow import (
    NAME,
    PLACE,
    Arg,
    Fixed,
    InputType,
    ModelPlace,
    TakenValue,
    TextTemplate,
    WorkflowInput,
    may_write,
)

# An equal text of this length that stands in an earlier result was copied from there.
_COPIED_CHARS_MIN: Final = 40
_PARTS_MAX: Final = 8
# `region = 'north'`, `"month": "may"`.
_ASSIGNED: Final = re.compile(r"([A-Za-z]\w{0,38})[\"']?\s?(?:[=:<>]|==|>=|<=)\s?[\"']?$", re.ASCII)
_WORD_BEFORE: Final = re.compile(r"([A-Za-z]\w{0,38})\W{1,3}$", re.ASCII)
_PLACES: Final = re.compile(f"({PLACE.pattern.replace('(', '(?:')})")
_NO_NAME: Final = re.compile(r"[^a-z0-9]+")
_WHAT: Final = "Write `{name}` for what the person wants this time."


@dataclass(slots=True, eq=False)
class Generaliser:
    """Collects the inputs of a workflow, and what its steps take from results."""

    # Of each run: what the person said, and its calls.
    words: Sequence[str]
    calls: Sequence[Sequence[TracedCall]]
    # Of each step, how many steps had a result before it was called; the answer is the last one.
    known_before: Sequence[int]
    inputs: dict[str, WorkflowInput] = field(default_factory=dict[str, WorkflowInput])
    takes: dict[int, dict[str, TakenValue]] = field(
        default_factory=dict[int, dict[str, TakenValue]]
    )
    # The values of each name in each run.
    values: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

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
        made = self._make_text(answers, len(self.calls[0]), "answer")
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
        for name in sorted(self.inputs, key=lambda one: -len(self.values[one][0])):
            # Not within a place that is there already.
            pieces = _PLACES.split(text)
            word = match_word(self.values[name][0])
            pieces[::2] = [word.sub(lambda _, n=name: _place(n), piece) for piece in pieces[::2]]
            text = "".join(pieces)
        return TextTemplate(text)

    def _make_text(self, texts: Sequence[str], step: int, name: str) -> Arg:
        if max(map(len, texts)) > WORKFLOW_TEXT_CHARS_MAX or not all(map(may_write, texts)):
            return self._leave(texts, step, name)
        if _are_same(texts):
            return self._keep(texts, step, name)
        if self._is_known(texts):
            return TextTemplate(_place(self._add_input(name, texts)))
        # What the inputs give is surer than what a result says.
        free = not self._is_tainted(step)
        made = self._make_template(texts, step, name, self._is_known) if free else None
        if made is None and self._may_take(texts, step, name):
            taken = self._find_taken(texts, step, name)
            made = TextTemplate(_place(taken)) if taken else None
        if made is None and free:
            has_source = partial(self._has_source, step=step)
            made = self._make_template(texts, step, name, has_source)
        return made or self._leave(texts, step, name)

    def _keep(self, texts: Sequence[str], step: int, name: str) -> Arg:
        """Return an equal text; one that may not be kept is left to the person or a model."""
        text = texts[0]
        if holds_private(text):
            return TextTemplate(_place(self._add_input(name, texts, is_private=True)))
        was_said = all(is_word_in(text, said) for said in self.words)
        if self._is_tainted(step) and not was_said and any(map(str.isalpha, text)):
            return self._leave(texts, step, name)
        if len(text) >= _COPIED_CHARS_MIN and not was_said:
            found = self._find_name(texts, step, name) if self._may_take(texts, step, name) else ""
            if found or self._is_copied(text, step):
                return TextTemplate(_place(found)) if found else self._leave(texts, step, name)
        return Fixed(text)

    def _keep_value(self, values: Sequence[JsonValue], step: int, name: str) -> Arg:
        """Return an equal value that is no text; a number may be one of a person or a card."""
        if not holds_private(json.dumps(values[0])):
            return Fixed(values[0])
        if not isinstance(values[0], int | float):
            return self._leave(values, step, name)
        kind = "integer" if isinstance(values[0], int) else "number"
        return TextTemplate(
            _place(self._add_input(name, [str(one) for one in values], kind, is_private=True))
        )

    def _make_number(self, values: Sequence[JsonValue], step: int, name: str) -> Arg | None:
        if not all(isinstance(one, int | float) and not isinstance(one, bool) for one in values):
            return None
        kind = "integer" if all(isinstance(one, int) for one in values) else "number"
        texts = [str(one) for one in values]
        if all(map(is_word_in, texts, self.words)):
            return TextTemplate(_place(self._add_input(name, texts, kind)))
        found = self._find_taken(values, step, name)
        return TextTemplate(_place(found)) if found else None

    def _make_template(
        self,
        texts: Sequence[str],
        step: int,
        name: str,
        has_source: Callable[[Sequence[str]], bool],
    ) -> TextTemplate | None:
        """Return a text with places, if each of its differences has a known source."""
        if max(map(len, texts)) > WORKFLOW_COMPARED_CHARS_MAX:
            return None
        parts = find_parts(texts)
        if parts is None:
            return None
        parts = join_parts(parts, self._is_known)
        if sum(not isinstance(one, str) for one in parts) > _PARTS_MAX:
            return None
        literals = "\0".join(one for one in parts if isinstance(one, str))
        if PLACE.search(literals) or holds_private(literals.replace("\0", " ")):
            return None
        # Names are given only when all differences have a source.
        has_sources = all(isinstance(one, str) or has_source(one) for one in parts)
        if not (has_sources and self._are_words(parts, step, name)):
            return None
        written: list[str] = []
        for part in parts:
            if isinstance(part, str):
                written.append(part)
                continue
            before = written[-1] if written else ""
            written.append(_place(self._find_name(part, step, self._suggest(part, before))))
        return TextTemplate("".join(written))

    def _may_take(self, texts: Sequence[str], step: int, name: str) -> bool:
        """Say whether a result may give the whole of an argument."""
        return self._are_words([tuple(texts)], step, name)

    def _are_words(self, parts: Sequence[Part], step: int, argument: str) -> bool:
        """Say whether what differs is one word each, where a program reads it."""
        if step >= len(self.calls[0]):
            return True
        places = {f"p{n}": part for n, part in enumerate(parts) if isinstance(part, tuple)}
        template = TextTemplate(
            "".join(p if isinstance(p, str) else _place(f"p{n}") for n, p in enumerate(parts))
        )
        tool = self.calls[0][step].tool_name
        runs = (
            {name: part[run] for name, part in places.items()} for run in range(len(self.words))
        )
        return not any(find_unsafe(tool, argument, template, values, ()) for values in runs)

    def _has_source(self, values: Sequence[str], step: int) -> bool:
        return self._is_known(values) or self._look_for_taken(values, step) is not None

    def _is_known(self, values: Sequence[str]) -> bool:
        """Say whether the person said each of these values."""
        return all(map(is_word_in, values, self.words))

    def _find_name(self, values: Sequence[str], step: int, suggested: str) -> str:
        """Return the name of values that the person said or an earlier result has; or nothing."""
        if self._is_known(values):
            return self._add_input(suggested, values)
        return self._find_taken(values, step, suggested)

    def _add_input(
        self,
        suggested: str,
        values: Sequence[str],
        kind: InputType = "text",
        *,
        is_private: bool = False,
    ) -> str:
        known = tuple(values)
        name = next((one for one in self.inputs if self.values[one] == known), "")
        if not name:
            name = self._make_name(suggested)
            self.values[name] = known
            private = is_private or any(map(holds_private, known))
            example = "" if private else known[0]
            self.inputs[name] = WorkflowInput(type=kind, example=example, is_private=private)
        elif kind != "text" and self.inputs[name].type == "text":
            before = self.inputs[name]
            self.inputs[name] = WorkflowInput(
                type=kind, example=before.example, is_private=before.is_private
            )
        return name

    def _find_taken(self, values: Sequence[JsonValue], step: int, suggested: str) -> str:
        found = self._look_for_taken(values, step)
        if found is None:
            return ""
        source, taken = found
        of_step = self.takes.setdefault(source, {})
        name = next((one for one, known in of_step.items() if known == taken), "")
        if not name:
            name = self._make_name(str(taken.path[-1]) if taken.path else suggested)
            of_step[name] = taken
            self.values[name] = tuple(map(str, values))
        return name

    def _look_for_taken(
        self, values: Sequence[JsonValue], step: int
    ) -> tuple[int, TakenValue] | None:
        for source in range(self.known_before[step] - 1, -1, -1):
            calls = [run[source] for run in self.calls]
            if any(call.content != "workspace" for call in calls):
                continue
            taken = find_taken(values, [call.result for call in calls])
            if taken is not None:
                return source, taken
        return None

    def _is_copied(self, text: str, step: int) -> bool:
        return any(
            text in call.result for run in self.calls for call in run[: self.known_before[step]]
        )

    def _is_tainted(self, step: int) -> bool:
        """Say whether any run had read content of strangers before this step."""
        return any(_was_tainted(run, step) for run in self.calls)

    def _leave(self, values: Sequence[JsonValue], step: int, name: str) -> ModelPlace:
        newest = values[0]
        text = newest if isinstance(newest, str) else ""
        shown = keep_whole_ends(text, PATTERN_TEXT_CHARS_MAX)
        is_kept = (
            bool(shown)
            and may_write(shown)
            and not self._is_tainted(step)
            and not holds_private(text)
        )
        return ModelPlace(_WHAT.format(name=_slug(name)), shown if is_kept else None)

    def _suggest(self, values: Sequence[str], before: str) -> str:
        """Suggest a name: what kind of thing it is, or else the word before it."""
        assigned = _ASSIGNED.search(before)
        if assigned:
            return assigned[1]
        kinds = {_find_kind(value) for value in values}
        kind = kinds.pop() if len(kinds) == 1 else ""
        if kind and kind != "number":
            return kind
        said = self.words[0]
        found = match_word(values[0]).search(said)
        word = _WORD_BEFORE.search(said[: found.start()] if found else before)
        return word[1] if word and not is_common(word[1].lower()) else kind or "value"

    def _make_name(self, suggested: str) -> str:
        base = _slug(suggested)
        taken = {*self.inputs, *(name for one in self.takes.values() for name in one)}
        for number in range(1, WORKFLOW_NAMES_MAX + 2):
            name = base if number == 1 else f"{base[:36]}_{number}"
            if name not in taken:
                return name
        return f"value_{len(taken) + 1}"


def _was_tainted(run: Sequence[TracedCall], step: int) -> bool:
    """Say whether content of strangers was read before a step; the answer comes after the last."""
    if step < len(run):
        return run[step].is_tainted
    return any(call.is_tainted or call.content == "strangers" for call in run)


def _are_same(values: Sequence[JsonValue]) -> bool:
    # `True` is not 1, and 1 is not 1.0.
    return all(one == values[0] and type(one) is type(values[0]) for one in values)


def _find_kind(value: str) -> str:
    found = re.fullmatch(r"\{([a-z]+)\}", fill_slots(f"for {value}").removeprefix("for").strip())
    return found[1] if found else ""


def _slug(text: str) -> str:
    name = _NO_NAME.sub("_", text.lower()).strip("_")[:40].strip("_")
    return name if NAME.fullmatch(name) else "value"


def _place(name: str) -> str:
    return f"{{{{{name}}}}}"
