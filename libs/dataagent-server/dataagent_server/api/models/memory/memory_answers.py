"""What came of a request about memories: added, found, forgotten."""

from datetime import datetime
from typing import Self

from pydantic import Field

from dataagent_core.memory.memory_results import AddAction
from dataagent_core.memory.search.found_memory import LegName
from dataagent_core.memory.search_terms import Fusion
from dataagent_server.agents.memory.memory_record import SearchAnswer
from dataagent_server.api.models.base import ResponseModel
from dataagent_server.api.models.memory.memory_info import MemoryItem


class MemoryAdded(ResponseModel):
    """What became of something to remember."""

    memory: MemoryItem
    action: AddAction = Field(
        description="`merged`: it was known. `replaced`: it closed what it contradicts"
    )
    closed: list[MemoryItem] = Field(description="What is no longer true because of it")


class MemoryCorrected(ResponseModel):
    """A memory that was called wrong, and what was remembered instead."""

    memory: MemoryItem
    replacement: MemoryItem | None


class ConversationSpan(ResponseModel):
    """Where the words still stand: conversations are deleted by `DELETE /sessions/{id}`."""

    session_id: str
    seq_first: int
    seq_last: int


class ForgetReceiptInfo(ResponseModel):
    """What was removed, and what a scan found afterwards."""

    memory_id: str
    removed: dict[str, int] = Field(description="Rows that went, by table")
    remaining: dict[str, int] = Field(description="What still holds the text, by table")
    notes_changed: int = Field(description="Lines of notes that held it, and went")
    still_in: list[ConversationSpan] = Field(description="Conversations that still have it")
    at: datetime


class SearchLegInfo(ResponseModel):
    """What one leg of the search says of a result."""

    name: LegName
    raw: float = Field(description="Its own score")
    share: float = Field(description="What it adds to the score")
    rank: int = Field(description="The place it gives the result, from 1")


class FoundMemoryInfo(ResponseModel):
    """A memory that fits, and why."""

    memory: MemoryItem
    score: float = Field(description="Beside the other results of this search; its legs add up")
    relevance: float = Field(description="How much of the query it answers, from 0 to 1")
    legs: list[SearchLegInfo]


class MemorySearchAnswer(ResponseModel):
    """The memories that fit, the best first."""

    results: list[FoundMemoryInfo]
    took_ms: float
    embedder: str = Field(description="What compared the meanings; empty: words alone")
    fusion: Fusion
    problem: str = Field(description="Why a leg of the search is missing")

    @classmethod
    def of(cls, answer: SearchAnswer) -> Self:
        """Show what a search found."""
        found = answer.found
        return cls(
            results=[FoundMemoryInfo.model_validate(one) for one in found.results],
            took_ms=round(answer.took_ms, 3),
            embedder=found.embedder,
            fusion=found.fusion,
            problem=found.problem,
        )


class MemoryRate(ResponseModel):
    """How many memories have one defect."""

    count: int
    rate: float = Field(description="Of all memories, from 0 to 1")
    examples: list[str] = Field(description="Ids of some of them")


class MemoryHealth(ResponseModel):
    """How clean your memories are."""

    total: int
    duplicate: MemoryRate = Field(description="Said twice")
    loop: MemoryRate = Field(description="Remembered from what was recalled")
    stale: MemoryRate = Field(description="Expired, and still there")
    ungrounded: MemoryRate = Field(description="Not found in their source")
    secret: MemoryRate = Field(description="With a secret in them")
    unchecked: int = Field(description="Whose conversation was deleted, or held elsewhere")


class MemoriesCleaned(ResponseModel):
    """How many memories went."""

    removed: int
