"""Reads the steps of a plan from its events, whatever shape a model gave them.

A work plan counts before a to-do list. The text of a step is tainted if it first appears after
content of others was read; a step whose text stood there before stays clean.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from dataagent_core.config.limits.patterns import TRACE_STEPS_MAX, TRACE_TEXT_CHARS_MAX
from dataagent_core.language.text_ends import keep_whole_ends
from dataagent_core.patterns.trace import TracedStep

RawSteps = Sequence[Mapping[str, JsonValue]]


class PlanReader:
    """The steps of the agent's plan, as they stand after the events seen so far."""

    def __init__(self) -> None:
        self._todos: dict[int, TracedStep] = {}
        self._plan: dict[int, TracedStep] = {}
        self._clean_texts: set[str] = {""}

    @property
    def steps(self) -> tuple[TracedStep, ...]:
        """The steps of the work plan, or of the to-do list where there is none."""
        return tuple((self._plan or self._todos).values())

    def see_todos(self, todos: RawSteps, *, is_tainted: bool) -> None:
        """Take a to-do list, which replaces the one before."""
        self._todos = self._read(todos, is_tainted=is_tainted)

    def see_plan(self, steps: RawSteps, *, is_tainted: bool) -> None:
        """Take a work plan, which replaces the one before."""
        self._plan = self._read(steps, is_tainted=is_tainted)

    def mark(self, number: int, status: str) -> None:
        """Note how far a step is."""
        if number in self._plan:
            self._plan[number] = replace(self._plan[number], status=status)

    def _read(self, raw_steps: RawSteps, *, is_tainted: bool) -> dict[int, TracedStep]:
        steps: dict[int, TracedStep] = {}
        for position, raw in enumerate(raw_steps[:TRACE_STEPS_MAX], start=1):
            step = _read_step(raw, position)
            texts = {step.description, step.expected_output}
            if not is_tainted:
                self._clean_texts |= texts
            steps[step.step_number] = replace(step, is_tainted=not texts <= self._clean_texts)
        return steps


def read_text(value: JsonValue) -> str:
    """Return a text within its limit; what is none is empty."""
    return shorten(value) if isinstance(value, str) else ""


def shorten(text: str) -> str:
    """Return a text as a trace holds it."""
    return keep_whole_ends(text, TRACE_TEXT_CHARS_MAX)


def _read_step(raw: Mapping[str, JsonValue], position: int) -> TracedStep:
    number = raw.get("step_number")
    return TracedStep(
        step_number=number if type(number) is int else position,
        description=read_text(raw.get("description") or raw.get("content")),
        expected_output=read_text(raw.get("expected_output")),
        required_tools=tuple(map(read_text, _read_list(raw.get("required_tools")))),
        dependencies=tuple(one for one in _read_list(raw.get("dependencies")) if type(one) is int),
        status=read_text(raw.get("status")).lower() or "pending",
        result=read_text(raw.get("result")),
    )


def _read_list(value: JsonValue) -> list[JsonValue]:
    return value[:TRACE_STEPS_MAX] if isinstance(value, list) else []
