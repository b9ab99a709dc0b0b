"""The right to memories: a person's own, and nobody else's (S0 property 54)."""

from dataagent_server.identity.auth import Action, Principal, Resource, require


def require_own(principal: Principal, action: Action) -> None:
    """Refuse a principal who may not do an action even with memories of their own."""
    resource = Resource(principal.tenant_id, "memory", owner_id=principal.user_id)
    require(principal, action, resource)
