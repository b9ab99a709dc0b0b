"""A memory, as the API shows it."""

from datetime import datetime
from typing import Annotated, Self, get_args

from pydantic import BeforeValidator, Field

from dataagent_core.memory.memory import MemoryType, ScopeKind, SourceKind
from dataagent_server.agents.memory.known_memories import KnownMemories
from dataagent_server.api.models.base import ResponseModel

# What core keeps as an empty text is nothing here.
Known = Annotated[str | None, BeforeValidator(lambda text: text or None)]


class MemoryScopeInfo(ResponseModel):
    """Where a memory counts."""

    kind: ScopeKind = Field(
        description="`user`: with one assistant. `project`: with it in one project. `org`: with "
        "every assistant. It is one person's in each of them"
    )
    assistant_id: Known
    project_id: Known


class MemorySourceInfo(ResponseModel):
    """Where a memory comes from."""

    kind: SourceKind
    session_id: Known
    run_id: Known
    seq_first: int = Field(description="The first event it rests on; 0: none")
    seq_last: int
    tool: Known = Field(description="The tool whose result it is")
    speaker: Known = Field(description="Who said it, where it was not you")
    quote: str = Field(description="The words it rests on")


class MemoryItem(ResponseModel):
    """One thing that is remembered of you."""

    id: str
    type: MemoryType
    content: str
    scope: MemoryScopeInfo
    source: MemorySourceInfo
    confidence: float
    is_tainted: bool = Field(description="It comes from content of strangers")
    subject: Known = Field(description="What it says something about")
    valid_from: datetime = Field(description="From when it was true")
    valid_to: datetime | None = Field(description="Until when it was true")
    recorded_at: datetime
    retired_at: datetime | None = Field(description="When you called it wrong")
    replaced_by: Known = Field(description="The memory that took its place")
    expires_at: datetime | None
    updated_at: datetime
    access_count: int
    last_accessed_at: datetime | None
    episode_id: Known = Field(description="The episode of the graph it belongs to")
    version: int = Field(description="Counts every change; give it back to change what you saw")


class MemoryDetail(ResponseModel):
    """A memory with those of the same subject before and after it."""

    memory: MemoryItem
    history: list[MemoryItem] = Field(description="The oldest first, without the memory itself")
    is_source_gone: bool = Field(description="The conversation it comes from was deleted")


class MemoryProfile(ResponseModel):
    """What is known about you now: the newest of each type first, up to 100."""

    facts: list[MemoryItem]
    preferences: list[MemoryItem]
    decisions: list[MemoryItem]
    context: list[MemoryItem]
    counts: dict[MemoryType, int] = Field(description="How many there are, shown or not")
    first_at: datetime | None = Field(description="When the oldest of them was recorded")
    last_at: datetime | None

    @classmethod
    def of(cls, known: KnownMemories) -> Self:
        """Show what is known."""
        shown = {
            kind: [MemoryItem.model_validate(one) for one in known.memories.get(kind, ())]
            for kind in get_args(MemoryType)
        }
        counts = {one.type: one.count for one in known.counted}
        return cls(
            facts=shown["fact"],
            preferences=shown["preference"],
            decisions=shown["decision"],
            context=shown["context"],
            counts={kind: counts.get(kind, 0) for kind in get_args(MemoryType)},
            first_at=known.first_at,
            last_at=known.last_at,
        )
