"""How a background task stands, read from the log of its session."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from dataagent_core.events import (
    DoneEvent,
    ErrorEvent,
    Event,
    HITLAnswerEvent,
    HITLRequestEvent,
    RunStartedEvent,
    SubAgentEvent,
    ToolCallEvent,
)
from dataagent_core.permissions.tool_groups import TASK
from dataagent_core.session import EventLog, read_all

TaskState = Literal["queued", "running", "waiting", "finished", "failed", "cancelled"]
# The events that say how a task stands.
_STATE_EVENTS: Final = (
    "start", "done", "error", "hitl_request", "hitl_answer", "subagent", "tool_call",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundState:
    """How a task stands; `text` is its report, what it waits for, or why it has failed."""

    state: TaskState
    text: str = ""
    tool_calls: int = 0
    last_tool: str = ""
    seconds: float = 0.0

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes."""
        return self.state in {"finished", "failed", "cancelled"}

    def without_text(self) -> "BackgroundState":
        """Return the same state without what the task itself says."""
        return replace(self, text="")

    def render(self, task_id: str, name: str) -> str:
        """Write it for the model that started the task."""
        head = f"{task_id} ({name})"
        match self.state:
            case "queued":
                return f"{head} has not begun yet."
            case "running":
                last = f", the last one {self.last_tool}" if self.last_tool else ""
                return (
                    f"{head} is at work for {self.seconds:.0f} s: {self.tool_calls} tool calls"
                    f"{last}."
                )
            case "waiting":
                asked = f": {self.text}" if self.text else "."
                return (
                    f"{head} waits for a person{asked} The person answers in the session {task_id}."
                    " Tell them."
                )
            case "finished":
                return f"{head} has finished.\n{self.text}".rstrip()
            case "failed":
                return f"{head} has failed. {self.text}".rstrip()
            case "cancelled":
                return f"{head} was cancelled. What it did until then stays done."


def make_handover_id(run_id: str) -> str:
    """Make the id of the `task` call that gives a background run's message to its sub-agent."""
    return f"call_{run_id}"


def read_state(events: Sequence[Event], now_s: float) -> BackgroundState:
    """Read how a task stands; what a person says in its session later is no part of it."""
    started = next((e for e in events if isinstance(e, RunStartedEvent)), None)
    if started is None:
        return BackgroundState(state="queued")
    own = [event for event in events if event.run_id == started.run_id]
    calls = [e for e in own if isinstance(e, ToolCallEvent) and e.tool_name != TASK]
    state, text = _find_end(own) or _find_wait(own)
    end_s = now_s if state == "running" else own[-1].timestamp
    return BackgroundState(
        state=state,
        text=text,
        tool_calls=len(calls),
        last_tool=calls[-1].tool_name if calls else "",
        seconds=end_s - started.timestamp,
    )


@dataclass(slots=True)
class StateReader:
    """Reads from the log how a task stands; each reading goes on where the one before ended."""

    log: EventLog
    task_id: str
    _events: list[Event] = field(default_factory=list[Event])

    async def read(self) -> BackgroundState:
        """Read how the task stands now."""
        after = self._events[-1].seq or 0 if self._events else 0
        self._events += await read_all(self.log, self.task_id, after=after, types=_STATE_EVENTS)
        return read_state(self._events, time.time())


async def load_state(log: EventLog, task_id: str) -> BackgroundState:
    """Read once how a task stands."""
    return await StateReader(log, task_id).read()


async def is_over(log: EventLog, task_id: str) -> bool:
    """Say whether nothing more comes of a task, without reading what it did."""
    ends = await read_all(log, task_id, types=("start", "done"))
    return read_state(ends, time.time()).is_over


async def list_task_ids(log: EventLog, session_id: str, run_id: str | None = None) -> list[str]:
    """List the tasks that a log names, or one run in it, the oldest first.

    A copied or imported log names tasks of other conversations, so each must be looked up.
    """
    events = await read_all(log, session_id, run_id=run_id, types=("subagent",))
    started = (
        event.subagent_id
        for event in events
        if isinstance(event, SubAgentEvent) and event.mode == "background" and event.subagent_id
    )
    return list(dict.fromkeys(started))


def _find_end(events: Sequence[Event]) -> tuple[TaskState, str] | None:
    done = next((e for e in reversed(events) if isinstance(e, DoneEvent)), None)
    if done is None:
        return None
    if done.reason == "user_cancelled":
        return "cancelled", ""
    if done.reason != "completed":
        errors = [e.error for e in events if isinstance(e, ErrorEvent)]
        return "failed", errors[-1] if errors else f"It ended early ({done.reason})."
    return ("failed" if _has_sub_agent_failed(events) else "finished"), done.content


def _has_sub_agent_failed(events: Sequence[Event]) -> bool:
    """Say whether the sub-agent that was given the message did not finish, or never began."""
    handover_id = make_handover_id(events[0].run_id or "")
    is_handed = any(isinstance(e, ToolCallEvent) and e.tool_call_id == handover_id for e in events)
    own = (e for e in events if isinstance(e, SubAgentEvent) and e.parent_id is None)
    return is_handed and all(e.phase != "finished" for e in own)


def _find_wait(events: Sequence[Event]) -> tuple[TaskState, str]:
    answered = {e.interrupt_id for e in events if isinstance(e, HITLAnswerEvent)}
    open_requests = [
        e for e in events if isinstance(e, HITLRequestEvent) and e.interrupt_id not in answered
    ]
    if not open_requests:
        return "running", ""
    return "waiting", " ".join(_describe(request) for request in open_requests)


def _describe(request: HITLRequestEvent) -> str:
    if request.question:
        return request.question
    calls = ", ".join(str(action.get("description", "")) for action in request.action_requests)
    return f"{request.kind} of {calls}." if calls else f"{request.kind}."
