"""Which memories a run was given, and what became of memories. `memory/` decides both."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from dataagent_core.events.base import ExecutionEvent

# A newer one closes an older one (`replaced`), a person calls one wrong (`retired`).
MemoryChange = Literal["added", "merged", "replaced", "refused", "retired", "forgotten"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryRecalledEvent(ExecutionEvent):
    """Memories were put before the model, the best first.

    Their texts are not in the event: whose they are reads them by id, until they are forgotten.
    """

    event_type: Literal["memory_recalled"] = "memory_recalled"
    # The tool that the model asked for them; empty: they were given with the message.
    tool: str = ""
    # {id, type, score, is_tainted, legs: [{name, raw, share, rank}]}; of an episode, which is no
    # memory, {id, type: "episode", is_tainted}.
    memories: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryChangedEvent(ExecutionEvent):
    """A memory was added, changed, refused or forgotten.

    A forgotten or refused one has no text, nor has one that was learned in another session.
    Within a run it is what was learned from it; of no run, what a person did.
    """

    event_type: Literal["memory_changed"] = "memory_changed"
    change: MemoryChange = "added"
    # Empty where it was refused.
    memory_id: str = ""
    memory_type: str = ""
    content: str = ""
    # Why it was refused: a code, and a sentence.
    code: str = ""
    reason: str = ""
    # The memories that it closed.
    closed: list[str] = field(default_factory=list[str])
    by: str | None = None
