"""Where the values of a workflow come from, and their names: a person, or an earlier result.

Nothing is taken from content of strangers.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic import JsonValue

from dataagent_core.config.limits.patterns import WORKFLOW_NAMES_MAX
from dataagent_core.language.common_words import is_common
from dataagent_core.patterns.scrub import holds_private
from dataagent_core.patterns.slots import fill_slots
from dataagent_core.patterns.trace import TracedCall
from dataagent_core.patterns.workflow.differences import is_word_in, match_word
from dataagent_core.patterns.workflow.find_taken import find_taken
from dataagent_core.patterns.workflow.workflow import (
    NAME,
    InputType,
    TakenValue,
    WorkflowInput,
)

# `region = 'north'`, `"month": "may"`.
_ASSIGNED: Final = re.compile(r"([A-Za-z]\w{0,38})[\"']?\s?(?:[=:<>]|==|>=|<=)\s?[\"']?$", re.ASCII)
_WORD_BEFORE: Final = re.compile(r"([A-Za-z]\w{0,38})\W{1,3}$", re.ASCII)
_NO_NAME: Final = re.compile(r"[^a-z0-9]+")


@dataclass(slots=True, eq=False)
class ValueSources:
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

    def has_source(self, values: Sequence[str], step: int) -> bool:
        return self.is_known(values) or self._look_for_taken(values, step) is not None

    def is_known(self, values: Sequence[str]) -> bool:
        """Say whether the person said each of these values."""
        return all(map(is_word_in, values, self.words))

    def find_name(self, values: Sequence[str], step: int, suggested: str) -> str:
        """Return the name of values that the person said or an earlier result has; or nothing."""
        if self.is_known(values):
            return self.add_input(suggested, values)
        return self.find_taken_name(values, step, suggested)

    def add_input(
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

    def find_taken_name(self, values: Sequence[JsonValue], step: int, suggested: str) -> str:
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

    def is_copied(self, text: str, step: int) -> bool:
        return any(
            text in call.result for run in self.calls for call in run[: self.known_before[step]]
        )

    def is_tainted(self, step: int) -> bool:
        """Say whether any run had read content of strangers before this step."""
        return any(_was_tainted(run, step) for run in self.calls)

    def suggest_name(self, values: Sequence[str], before: str) -> str:
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
        base = make_slug(suggested)
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


def _find_kind(value: str) -> str:
    found = re.fullmatch(r"\{([a-z]+)\}", fill_slots(f"for {value}").removeprefix("for").strip())
    return found[1] if found else ""


def make_slug(text: str) -> str:
    """Return a name made of a text."""
    name = _NO_NAME.sub("_", text.lower()).strip("_")[:40].strip("_")
    return name if NAME.fullmatch(name) else "value"


def write_place(name: str) -> str:
    """Write a place of a text."""
    return f"{{{{{name}}}}}"
