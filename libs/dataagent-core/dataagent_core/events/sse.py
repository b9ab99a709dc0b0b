"""S2's view of the log: each event as one server-sent event. A pure rendering, nothing is stored.

The names and fields are those of S2 §5.2.8, §6.4, §11 and §12; what S2 does not name keeps ours.
"""

from datetime import UTC, datetime
from typing import Any, assert_never

# Not from `typing`: pydantic reads it at run time, which needs the newer one on Python 3.11.
from typing_extensions import TypedDict

from dataagent_core.events.agents import PatternEvent, SkillEvent, SkillPhase, SubAgentEvent
from dataagent_core.events.base import LOG_FIELDS
from dataagent_core.events.codec import Event
from dataagent_core.events.feedback import FeedbackEvent
from dataagent_core.events.file import FileOperationEvent
from dataagent_core.events.hitl import HITLAnswerEvent, HITLRequestEvent
from dataagent_core.events.memory import MemoryChangedEvent, MemoryRecalledEvent
from dataagent_core.events.plan import (
    StepEndEvent,
    StepFinishEvent,
    StepStartEvent,
    TodoUpdateEvent,
    WorkPlanEvent,
)
from dataagent_core.events.system import (
    DoneEvent,
    ErrorEvent,
    ModeChangedEvent,
    RetryEvent,
    RunResumedEvent,
    RunStartedEvent,
    WarningEvent,
)
from dataagent_core.events.text import TextEvent, ThoughtEvent
from dataagent_core.events.tool import ToolCallEvent, ToolProgressEvent, ToolResultEvent
from dataagent_core.events.usage import ContextCompressedEvent, CostUpdateEvent


class SSEEvent(TypedDict):
    """The JSON that S2 puts into an event's `data:` line."""

    type: str
    data: dict[str, Any]
    timestamp: str
    conversation_id: str | None
    event_id: str | None


def render_sse(event: Event) -> SSEEvent:
    """Render one event the way S2's clients read it."""
    kind, data = _render(event)
    moment = datetime.fromtimestamp(event.timestamp, UTC).isoformat()
    return {
        "type": kind,
        "data": data,
        "timestamp": moment.replace("+00:00", "Z"),
        "conversation_id": event.session_id,
        "event_id": event.event_id,
    }


def _render(event: Event) -> tuple[str, dict[str, Any]]:  # noqa: C901, PLR0911, PLR0912 (one row per event)
    own = _own_fields(event)
    match event:
        case TextEvent():
            return "text_delta", {**own, "delta": event.content}
        case ThoughtEvent():
            data = {**own, "thought": event.content, "thought_level": event.level}
            return ("thought" if event.is_final else "thought_delta"), data
        case ToolCallEvent():
            return "act", {**own, "tool_input": event.tool_args}
        case ToolResultEvent():
            return "observe", own
        case HITLRequestEvent():
            return _ASKED.get(event.kind, "human_asked"), _request_fields(event, own)
        case HITLAnswerEvent():
            return _ANSWERED.get(event.kind, "human_answered"), _answer_fields(event, own)
        case SkillEvent():
            return _SKILL[event.phase], own
        case SubAgentEvent():
            return f"subagent_{event.phase}", own
        case RetryEvent():
            message = f"Trying again in {event.delay_s:g} s: {event.reason}"
            return "warning", {**own, "code": "RETRY", "message": message}
        case ErrorEvent():
            return "error", {**own, "message": event.error}
        case DoneEvent():
            return "complete", own
        case (
            RunStartedEvent()
            | RunResumedEvent()
            | ToolProgressEvent()
            | FileOperationEvent()
            | TodoUpdateEvent()
            | WorkPlanEvent()
            | StepStartEvent()
            | StepEndEvent()
            | StepFinishEvent()
            | PatternEvent()
            | MemoryRecalledEvent()
            | MemoryChangedEvent()
            | ContextCompressedEvent()
            | CostUpdateEvent()
            | ModeChangedEvent()
            | FeedbackEvent()
            | WarningEvent()
        ):
            return event.event_type, own
        case _:
            assert_never(event)


_ASKED = {
    "approval": "permission_asked",
    "clarification": "clarification_asked",
    "decision": "decision_asked",
    "doom_loop": "doom_loop_detected",
}
_ANSWERED = {
    "approval": "permission_replied",
    "clarification": "clarification_answered",
    "decision": "decision_answered",
    "doom_loop": "doom_loop_intervened",
}
# S2 §11, "Agent Execution Models".
_SKILL: dict[SkillPhase, str] = {
    "matched": "skill_matched",
    "activated": "skill_activated",
    "started": "skill_execution_start",
    "tool_started": "skill_tool_start",
    "tool_result": "skill_tool_result",
    "completed": "skill_execution_complete",
    "fallback": "skill_fallback",
}
# S2 has another name for the same id in each kind of request.
_ID_NAME = {"clarification": "question_id", "decision": "decision_id"}


def _request_fields(event: HITLRequestEvent, own: dict[str, Any]) -> dict[str, Any]:
    name = _ID_NAME.get(event.kind, "request_id")
    return {**own, name: event.interrupt_id, "timeout": event.timeout_s}


def _answer_fields(event: HITLAnswerEvent, own: dict[str, Any]) -> dict[str, Any]:
    name = _ID_NAME.get(event.kind, "request_id")
    return {**own, name: event.interrupt_id, "answer": event.decision.get("answer")}


def _own_fields(event: Event) -> dict[str, Any]:
    skipped = {"event_type", "timestamp", *LOG_FIELDS}
    return {name: value for name, value in event.to_dict().items() if name not in skipped}
