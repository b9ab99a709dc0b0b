"""What a person writes of a memory and asks of their memories. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dataagent_core.errors import ValidationError
from dataagent_core.memory.memory import Memory, MemoryScope, MemoryType, ScopeKind
from dataagent_core.memory.search.found_memory import FoundMemories
from dataagent_core.memory.search_terms import Fusion, SearchType
from dataagent_server.identity.auth import Principal


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """Something a person wants remembered."""

    content: str
    type: MemoryType = "fact"
    kind: ScopeKind = "user"
    assistant_id: str | None = None
    project_id: str | None = None
    expires_at: datetime | None = None
    valid_from: datetime | None = None
    subject: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChange:
    """The changes of a memory: what `given` names, even where it is None."""

    # The one that was looked at.
    version: int
    given: frozenset[str]
    content: str | None = None
    type: MemoryType | None = None
    expires_at: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeChoice:
    """Which of their scopes a person looks into: as a run of an assistant in a project does."""

    # Empty: all of them.
    kinds: tuple[ScopeKind, ...] = ()
    assistant_id: str | None = None
    project_id: str | None = None

    def choose(self, known: Sequence[MemoryScope]) -> list[MemoryScope]:
        """Choose from the scopes of a person."""
        return [scope for scope in known if self._includes(scope)]

    def _includes(self, scope: MemoryScope) -> bool:
        if self.kinds and scope.kind not in self.kinds:
            return False
        if scope.kind != "org" and self.assistant_id not in {None, scope.assistant_id}:
            return False
        return scope.kind != "project" or self.project_id in {None, scope.project_id}


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySearch:
    """A search of a person in their memories."""

    query: str
    where: ScopeChoice
    search_type: SearchType = "hybrid"
    limit: int = 10
    as_of: datetime | None = None
    # Empty: all of them.
    types: tuple[MemoryType, ...] = ()
    fusion: Fusion | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """What a search found, and how long it took."""

    found: FoundMemories
    took_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMemory:
    """A memory with those of its subject, the oldest first."""

    memory: Memory
    history: tuple[Memory, ...]
    # The conversation it comes from was deleted.
    is_source_gone: bool


def make_scope(principal: Principal, new: NewMemory, assistant_id: str) -> MemoryScope:
    """Make the scope in which something is to be remembered: one of the principal's."""
    tenant_id, user_id = principal.tenant_id, principal.user_id
    if (new.kind == "project") != (new.project_id is not None):
        raise ValidationError(
            f"kind is {new.kind!r} and project_id {new.project_id!r}: a project is named with the "
            "kind 'project', and only there."
        )
    if new.kind == "org":
        if new.assistant_id is not None:
            raise ValidationError(
                f"assistant_id is {new.assistant_id!r}: what has the kind 'org' counts with every "
                "assistant. Leave it out, or choose the kind 'user'."
            )
        return MemoryScope.of_organisation(tenant_id, user_id)
    assistant_id = new.assistant_id or assistant_id
    if new.project_id is not None:
        return MemoryScope.of_project(tenant_id, user_id, assistant_id, new.project_id)
    return MemoryScope.of_user(tenant_id, user_id, assistant_id)
