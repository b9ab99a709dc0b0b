"""What is remembered: `Memory` (S3's `AgentMemory`), whose it is, and where it comes from.

A memory belongs to one person (S0 property 54); its scope says where it counts: with one assistant,
in one project, or with every assistant of the organisation. It knows two times: when it was true
(`valid_from`, `valid_to`) and when we believed it (`recorded_at`, `retired_at`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Self

from pydantic import JsonValue

from dataagent_core.errors import ValidationError

MemoryType = Literal["fact", "preference", "decision", "context"]
ScopeKind = Literal["user", "project", "org"]
SourceKind = Literal["conversation", "tool_result", "manual"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryScope:
    """Whose memory it is and where it counts. Two scopes never see each other's memories."""

    tenant_id: str
    user_id: str
    kind: ScopeKind
    # Empty in the scope `org`.
    assistant_id: str = ""
    # Set in the scope `project` only.
    project_id: str = ""

    def __post_init__(self) -> None:
        if not self.tenant_id or not self.user_id:
            raise ValidationError("A memory belongs to a tenant and a user; one of them is empty.")
        if (self.kind == "org") != (not self.assistant_id):
            raise ValidationError(
                f"The scope {self.kind!r} with the assistant {self.assistant_id!r}: a memory of "
                "the organisation is no assistant's, every other one is."
            )
        if (self.kind == "project") != bool(self.project_id):
            raise ValidationError(
                f"The scope {self.kind!r} with the project {self.project_id!r}: a project is "
                "named in the scope 'project' only."
            )

    @classmethod
    def of_user(cls, tenant_id: str, user_id: str, assistant_id: str) -> Self:
        """Give the scope of what a user told one assistant."""
        return cls(tenant_id=tenant_id, user_id=user_id, kind="user", assistant_id=assistant_id)

    @classmethod
    def of_project(cls, tenant_id: str, user_id: str, assistant_id: str, project_id: str) -> Self:
        """Give the scope of what counts in one project only."""
        return cls(
            tenant_id=tenant_id,
            user_id=user_id,
            kind="project",
            assistant_id=assistant_id,
            project_id=project_id,
        )

    @classmethod
    def of_organisation(cls, tenant_id: str, user_id: str) -> Self:
        """Give the scope of what counts with every assistant of the organisation."""
        return cls(tenant_id=tenant_id, user_id=user_id, kind="org")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySource:
    """Where a memory comes from; of what a person typed in themselves only the kind is known."""

    kind: SourceKind = "manual"
    session_id: str = ""
    run_id: str = ""
    # The events it rests on, both included; 0: none.
    seq_first: int = 0
    seq_last: int = 0
    # The tool whose result it is.
    tool: str = ""
    # Who said it, where it was not the person: "the assistant", a tool, a host.
    speaker: str = ""
    # The words of the span that it rests on.
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryMetadata:
    """What is said of a memory when it is added (S3)."""

    scope: MemoryScope
    type: MemoryType = "fact"
    source: MemorySource = field(default_factory=MemorySource)
    # From 0 to 1.
    confidence: float = 1.0
    expires_at: datetime | None = None
    # When it began to be true; now, when unset.
    valid_from: datetime | None = None
    # What it says something about, such as `i live in`: read from the content when unset. Of two
    # memories of one subject that are true at once, the newer one closes the older one.
    subject: str | None = None
    episode_id: str = ""
    extra: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One thing that is remembered."""

    id: str
    scope: MemoryScope
    type: MemoryType
    content: str
    source: MemorySource
    confidence: float
    valid_from: datetime
    recorded_at: datetime
    updated_at: datetime
    # Set when something newer took its place, or it ended.
    valid_to: datetime | None = None
    # Set when a person called it wrong: it was never true.
    retired_at: datetime | None = None
    replaced_by: str = ""
    expires_at: datetime | None = None
    subject: str = ""
    episode_id: str = ""
    # Content of strangers: a fact that somebody says so, never a preference or an instruction.
    is_tainted: bool = False
    access_count: int = 0
    last_accessed_at: datetime | None = None
    extra: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    version: int = 0

    @property
    def created_at(self) -> datetime:
        """S3's name for `recorded_at`."""
        return self.recorded_at

    def is_current(self, now: datetime) -> bool:
        """Say whether it holds now. A clock that was set back hides nothing."""
        if self.retired_at is not None or self.has_expired(now):
            return False
        return self.valid_to is None or self.valid_to > now

    def was_true(self, at: datetime) -> bool:
        """Say whether it was true at a moment, as far as is known today."""
        if self.retired_at is not None or self.has_expired(at):
            return False
        return self.valid_from <= at and (self.valid_to is None or self.valid_to > at)

    def has_expired(self, now: datetime) -> bool:
        """Say whether its time is over, whether or not it was cleaned up."""
        return self.expires_at is not None and self.expires_at <= now
