"""The one who asks: a person in a tenant, with a role there, perhaps narrowed by a key's scopes."""

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

# `operator` is whoever has a shell on the server, and so the database in their hands anyway.
Via = Literal["api_key", "cookie", "ticket", "disabled", "operator"]


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody we know. `scopes` None means no narrowing.

    `key_id` or `login_id` name the key or the browser's log-in that vouched for them, so that a
    long connection can ask later whether it still does.
    """

    tenant_id: TenantId
    user_id: str
    role: Role
    scopes: frozenset[Scope] | None = None
    key_id: str | None = None
    via: Via = "api_key"
    login_id: str | None = None
    # What the tenant does not have, the caller.
    features_off: frozenset[Feature] = frozenset()

    @property
    def actor(self) -> str:
        """How the audit log names them."""
        if self.via == "operator":
            return self.user_id
        return f"user:{self.user_id}" + (f" key:{self.key_id}" if self.key_id else "")


def operator(tenant_id: TenantId) -> Principal:
    """Whoever types `dataagent-server` on the machine itself, at work in one tenant."""
    return Principal(tenant_id, "operator", "owner", via="operator")


def retention(tenant_id: TenantId) -> Principal:
    """Name the clock, at work for the operator who set how long things are kept."""
    return Principal(tenant_id, "retention", "owner", via="operator")


def outranks(role: Role, other: Role) -> bool:
    """Return whether `role` is at least as high as `other`."""
    return ROLES.index(role) <= ROLES.index(other)
