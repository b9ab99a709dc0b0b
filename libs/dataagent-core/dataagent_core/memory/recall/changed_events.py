"""What became of memories, as events say it. Pure.

An event repeats only what its own session says: who reads that one may not know of another, and
what is forgotten must not stay in the log of a session that never said it.
"""

from dataagent_core.events import MemoryChangedEvent
from dataagent_core.memory.hygiene.refusal import MemoryRefusedError
from dataagent_core.memory.memory import Memory
from dataagent_core.memory.memory_results import AddResult


def make_added_event(
    result: AddResult, key: str, session_id: str, by: str | None = None
) -> MemoryChangedEvent:
    """Say once in a session what a new memory did; `key` names what was done."""
    # A known one that says the same was worded where it was learned.
    is_new = result.action != "merged"
    return MemoryChangedEvent(
        event_id=f"memory:{key}",
        change=result.action,
        memory_id=result.memory.id,
        memory_type=result.memory.type,
        content=result.memory.content if is_new else _tell(result.memory, session_id),
        closed=[one.id for one in result.closed],
        by=by,
    )


def make_refused_event(error: MemoryRefusedError, key: str) -> MemoryChangedEvent:
    """Say why something was not remembered; its text is kept nowhere."""
    return MemoryChangedEvent(
        event_id=f"memory:{key}", change="refused", code=error.rule, reason=error.for_person
    )


def make_retired_event(memory: Memory, session_id: str, by: str | None) -> MemoryChangedEvent:
    """Say in a session that a person called a memory wrong."""
    return MemoryChangedEvent(
        change="retired",
        memory_id=memory.id,
        memory_type=memory.type,
        content=_tell(memory, session_id),
        by=by,
    )


def make_forgotten_event(memory_id: str, by: str | None) -> MemoryChangedEvent:
    """Say that a person had a memory removed; nothing of it is said."""
    return MemoryChangedEvent(change="forgotten", memory_id=memory_id, by=by)


def _tell(memory: Memory, session_id: str) -> str:
    return memory.content if memory.source.session_id == session_id else ""
