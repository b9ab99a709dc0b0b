"""What was said in a session."""

from datetime import datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict

from dataagent_core.session.state import Message


class MessageInfo(BaseModel):
    """One message, as a person sent it or the agent answered it."""

    model_config = ConfigDict(frozen=True)

    message_id: str
    session_id: str
    role: Literal["user", "assistant", "system"]
    content: str
    created_at: datetime
    metadata: dict[str, Any]

    @classmethod
    def of(cls, message: Message) -> Self:
        """Show a message."""
        return cls(
            message_id=message.message_id,
            session_id=message.session_id,
            role=message.role,
            content=message.content,
            created_at=message.created_at,
            metadata=message.metadata,
        )


class MessageList(BaseModel):
    """Messages in the order they were said."""

    model_config = ConfigDict(frozen=True)

    messages: list[MessageInfo]
    has_more: bool
