"""The life of a run: it starts, may be resumed, may warn, retry or fail, and is done once.

The kinds of runs, and how the log names them: by the id of the message that a run is for.

The only place that reads a kind from a message's id. Whoever has a run asks for its `kind`.
"""

from dataclasses import dataclass
from typing import Final, Literal

from dataagent_core.events.base import ExecutionEvent

# A run answers a message, or only compacts the session's history.
RunKind = Literal["message", "compaction"]
_SUFFIXES: Final[dict[RunKind, str]] = {"message": ":m0", "compaction": ":compact"}


def message_id_for(run_id: str, kind: RunKind = "message") -> str:
    """Return the message id of a new run."""
    return run_id + _SUFFIXES[kind]


def kind_of_run(message_id: str) -> RunKind:
    """Read the kind of a run from the id of its message."""
    return "compaction" if message_id.endswith(_SUFFIXES["compaction"]) else "message"


Mode = Literal["ask", "plan", "auto"]
DoneReason = Literal[
    "completed", "user_cancelled", "rejected", "budget", "timeout", "limit", "error"
]


@dataclass(frozen=True, kw_only=True, slots=True)
class RunStartedEvent(ExecutionEvent):
    """A message was taken up."""

    event_type: Literal["start"] = "start"
    message_id: str = ""
    model: str = ""
    assistant_id: str = ""
    mode: Mode = "ask"

    @property
    def kind(self) -> RunKind:
        """What kind of run has started."""
        return kind_of_run(self.message_id)


@dataclass(frozen=True, kw_only=True, slots=True)
class RunResumedEvent(ExecutionEvent):
    """The run goes on after a crash, or the answer after a stream that broke off.

    Text, thoughts and tool calls without a result are void where `seq > discard_after`.
    """

    event_type: Literal["resumed"] = "resumed"
    attempt: int = 1
    discard_after: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class ModeChangedEvent(ExecutionEvent):
    """The session's mode was switched."""

    event_type: Literal["mode_changed"] = "mode_changed"
    mode: Mode = "ask"
    by: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class RetryEvent(ExecutionEvent):
    """A model call failed and is tried again; where it had said something, `resumed` follows."""

    event_type: Literal["retry"] = "retry"
    attempt: int = 1
    delay_s: float = 0.0
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class WarningEvent(ExecutionEvent):
    """Something a person should know; the run goes on."""

    event_type: Literal["warning"] = "warning"
    code: str = ""
    message: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorEvent(ExecutionEvent):
    """The run failed; `done` follows."""

    event_type: Literal["error"] = "error"
    error: str = ""
    code: str = "INTERNAL"
    recoverable: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class DoneEvent(ExecutionEvent):
    """The last event of a run."""

    event_type: Literal["done"] = "done"
    token_usage: dict[str, int] | None = None
    cancelled: bool = False
    reason: DoneReason = "completed"
    content: str = ""
    format: str = "markdown"
