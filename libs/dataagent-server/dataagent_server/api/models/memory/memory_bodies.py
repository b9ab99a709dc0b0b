"""Memories, as people write, change and search them."""

from typing import Annotated, Final

from pydantic import AfterValidator, Field, StringConstraints

from dataagent_core.config.limits.memory import (
    MEMORY_CONTENT_CHARS_MAX,
    MEMORY_SUBJECT_CHARS_MAX,
    MEMORY_TOP_K,
    MEMORY_TOP_K_MAX,
)
from dataagent_core.memory.memory import MemoryType, ScopeKind
from dataagent_core.memory.search_terms import Fusion, SearchType
from dataagent_server.agents.memory.memory_record import (
    MemoryChange,
    MemorySearch,
    NewMemory,
    ScopeChoice,
)
from dataagent_server.api.models.base import RequestModel
from dataagent_server.api.models.fields import ChosenId, Moment, StoredMoment, without_nul

VERSION_MAX: Final = 2**31
QUERY_CHARS_MAX: Final = 2_000


_Content = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MEMORY_CONTENT_CHARS_MAX, strip_whitespace=True),
    AfterValidator(without_nul),
]
_Subject = Annotated[
    str,
    StringConstraints(max_length=MEMORY_SUBJECT_CHARS_MAX, strip_whitespace=True),
    AfterValidator(without_nul),
]
_Query = Annotated[
    str,
    StringConstraints(max_length=QUERY_CHARS_MAX),
    AfterValidator(without_nul),
]


class MemoryCreate(RequestModel):
    """Something to remember."""

    content: _Content = Field(examples=["I live in Berlin."])
    type: MemoryType = "fact"
    kind: ScopeKind = Field(default="user", description="Where it counts")
    assistant_id: ChosenId | None = Field(
        default=None, description="Left out: the default assistant; not for `org`"
    )
    project_id: ChosenId | None = Field(default=None, description="For `project`, and only there")
    expires_at: StoredMoment | None = None
    valid_from: StoredMoment | None = Field(default=None, description="Left out: now")
    subject: _Subject | None = Field(
        default=None, description="What it says something about; left out: read from the content"
    )

    def memory(self) -> NewMemory:
        """Say it to the service."""
        return NewMemory(**self.model_dump())


class MemoryUpdate(RequestModel):
    """What is to change; fields left out stay, and null takes a moment away."""

    version: int = Field(ge=1, le=VERSION_MAX, description="Of the memory you looked at")
    content: _Content | None = None
    type: MemoryType | None = None
    expires_at: StoredMoment | None = None
    valid_to: StoredMoment | None = None

    def change(self) -> MemoryChange:
        """Say it to the service."""
        given = frozenset(self.model_fields_set) - {"version"}
        return MemoryChange(**self.model_dump(), given=given)


class MemoryWrong(RequestModel):
    """What is wrong, and what is right instead."""

    version: int | None = Field(default=None, ge=1, le=VERSION_MAX)
    correction: _Content | None = None


class MemorySearchRequest(RequestModel):
    """What is searched, and where."""

    query: _Query
    search_type: SearchType = "hybrid"
    limit: int = Field(default=MEMORY_TOP_K, ge=1, le=MEMORY_TOP_K_MAX)
    as_of: Moment | None = Field(default=None, description="What was true then; left out: now")
    kinds: list[ScopeKind] | None = Field(default=None, max_length=3)
    types: list[MemoryType] | None = Field(default=None, max_length=4)
    assistant_id: ChosenId | None = None
    project_id: ChosenId | None = None
    fusion: Fusion | None = Field(default=None, description="Left out: that of the settings")

    def search(self) -> MemorySearch:
        """Say it to the service."""
        return MemorySearch(
            query=self.query,
            where=ScopeChoice(
                kinds=tuple(self.kinds or ()),
                assistant_id=self.assistant_id,
                project_id=self.project_id,
            ),
            search_type=self.search_type,
            limit=self.limit,
            as_of=self.as_of,
            types=tuple(self.types or ()),
            fusion=self.fusion,
        )


class MemoryCleanup(RequestModel):
    """Which memories are to go: those that had expired at a moment."""

    older_than: StoredMoment
