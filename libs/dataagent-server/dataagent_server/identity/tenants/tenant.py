"""A tenant with its limits (S0), and a person's membership in it."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from dataagent_core.errors import ValidationError
from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth.principal import Role

_COUNT_MAX = 1_000_000
_QUOTA_BYTES_MAX = 1 << 50


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantLimits:
    """What a tenant may use; S0's defaults."""

    max_users: int = 100
    max_sessions_per_user: int = 10
    max_mcp_servers: int = 5
    workspace_quota_bytes: int = 1024**3
    # What it names false is off (`identity/auth/features.py`).
    features_enabled: dict[str, bool] = field(default_factory=dict[str, bool])

    def __post_init__(self) -> None:
        for name in ("max_users", "max_sessions_per_user", "max_mcp_servers"):
            _check_range(name, getattr(self, name), _COUNT_MAX)
        _check_range("workspace_quota_bytes", self.workspace_quota_bytes, _QUOTA_BYTES_MAX)


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organisation whose data no other tenant can see.

    `version` counts changes, so that nobody overwrites an unseen one.
    """

    tenant_id: TenantId
    name: str
    limits: TenantLimits
    is_active: bool
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Member:
    """A user in a tenant. `at_home`: this tenant administers the user."""

    user_id: str
    username: str | None
    display_name: str
    role: Role
    is_active: bool
    has_password: bool
    at_home: bool
    created_at: datetime


def _check_range(name: str, value: Any, most: int) -> None:
    if not 0 <= value <= most:
        raise ValidationError(f"{name} is {value:,}; it must be 0 to {most:,}.")
