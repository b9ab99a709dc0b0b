"""The steps of a plan as a terminal shows them: of a to-do list or of a work plan. Pure.

The newest version of a work plan says what its steps are; how a step began and ended is a fact that
no version takes back. So an event that comes twice, or late, changes nothing. What events hold is
not trusted: a step without a number has that of its place, counted from 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import JsonValue

    from dataagent_core.events import StepEndEvent, StepStartEvent, WorkPlanEvent

OPEN_STATUSES = ("in_progress", "pending")
# With these ends of a plan the run works without one.
WITHOUT_A_PLAN = frozenset({"timeout", "fallback"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStep:
    """One step, and what is known of its work."""

    number: int
    text: str
    status: str = "pending"
    # The sub-agent it is assigned to, or that works on it.
    agent: str = ""
    # What came of it, or why there is nothing.
    result: str = ""
    duration_ms: int | None = None
    tokens: int = 0
    cost: float | None = None
    currency: str = "USD"


class PlanSteps:
    """The current plan: its steps, and the stage of a staged loop."""

    def __init__(self) -> None:
        self._listed: tuple[ShownStep, ...] = ()
        self._version: WorkPlanEvent | None = None
        # The sub-agent of each step that has begun; empty: the agent itself.
        self._begun: dict[int, str] = {}
        self._ended: dict[int, StepEndEvent] = {}

    @property
    def steps(self) -> list[ShownStep]:
        """The steps in their order, with what became of them."""
        return [self._apply_facts(step) for step in self._listed]

    @property
    def stage(self) -> str:
        """The stage of a staged loop; empty without one, and once the plan is over."""
        version = self._version
        return version.stage or "" if version is not None and self._is_open(version) else ""

    @property
    def round(self) -> int:
        """How many reviews have sent work back."""
        return 0 if self._version is None else self._version.round

    def find(self, number: int) -> ShownStep | None:
        """Return the step of a number."""
        return next((step for step in self.steps if step.number == number), None)

    def put_todos(self, todos: "Sequence[Mapping[str, JsonValue]]") -> bool:
        """Take a to-do list, unless a work plan is carried out; say whether anything changed."""
        if self._version is not None and self._is_open(self._version):
            return False
        before = self.steps
        self.forget()
        self._listed = _read_steps(todos)
        return before != self.steps

    def put_version(self, version: "WorkPlanEvent") -> bool:
        """Take a version of a work plan; say whether it is a newer one."""
        known = self._version
        if known is not None and known.plan_id == version.plan_id:
            if version.version <= known.version:
                return False
        else:
            self.forget()
        self._version = version
        gone = version.status in WITHOUT_A_PLAN
        self._listed = () if gone else _read_steps(version.steps)
        return True

    def begin(self, event: "StepStartEvent") -> None:
        """Note that a step of the plan begins."""
        if self._is_of_plan(event):
            self._begun.setdefault(event.step_number, event.agent)

    def end(self, event: "StepEndEvent") -> None:
        """Note that a step of the plan ended."""
        if self._is_of_plan(event):
            self._ended.setdefault(event.step_number, event)

    def forget(self) -> None:
        self._listed = ()
        self._version = None
        self._begun = {}
        self._ended = {}

    def _is_of_plan(self, event: "StepStartEvent | StepEndEvent") -> bool:
        # An old log does not name the plan.
        return event.plan_id in {"", "" if self._version is None else self._version.plan_id}

    def _apply_facts(self, step: ShownStep) -> ShownStep:
        ended = self._ended.get(step.number)
        agent = self._begun.get(step.number) or step.agent
        if ended is not None:
            tokens = ended.tokens
            return replace(
                step,
                # An old log has no status of an end.
                status=ended.status if ended.success or ended.status != "completed" else "failed",
                agent=agent,
                result=ended.result,
                duration_ms=ended.duration_ms,
                tokens=tokens.get("total_tokens")
                or tokens.get("input_tokens", 0) + tokens.get("output_tokens", 0),
                cost=ended.cost,
                currency=ended.currency,
            )
        if step.number in self._begun and step.status in OPEN_STATUSES:
            return replace(step, status="in_progress", agent=agent)
        return step

    @staticmethod
    def _is_open(version: "WorkPlanEvent") -> bool:
        return version.status in {"planning", "in_progress"}


def _read_steps(steps: "Sequence[Mapping[str, JsonValue]]") -> tuple[ShownStep, ...]:
    return tuple(_read_step(step, place) for place, step in enumerate(steps, start=1))


def _read_step(step: "Mapping[str, JsonValue]", place: int) -> ShownStep:
    number, agent, result = (step.get(n) for n in ("step_number", "assigned_agent", "result"))
    took = step.get("execution_time_ms")
    texts = (step[name] for name in ("content", "description", "title") if step.get(name))
    return ShownStep(
        number=number if isinstance(number, int) else place,
        text=str(next(texts, "")),
        status=str(step.get("status", "pending")),
        agent=agent if isinstance(agent, str) else "",
        result=result if isinstance(result, str) else "",
        duration_ms=took if isinstance(took, int) else None,
    )
