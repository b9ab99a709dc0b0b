"""The MCP scopes that a principal's role and API key allow. Pure; `auth/may.py` has the rules."""

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
    """List the scopes a principal has for their own objects."""
    return frozenset(scope for scope in _NEEDED if _has(principal, scope))


def _has(principal: Principal, scope: Scope) -> bool:
    # Deleted rows cannot be restored: a key with scopes must have `admin`.
    if scope == "data:write" and not covers(principal.scopes, "admin"):
        return False
    action, kind = _NEEDED[scope]
    return may(principal, action, Resource(principal.tenant_id, kind, principal.user_id))
