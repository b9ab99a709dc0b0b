"""`Workflow`: the calls of a pattern with places for what differs from run to run.

A text has places as `{{name}}`: an input that the person gives, or a value taken from the result of
an earlier step. A `ModelPlace` is where a model is still needed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from pydantic import JsonValue

from dataagent_core.language.unicode_text import storable
from dataagent_core.patterns.workflow.result_shape import ANY_RESULT, ResultShape

InputType = Literal["text", "integer", "number"]
NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
PLACE: Final = re.compile(r"\{\{(" + NAME.pattern + r")\}\}")


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value that is the same in each run."""

    value: JsonValue


@dataclass(frozen=True, slots=True)
class TextTemplate:
    """A text with places; a text that is one place has the type of its value."""

    template: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its places."""
        return tuple(PLACE.findall(self.template))


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """A value that a model writes."""

    what: str
    # Of an earlier run, shortened; None: there is none that may be kept.
    like: str | None = None


Arg = Fixed | TextTemplate | ModelPlace | Mapping[str, "Arg"] | tuple["Arg", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowInput:
    """What a person gives to a run."""

    type: InputType = "text"
    # Of an earlier run; empty for what is not to be kept.
    example: str = ""
    # Personal or secret: it has no example and is given each time.
    is_private: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenValue:
    """A value of a step's result: at a path of JSON, or between two texts of one line."""

    path: tuple[str | int, ...] = ()
    after: str = ""
    # Empty: up to the next blank or the end of the line.
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowStep:
    """One tool call."""

    tool: str
    args: Mapping[str, Arg] = field(default_factory=dict[str, Arg])
    # What later steps use of its result.
    takes: Mapping[str, TakenValue] = field(default_factory=dict[str, TakenValue])
    expect: ResultShape = ANY_RESULT
    # Called together with the step before it, as it was in each run.
    is_together: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What the runs took that a workflow was compiled from, on average."""

    runs: int = 0
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """A pattern that can be run with inputs."""

    name: str
    pattern_id: str
    # The person's request, with places for the inputs.
    goal: TextTemplate
    inputs: Mapping[str, WorkflowInput]
    steps: tuple[WorkflowStep, ...]
    answer: TextTemplate | ModelPlace
    measured: Baseline = Baseline()


def may_write(text: str) -> bool:
    """Say whether a file may hold a text: no database stores half of a sign or NUL."""
    return "\0" not in text and storable(text) is text


def walk_args(args: Mapping[str, Arg]) -> Iterator[tuple[str, Fixed | TextTemplate | ModelPlace]]:
    """List the values within arguments, each with its path, as `rows.0.title`."""
    waiting: list[tuple[str, Arg]] = list(reversed(list(args.items())))
    while waiting:
        path, arg = waiting.pop()
        if isinstance(arg, Fixed | TextTemplate | ModelPlace):
            yield path, arg
            continue
        inner = arg.items() if isinstance(arg, Mapping) else enumerate(arg)
        waiting.extend(reversed([(f"{path}.{key}", value) for key, value in inner]))
