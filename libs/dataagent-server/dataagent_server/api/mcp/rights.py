"""Which MCP scopes a person's role and key amount to. Pure; `auth/may.py` has the rules."""

from typing import Final

from dataagent_core.mcp.server.tool_table import Scope
from dataagent_server.identity.auth.may import Action, Kind, Resource, covers, may
from dataagent_server.identity.auth.principal import Principal

_NEEDED: Final[dict[Scope, tuple[Action, Kind]]] = {
    "data:read": ("data_source.query", "data_source"),
    "data:write": ("data_source.query", "data_source"),
    "files:read": ("workspace.read", "workspace"),
    "files:write": ("workspace.change", "workspace"),
    "sessions:read": ("session.read", "session"),
    "agent:run": ("run.start", "run"),
}


def scopes_of(principal: Principal) -> frozenset[Scope]:
    """List what somebody may do with their own things."""
    return frozenset(scope for scope in _NEEDED if _has(principal, scope))


def _has(principal: Principal, scope: Scope) -> bool:
    # Rows of a database can be gone for good: a key that was narrowed must name `admin`.
    if scope == "data:write" and not covers(principal.scopes, "admin"):
        return False
    action, kind = _NEEDED[scope]
    return may(principal, action, Resource(principal.tenant_id, kind, principal.user_id))
