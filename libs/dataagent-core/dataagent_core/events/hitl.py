"""What waits for a person, and what the person said."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from dataagent_core.events.base import ExecutionEvent

HumanRequestKind = Literal[
    "approval", "clarification", "decision", "doom_loop", "budget", "elicitation", "oauth"
]


@dataclass(frozen=True, kw_only=True, slots=True)
class HITLRequestEvent(ExecutionEvent):
    """The run waits here until a person answers `interrupt_id`.

    `step_number` of a decision counts from 1: the step of the work plan that it is about, or, where
    the model itself asked, its turn in this run.
    """

    event_type: Literal["hitl_request"] = "hitl_request"
    interrupt_id: str = ""
    kind: HumanRequestKind = "approval"
    action_requests: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])
    question: str | None = None
    question_type: str | None = None
    context: str | None = None
    options: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])
    allow_multiple: bool = False
    required: bool = True
    step_number: int | None = None
    timeout_s: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class HITLAnswerEvent(ExecutionEvent):
    """A person, or a rule in their name, answered; `superseded` closes it without an answer."""

    event_type: Literal["hitl_answer"] = "hitl_answer"
    interrupt_id: str = ""
    kind: HumanRequestKind = "approval"
    decision: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    by: str | None = None
    superseded: bool = False
