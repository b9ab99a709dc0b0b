"""A session and its messages."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

Role = Literal["user", "assistant", "system"]


def now() -> datetime:
    """Return the time in UTC, which is the only time zone stored."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation."""

    session_id: str
    user_id: str
    assistant_id: str
    created_at: datetime = field(default_factory=now)
    last_active: datetime = field(default_factory=now)
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """A user message or an answer of the agent, as one text."""

    message_id: str
    session_id: str
    role: Role
    content: str
    created_at: datetime = field(default_factory=now)
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
