"""Folds the events of a session into turns, for a reader. Pure.

Pieces of text are replaced by the final text, and events that a resumed run voided are left out.
Thoughts, progress and costs are only in the JSON export, which has every event.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from dataagent_core.events import (
    DoneEvent,
    ErrorEvent,
    Event,
    FileOperationEvent,
    HITLAnswerEvent,
    HITLRequestEvent,
    RunStartedEvent,
    TextEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from dataagent_core.session.export.plans import ExportedPlan, collect_plans
from dataagent_core.session.state import Message, Session
from dataagent_core.session.void_events import CallKey, call_key, remove_void


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedSession:
    """The content of an export."""

    session: Session
    title: str
    messages: Sequence[Message]
    events: Sequence[Event]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPart:
    """The agent's text as Markdown, and the number of its figures without a source."""

    text: str
    unsourced: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallPart:
    """A tool call and, once it has one, its result."""

    name: str
    args: Mapping[str, Any]
    # Of the sub-agent that made it.
    subagent: str = ""
    status: str = "no result"
    result: Any = None

    @property
    def title(self) -> str:
        """What it called, with which outcome, and which sub-agent it was."""
        by = f", by {self.subagent}" if self.subagent else ""
        return f"{self.name} ({self.status}{by})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChangePart:
    """A file that was changed."""

    operation: str
    path: str
    diff: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPart:
    """A human request and its decision."""

    question: str
    decision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPart:
    """An error of the run."""

    text: str


Step = AnswerPart | ToolCallPart | FileChangePart | RequestPart | ErrorPart


@dataclass(slots=True, kw_only=True)
class ExportedTurn:
    """One user message and the steps of its run; without a reason it is unfinished."""

    question: str
    model: str
    asked_at: datetime
    steps: list[Step] = field(default_factory=list[Step])
    reason: str | None = None
    # The work plan of the run.
    plan: ExportedPlan | None = None


def turns_of(exported: ExportedSession) -> list[ExportedTurn]:
    """Fold the events of a session into its turns."""
    contents = {message.message_id: message.content for message in exported.messages}
    plans = collect_plans(exported.events)
    turns: dict[str, ExportedTurn] = {}
    builders: dict[str, _TurnBuilder] = {}
    for event in remove_void(exported.events):
        run_id = event.run_id or ""
        if isinstance(event, RunStartedEvent):
            asked_at = datetime.fromtimestamp(event.timestamp, UTC)
            question = contents.get(event.message_id, "")
            turns[run_id] = ExportedTurn(
                question=question, model=event.model, asked_at=asked_at, plan=plans.get(run_id)
            )
            builders[run_id] = _TurnBuilder(turns[run_id])
        elif run_id in builders:
            builders[run_id].see(event)
    return list(turns.values())


class _TurnBuilder:
    """Collects the steps of one run."""

    def __init__(self, turn: ExportedTurn) -> None:
        self._turn = turn
        self._pieces = ""
        self._calls: dict[CallKey, int] = {}
        self._questions: dict[str, str] = {}

    def see(self, event: Event) -> None:
        steps = self._turn.steps
        match event:
            case TextEvent(is_final=True):
                self._pieces = ""
                steps.append(AnswerPart(text=event.content, unsourced=len(event.unsourced)))
            case TextEvent():
                self._pieces += event.content
            case ToolCallEvent():
                self._add_pieces()
                self._calls[call_key(event)] = len(steps)
                by = event.subagent or ""
                steps.append(ToolCallPart(name=event.tool_name, args=event.tool_args, subagent=by))
            case ToolResultEvent():
                self._answer(event)
            case FileOperationEvent() if event.operation != "read":
                changed = FileChangePart(
                    operation=event.operation, path=event.file_path, diff=event.diff
                )
                steps.append(changed)
            case HITLRequestEvent():
                self._questions[event.interrupt_id] = _question(event)
            case HITLAnswerEvent() if not event.superseded:
                question = self._questions.pop(event.interrupt_id, event.kind)
                steps.append(RequestPart(question=question, decision=_decision(event.decision)))
            case ErrorEvent():
                steps.append(ErrorPart(text=event.error))
            case DoneEvent():
                self._add_pieces()
                self._turn.reason = event.reason
            case _:
                pass

    def _add_pieces(self) -> None:
        if self._pieces.strip():
            self._turn.steps.append(AnswerPart(text=self._pieces))
        self._pieces = ""

    def _answer(self, event: ToolResultEvent) -> None:
        at = self._calls.get(call_key(event))
        called = self._turn.steps[at] if at is not None else None
        if not isinstance(called, ToolCallPart):
            called = ToolCallPart(name=event.tool_name, args={})
        part = replace(called, status=event.status, result=event.result)
        if at is None:
            self._turn.steps.append(part)
        else:
            self._turn.steps[at] = part


def _question(event: HITLRequestEvent) -> str:
    names = ", ".join(str(one.get("name", "")) for one in event.action_requests)
    return event.question or (f"{event.kind}: {names}" if names else event.kind)


def _decision(decision: Mapping[str, Any]) -> str:
    parts = (decision.get("type"), decision.get("answer"), decision.get("message"))
    return ": ".join(str(part) for part in parts if part)
