"""`AgentState` (S3): where a run stands, as a projection of its events.

S3 keeps it in the graph and its checkpoints. Here the log is what is kept, and the state can be
made from it at any time, in parts or at once, by any reader.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic import ValidationError as PydanticValidationError

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.events import (
    DoneEvent,
    ErrorEvent,
    Event,
    HITLAnswerEvent,
    HITLRequestEvent,
    RunResumedEvent,
    StepEndEvent,
    StepStartEvent,
    TextEvent,
    ToolResultEvent,
    WorkPlanEvent,
)
from dataagent_core.session import read_all, runs_of
from dataagent_core.session.stores.bundle import Stores

AgentStatus = Literal["running", "waiting_approval", "completed", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentState:
    """The state of one run. Values are JSON, so that it can be written down."""

    # With the number of the event, where there is one.
    messages: tuple[Mapping[str, Any], ...] = ()
    # The step that began last, of those that are under way.
    current_task: str | None = None
    open_steps: tuple[Mapping[str, Any], ...] = ()
    # The newest version of the plan, as its event has it.
    plan: Mapping[str, Any] | None = None
    tool_results: tuple[Mapping[str, Any], ...] = ()
    # What a person has not answered yet, the first first.
    open_requests: tuple[Mapping[str, Any], ...] = ()
    error: str | None = None
    status: AgentStatus = "running"
    # The stages so far, each as often as it was entered.
    stages: tuple[str, ...] = ()
    # How often a review sent work back.
    round: int = 0

    @property
    def stage(self) -> str | None:
        """The stage that the run is in."""
        return self.stages[-1] if self.stages else None

    @property
    def needs_approval(self) -> bool:
        """Whether a person has to answer before the run goes on."""
        return bool(self.open_requests)

    @property
    def approval_request(self) -> Mapping[str, Any] | None:
        """The request that has waited longest."""
        return self.open_requests[0] if self.open_requests else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }

    def after(self, event: Event) -> "AgentState":
        """Return the state after the next event of the run."""
        match event:
            case HITLRequestEvent():
                return self._waiting_for(event)
            case HITLAnswerEvent():
                return self._without_request(event.interrupt_id)
            case RunResumedEvent():
                # After a crash the model is called again; what it had said since is void.
                valid = (
                    one for one in self.messages if (one.get("seq") or 0) <= event.discard_after
                )
                return replace(self, messages=tuple(valid))
            case ErrorEvent():
                return replace(self, error=event.error)
            case DoneEvent():
                is_completed = event.reason == "completed"
                return replace(
                    self,
                    current_task=None,
                    open_steps=(),
                    open_requests=(),
                    status="completed" if is_completed else "failed",
                )
            case _:
                # What a sub-agent does is its own; the run's plan and steps are the agent's.
                return self if event.subagent_id is not None else self._after_work(event)

    def _after_work(self, event: Event) -> "AgentState":
        match event:
            case TextEvent(is_final=True):
                said = {"role": "assistant", "content": event.content, "seq": event.seq}
                return replace(self, messages=(*self.messages, said))
            case WorkPlanEvent():
                return self._after_plan(event)
            case StepStartEvent():
                begun = {"step_number": event.step_number, "description": event.description}
                return self._working_on((*self._other_steps(event.step_number), begun))
            case StepEndEvent():
                return self._working_on(self._other_steps(event.step_number))
            case ToolResultEvent():
                result = {
                    "tool_call_id": event.tool_call_id,
                    "tool_name": event.tool_name,
                    "status": event.status,
                    "result": event.result,
                }
                return replace(self, tool_results=(*self.tool_results, result))
            case _:
                return self

    def _after_plan(self, event: WorkPlanEvent) -> "AgentState":
        if self.plan is not None and event.version <= self.plan["version"]:
            return self
        plan = {
            "plan_id": event.plan_id,
            "version": event.version,
            "status": event.status,
            "steps": event.steps,
        }
        stages = self.stages
        if event.stage is not None and self.stage != event.stage:
            stages = (*stages, event.stage)
        return replace(self, plan=plan, stages=stages, round=event.round)

    def _other_steps(self, number: int) -> tuple[Mapping[str, Any], ...]:
        return tuple(step for step in self.open_steps if step["step_number"] != number)

    def _working_on(self, steps: tuple[Mapping[str, Any], ...]) -> "AgentState":
        task = steps[-1]["description"] if steps else None
        return replace(self, open_steps=steps, current_task=task)

    def _waiting_for(self, event: HITLRequestEvent) -> "AgentState":
        asked = {"interrupt_id": event.interrupt_id, "kind": event.kind}
        others = self._without_request(event.interrupt_id).open_requests
        return replace(self, open_requests=(*others, asked), status="waiting_approval")

    def _without_request(self, interrupt_id: str) -> "AgentState":
        left = tuple(one for one in self.open_requests if one["interrupt_id"] != interrupt_id)
        if len(left) == len(self.open_requests):
            return self
        return replace(self, open_requests=left, status="waiting_approval" if left else "running")


_ADAPTER: TypeAdapter[AgentState] = TypeAdapter(AgentState)


def read_state_dict(data: object) -> AgentState:
    """Read what `AgentState.to_dict` gave."""
    try:
        return _ADAPTER.validate_python(data)
    except PydanticValidationError as error:
        raise ValidationError(f"not a state: {error}") from error


def fold_state(task: str, events: Iterable[Event]) -> AgentState:
    """Make the state of a run from what the person wrote and the run's events."""
    state = AgentState(messages=({"role": "user", "content": task},))
    for event in events:
        state = state.after(event)
    return state


async def read_agent_state(stores: Stores, session_id: str) -> AgentState:
    """Read where the last run of a session stands."""
    runs = await runs_of(stores.log, session_id)
    if not runs:
        raise NotFoundError(f"session {session_id!r} has no run.")
    run_id = runs[-1].run_id
    stored = await stores.messages.get_message(session_id, runs[-1].message_id)
    events = await read_all(stores.log, session_id, run_id=run_id)
    # What people change in a plan belongs to no run.
    for event in await read_all(stores.log, session_id, types=("work_plan",)):
        if isinstance(event, WorkPlanEvent) and event.plan_id == run_id != event.run_id:
            events.append(event)
    in_order = sorted(events, key=lambda event: event.seq or 0)
    return fold_state(stored.content if stored else "", in_order)
