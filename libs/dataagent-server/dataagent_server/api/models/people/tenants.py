"""Tenants, as the API takes and shows them."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import ChosenId, Name
from dataagent_server.identity.auth.features import Feature

_COUNT_MAX = 1_000_000
_BYTES_MAX = 1 << 50
_Count = Annotated[int, Field(ge=0, le=_COUNT_MAX)]
_Features = Annotated[
    dict[Feature, bool],
    Field(
        examples=[{"web": False}],
        description="What is false is off; what is not named is on. Replaces what was there",
    ),
]


class TenantLimitsInfo(ResponseModel):
    """What the tenant may use (S0)."""

    max_users: int
    max_sessions_per_user: int
    max_mcp_servers: int
    workspace_quota_bytes: int
    features_enabled: dict[str, bool]


class TenantInfo(ResponseModel):
    """A tenant and its limits."""

    tenant_id: str
    name: str
    limits: TenantLimitsInfo
    is_active: bool
    version: int = Field(description="Counts changes; give it back to change what you have seen")
    created_at: datetime
    updated_at: datetime


class LimitsChange(RequestModel):
    """Limits to set; those left out stay as they are, or get S0's defaults."""

    max_users: _Count | None = None
    max_sessions_per_user: _Count | None = None
    max_mcp_servers: _Count | None = None
    workspace_quota_bytes: Annotated[int, Field(ge=0, le=_BYTES_MAX)] | None = None
    features_enabled: _Features | None = None


class TenantCreate(RequestModel):
    """A new tenant."""

    name: Name = Field(examples=["Acme"])
    tenant_id: ChosenId | None = Field(default=None, description="An id of your own choice")
    limits: LimitsChange = Field(default_factory=LimitsChange)


class TenantChange(RequestModel):
    """What is to change; fields left out stay."""

    name: Name | None = None
    limits: LimitsChange | None = None
    is_active: bool | None = Field(default=None, description="False lets nobody in any more")
    version: int | None = Field(default=None, description="Refuse if it has changed since")
