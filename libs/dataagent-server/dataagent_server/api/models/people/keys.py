"""API keys, as the API takes and shows them."""

from datetime import datetime

from pydantic import Field

from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import Name
from dataagent_server.identity.auth.principal import SCOPES, Scope


class KeyInfo(ResponseModel):
    """A key, without its secret."""

    key_id: str
    user_id: str
    name: str
    prefix: str = Field(description="How the key begins", examples=["da_1f0c6a2b9d3e"])
    scopes: tuple[Scope, ...] | None = Field(description="What it is for; null is everything")
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None = Field(description="Exact to a minute")
    revoked_at: datetime | None


class KeyCreate(RequestModel):
    """A new key of your own."""

    name: Name = Field(examples=["laptop"])
    scopes: list[Scope] | None = Field(
        default=None,
        min_length=1,
        max_length=len(SCOPES),
        description="read: see. chat: read, sessions and runs. files: read, change files. "
        "admin: everything you may. Left out: as much as you have now.",
    )
    expires_at: datetime | None = Field(
        default=None, description="With a time zone", examples=["2030-01-31T12:00:00Z"]
    )


class KeyCreated(ResponseModel):
    """A new key with its secret: copy it now, it is never shown again."""

    key: KeyInfo
    secret: str = Field(examples=["da_1f0c6a2b9d3e_5c1e..."])
