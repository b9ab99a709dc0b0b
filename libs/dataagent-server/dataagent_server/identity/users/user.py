"""A user and their API keys, as others may see them."""

from dataclasses import dataclass, field
from datetime import datetime

from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth.principal import Principal, Role, Scope


@dataclass(frozen=True, slots=True)
class User:
    """A user, seen from a tenant they are a member of."""

    user_id: str
    home_tenant_id: TenantId
    username: str | None
    display_name: str
    role: Role
    is_active: bool
    has_password: bool
    # Whether their runs use patterns and are learned from.
    learns_patterns: bool
    # Whether their runs use notes and memories, and remember.
    uses_memory: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key without its secret. `scopes` None: all rights of its owner."""

    key_id: str
    user_id: str
    name: str
    prefix: str
    scopes: tuple[Scope, ...] | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """A new key with its secret, which is shown only once."""

    key: ApiKey
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SignInResult:
    """A new log-in: the cookie's secret, and its principal."""

    principal: Principal
    token: str = field(repr=False)
    csrf_token: str = field(repr=False)
