"""Which step of a script answers a request. Pure and stateless.

The step is the number of answers since the last human message, so a process that resumes a
conversation continues at the same step. A step may use values from tool results: `{{name}}` is the
last match of the name's expression, `{{name:0}}` the first. A name without a match stays as
written, so that a test sees it.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataagent_core.models.scripted.script import Script, Step

# What the engine adds behind a person's words: a scenario is chosen by the words alone.
_ADDED = re.compile(
    r"\n*<(matched_skills|delegation-note|planning-note|pattern-note)>\n.*?\n</\1>", re.DOTALL
)
_PLACE = re.compile(r"\{\{(\w+)(?::(\d+))?\}\}")


def recall_values(step: Step, patterns: Mapping[str, str], told: Sequence[str]) -> Step:
    """Fill the places of a step."""
    if not patterns:
        return step
    found = {name: _all(pattern, told) for name, pattern in patterns.items()}

    def filled(value: Any) -> Any:
        match value:
            case str():
                return _PLACE.sub(lambda place: _at(found, place), value)
            case dict():
                return {key: filled(inner) for key, inner in value.items()}
            case list():
                return [filled(inner) for inner in value]
            case _:
                return value

    calls = tuple(call.model_copy(update={"args": filled(call.args)}) for call in step.tool_calls)
    return step.model_copy(update={"text": filled(step.text), "tool_calls": calls})


def _all(pattern: str, told: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(one.group() for text in told for one in re.finditer(pattern, text)))


def _at(found: Mapping[str, Sequence[str]], place: re.Match[str]) -> str:
    listed = found.get(place[1], ())
    number = int(place[2]) if place[2] else len(listed) - 1
    return listed[number] if 0 <= number < len(listed) else place.group()


FINAL_TEXT = "The script has no further step."


@dataclass(frozen=True, slots=True)
class ScriptTurn:
    """What the script needs to know of a request; `origin` tells equal texts apart."""

    text: str
    origin: str
    answered: int
    # What tools have said since, the first first.
    told: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A short name of the human message that is being answered."""
        digest = hashlib.sha256(f"{self.origin}\0{self.text}".encode(errors="replace"))
        return digest.hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class ChosenStep:
    """The step to play, and a name of it that no other step of the conversation has."""

    step: Step
    name: str

    def call_id(self, position: int) -> str:
        """Return the id of a tool call: the script's own, or one made from the name."""
        return self.step.tool_calls[position].id or f"call_{self.name}_{position}"


def choose(script: Script, turn: ScriptTurn) -> ChosenStep:
    """Pick the first scenario that matches and its next step; past the end, a fixed answer."""
    words = _ADDED.sub("", turn.text)
    for number, scenario in enumerate(script.scripts):
        if scenario.match is None or re.search(scenario.match, words):
            name = f"{turn.key}_{number}_{turn.answered}"
            if turn.answered < len(scenario.steps):
                step = recall_values(scenario.steps[turn.answered], scenario.recall, turn.told)
                return ChosenStep(step, name)
            return ChosenStep(Step(text=FINAL_TEXT), name)
    return ChosenStep(Step(text=FINAL_TEXT), f"{turn.key}_x_{turn.answered}")
