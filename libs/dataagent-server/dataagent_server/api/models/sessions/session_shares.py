"""Whom a session is shared with."""

from datetime import datetime
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from dataagent_server.sessions.share_rows import Share
from dataagent_server.stores.session_lists import SharePermission


class SessionShare(BaseModel):
    """What somebody is to be allowed."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_extra={"examples": [{"permission": "view"}]}
    )

    permission: SharePermission = Field(
        description="view: read everything in it; answer: answer its requests as well, this once"
    )


class SessionShareInfo(BaseModel):
    """Somebody a session is shared with."""

    model_config = ConfigDict(frozen=True)

    user_id: str
    username: str | None
    display_name: str | None
    permission: SharePermission
    shared_by: str
    created_at: datetime

    @classmethod
    def of(cls, share: Share) -> Self:
        """Show it."""
        return cls(
            user_id=share.user_id,
            username=share.username,
            display_name=share.display_name,
            permission=share.permission,
            shared_by=share.shared_by,
            created_at=share.created_at,
        )
