"""The principal: an authenticated user in a tenant with a role, perhaps narrowed by scopes."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth.features import Feature

Role = Literal["owner", "admin", "member", "viewer"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

# What a key may be used for; which actions each covers stands in `may.py`.
#   read   see what the person may see
#   chat   read, and: sessions, runs, answers to requests
#   files  read, and: upload, change and delete files of a workspace
#   admin  everything the person may do, keys and members included
Scope = Literal["read", "chat", "files", "admin"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)

# `operator` has a shell on the server, and so direct access to the database.
Via = Literal["api_key", "cookie", "ticket", "disabled", "operator"]


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated user.

    `scopes` None means no restriction. `key_id` or `login_id` name the key or the browser log-in
    that authenticated them, so that a long connection can be checked again later.
    """

    tenant_id: TenantId
    user_id: str
    role: Role
    scopes: frozenset[Scope] | None = None
    key_id: str | None = None
    via: Via = "api_key"
    login_id: str | None = None
    # The features the tenant does not have.
    features_off: frozenset[Feature] = frozenset()

    @property
    def actor(self) -> str:
        """The principal's name in the audit log."""
        if self.via == "operator":
            return self.user_id
        return f"user:{self.user_id}" + (f" key:{self.key_id}" if self.key_id else "")


def operator(tenant_id: TenantId) -> Principal:
    """Return the principal of the `dataagent-server` commands, in one tenant."""
    return Principal(tenant_id, "operator", "owner", via="operator")


def retention(tenant_id: TenantId) -> Principal:
    """Return the principal of retention, which acts for the operator."""
    return Principal(tenant_id, "retention", "owner", via="operator")


def outranks(role: Role, other: Role) -> bool:
    """Return whether `role` is at least as high as `other`."""
    return ROLES.index(role) <= ROLES.index(other)
