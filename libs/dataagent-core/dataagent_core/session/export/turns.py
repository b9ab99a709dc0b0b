"""What happened in a session, run by run, as a reader wants it told. Pure.

Pieces of text give way to the whole text, and what a resumed run voided is not told. Thoughts,
progress and costs stay in the JSON, which has every event.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from dataagent_core.events import (
    DoneEvent,
    ErrorEvent,
    Event,
    FileOperationEvent,
    HITLAnswerEvent,
    HITLRequestEvent,
    RunResumedEvent,
    RunStartedEvent,
    TextEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from dataagent_core.session.state import Message, Session


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedSession:
    """Everything an export is made of."""

    session: Session
    title: str
    messages: Sequence[Message]
    events: Sequence[Event]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPart:
    """The agent's words, as Markdown, with how many of its figures have no source."""

    text: str
    unsourced: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallPart:
    """A tool call and, once it has one, its result."""

    name: str
    args: Mapping[str, Any]
    status: str = "no result"
    result: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChangePart:
    """A file that was changed."""

    operation: str
    path: str
    diff: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPart:
    """What a person was asked, and what they decided."""

    question: str
    decision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPart:
    """What went wrong."""

    text: str


Step = AnswerPart | ToolCallPart | FileChangePart | RequestPart | ErrorPart


@dataclass(slots=True, kw_only=True)
class ExportedTurn:
    """One message of a person and what came of it; without a reason it is not finished."""

    question: str
    model: str
    asked_at: datetime
    steps: list[Step] = field(default_factory=list[Step])
    reason: str | None = None


def turns_of(exported: ExportedSession) -> list[ExportedTurn]:
    """Fold the events of a session into its turns."""
    said = {message.message_id: message.content for message in exported.messages}
    turns: dict[str, ExportedTurn] = {}
    folds: dict[str, _TurnBuilder] = {}
    for event in _not_void(exported.events):
        run_id = event.run_id or ""
        if isinstance(event, RunStartedEvent):
            asked_at = datetime.fromtimestamp(event.timestamp, UTC)
            question = said.get(event.message_id, "")
            turns[run_id] = ExportedTurn(question=question, model=event.model, asked_at=asked_at)
            folds[run_id] = _TurnBuilder(turns[run_id])
        elif run_id in folds:
            folds[run_id].see(event)
    return list(turns.values())


def _not_void(events: Sequence[Event]) -> list[Event]:
    """Leave out what a later `resumed` of the same run took back."""
    results = {e.tool_call_id for e in events if isinstance(e, ToolResultEvent)}
    # A call that is made again keeps its id: the result is the later one's.
    answered = {
        e.tool_call_id: e.seq
        for e in events
        if isinstance(e, ToolCallEvent) and e.tool_call_id in results
    }
    kept: list[Event] = []
    for event in events:
        if isinstance(event, RunResumedEvent):
            kept = [one for one in kept if not _voided(one, event, answered)]
        kept.append(event)
    return kept


def _voided(event: Event, resumed: RunResumedEvent, answered: Mapping[str, int | None]) -> bool:
    if event.run_id != resumed.run_id or (event.seq or 0) <= resumed.discard_after:
        return False
    if isinstance(event, ToolCallEvent):
        return answered.get(event.tool_call_id) != event.seq
    return isinstance(event, TextEvent)


class _TurnBuilder:
    """Puts the steps of one run together."""

    def __init__(self, turn: ExportedTurn) -> None:
        self._turn = turn
        self._pieces = ""
        self._calls: dict[str, int] = {}
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
                self._say_pieces()
                self._calls[event.tool_call_id] = len(steps)
                steps.append(ToolCallPart(name=event.tool_name, args=event.tool_args))
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
                self._say_pieces()
                self._turn.reason = event.reason
            case _:
                pass

    def _say_pieces(self) -> None:
        if self._pieces.strip():
            self._turn.steps.append(AnswerPart(text=self._pieces))
        self._pieces = ""

    def _answer(self, event: ToolResultEvent) -> None:
        at = self._calls.get(event.tool_call_id)
        called = self._turn.steps[at] if at is not None else None
        args = called.args if isinstance(called, ToolCallPart) else {}
        told = ToolCallPart(
            name=event.tool_name, args=args, status=event.status, result=event.result
        )
        if at is None:
            self._turn.steps.append(told)
        else:
            self._turn.steps[at] = told


def _question(event: HITLRequestEvent) -> str:
    names = ", ".join(str(one.get("name", "")) for one in event.action_requests)
    return event.question or (f"{event.kind}: {names}" if names else event.kind)


def _decision(decision: Mapping[str, Any]) -> str:
    parts = (decision.get("type"), decision.get("answer"), decision.get("message"))
    return ": ".join(str(part) for part in parts if part)
