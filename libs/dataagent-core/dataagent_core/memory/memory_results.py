"""What `MemoryService` answers: what was added, called wrong and forgotten.

What a search answers is in `search/found_memory.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from dataagent_core.config.limits.memory import MEMORIES_PAGE_DEFAULT
from dataagent_core.memory.memory import Memory, MemoryType, ScopeKind

AddAction = Literal["added", "merged", "replaced"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddResult:
    """What became of a memory that was added.

    `merged`: it says what was known already, and `memory` is the one that says so now. `replaced`:
    it closed the memories in `closed`, which hold no longer.
    """

    memory: Memory
    action: AddAction
    closed: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongResult:
    """A memory that a person called wrong, and what they said instead."""

    memory: Memory
    replacement: Memory | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePlace:
    """Where a conversation still says it: the log is the person's, and deleted by them alone."""

    session_id: str
    seq_first: int
    seq_last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReceipt:
    """What was removed, and what a scan for the text has found afterwards."""

    memory_id: str
    # Rows that went, and rows and lines that still hold the text, by table.
    removed: Mapping[str, int]
    remaining: Mapping[str, int]
    # Lines of notes that held the text.
    notes_changed: int
    still_in: tuple[SourcePlace, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryQueryOptions:
    """Which memories of a user are listed (S3); `after` is the id of the last one seen."""

    kind: ScopeKind | None = None
    assistant_id: str | None = None
    project_id: str | None = None
    types: tuple[MemoryType, ...] = ()
    # Memories that are closed, retired or expired too.
    with_past: bool = False
    session_id: str | None = None
    limit: int = MEMORIES_PAGE_DEFAULT
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryOwner:
    """Whose memories are meant: every call that names no scope names the owner."""

    tenant_id: str
    user_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryHistory:
    """A memory with those before and after it that say something of the same."""

    memory: Memory
    history: tuple[Memory, ...]
