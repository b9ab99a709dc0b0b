"""Finds the number of a message's event in the log, by which `recall` reads it.

Some models reuse the ids of their calls ("call_0") in every message, so the key of a call includes
its message, as in the journal (`tools/pipeline/agent_call.py`).
"""

from collections.abc import Iterable, Mapping, Sequence

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from dataagent_core.config.limits import EVENTS_PAGE_MAX
from dataagent_core.config.limits.context import LOG_EVENTS_READ_MAX
from dataagent_core.events import (
    Event,
    RunStartedEvent,
    TextEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from dataagent_core.session import EventLog

_TYPES = ("start", "text", "tool_call", "tool_result")


class EventNumbers:
    """The numbers of events: by the id of a message, or `call:` and `result:` with a call's key."""

    def __init__(self) -> None:
        self.seqs: dict[str, int] = {}
        # Calls that have no result yet, by their run, the sub-agent's task, and their id.
        self._open: dict[tuple[str | None, str | None, str], str] = {}

    def add(self, events: Iterable[Event]) -> None:
        """Add events in the order of the log."""
        for event in events:
            name = self._name_event(event)
            if name is not None and event.seq is not None:
                self.seqs[name] = event.seq

    def _name_event(self, event: Event) -> str | None:
        match event:
            case RunStartedEvent():
                return event.message_id
            case TextEvent(is_final=True) if event.event_id is not None:
                # The engine names it text:RUN:MESSAGE.
                return event.event_id.partition(":")[2].partition(":")[2]
            case ToolCallEvent():
                key = _read_call_key(event)
                self._open[event.run_id, event.subagent_id, event.tool_call_id] = key
                return f"call:{key}"
            case ToolResultEvent():
                call = (event.run_id, event.subagent_id, event.tool_call_id)
                return f"result:{self._open.pop(call, event.tool_call_id)}"
            case _:
                return None


def seqs_of(messages: Sequence[BaseMessage], numbers: Mapping[str, int]) -> dict[str, int]:
    """Find the event of each message: by its own id, its calls, or the call it answers."""
    seqs: dict[str, int] = {}
    calls: dict[str, str] = {}
    for message in messages:
        names = [message.id or ""]
        if isinstance(message, AIMessage):
            keys = {str(call["id"]): f"{message.id}:{call['id']}" for call in message.tool_calls}
            calls |= keys
            names += [f"call:{key}" for key in keys.values()]
        elif isinstance(message, ToolMessage):
            names.append(f"result:{calls.get(message.tool_call_id, message.tool_call_id)}")
        seq = next((numbers[name] for name in names if name in numbers), None)
        if seq is not None and message.id is not None:
            seqs[message.id] = seq
    return seqs


async def read_seqs(
    log: EventLog, session_id: str, after: int, messages: Sequence[BaseMessage]
) -> dict[str, int]:
    """Read the events after this one and all user messages, and number the messages."""
    numbers = EventNumbers()
    if after:
        # The user message of a long turn is still shown when what follows it no longer is.
        await _read(log, session_id, 0, ("start",), numbers)
    await _read(log, session_id, after, _TYPES, numbers)
    return seqs_of(messages, numbers.seqs)


async def _read(
    log: EventLog, session_id: str, after: int, types: Sequence[str], numbers: EventNumbers
) -> None:
    read = 0
    while read < LOG_EVENTS_READ_MAX:
        page = await log.read(session_id, after=after, limit=EVENTS_PAGE_MAX, types=types)
        if not page:
            break
        numbers.add(page)
        after = page[-1].seq or after
        read += len(page)


def _read_call_key(event: ToolCallEvent) -> str:
    # The pipeline names it call:RUN:MESSAGE:CALL:ATTEMPT.
    numbers = (event.event_id or "").removeprefix(f"call:{event.run_id}:").rpartition(":")[0]
    return numbers if numbers.endswith(event.tool_call_id) else event.tool_call_id
