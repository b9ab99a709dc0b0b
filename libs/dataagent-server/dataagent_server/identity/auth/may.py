"""`may(principal, action, resource)`: all rights of the server, as one table and one function.

Pure. The caller has checked that the object exists in this tenant: an object of another tenant is
"not found"; should one come here, the answer is no.
"""

from dataclasses import dataclass
from typing import Final, Literal

from dataagent_core.errors import DeniedError
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.identity.auth.features import FEATURE_OF
from dataagent_server.identity.auth.principal import Principal, Role, Scope, outranks

Action = Literal[
    "session.read", "session.create", "session.change", "session.share", "session.delete",
    "run.start", "run.cancel", "run.rate", "request.answer",
    "rule.read", "rule.create", "rule.delete",
    "workspace.read", "workspace.change",
    "assistant.read", "assistant.change",
    "skill.read", "skill.change",
    "composition.read", "composition.change",
    "subagent.read", "subagent.change",
    "agent_config.read", "agent_config.change",
    "pattern.read", "pattern.create", "pattern.change", "pattern.delete", "pattern.share",
    "workflow.read",
    "memory.read", "memory.change",
    "project.read", "project.create", "project.change",
    "tenant.read", "tenant.change",
    "member.read", "member.change",
    "user.read", "user.change",
    "key.read", "key.create", "key.revoke",
    "credential.read", "credential.change",
    "model.read", "model.change",
    "data_source.read", "data_source.change", "data_source.query",
    "result.read", "result.delete",
    "semantic_model.read", "semantic_model.change",
    "saved_question.read", "saved_question.change",
    "report.read", "report.change", "report.run", "report.delete",
    "mcp_server.read", "mcp_server.change", "mcp_server.use",
    "mcp_policy.read", "mcp_policy.change",
    "usage.read", "budget.read", "budget.change", "budget.raise",
    "audit.read",
    "installation.manage",
]  # fmt: skip

Kind = Literal[
    "session", "run", "request", "rule", "workspace", "assistant", "project",
    "skill", "composition", "subagent", "agent_config", "pattern", "memory",
    "tenant", "member", "user", "key", "credential", "model", "audit", "installation",
    "data_source", "result", "semantic_model", "saved_question", "report",
    "mcp_server", "mcp_policy", "usage", "budget",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Resource:
    """The object of an action.

    `role` is a member's current or new role: nobody acts above theirs.
    """

    tenant_id: TenantId
    kind: Kind
    owner_id: str | None = None
    project_id: str | None = None
    shared: bool = False
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """The lowest role that may, by owner of the object; None is nobody. Scope: what a key needs."""

    scope: Scope
    own: Role | None
    shared: Role | None
    anyone: Role | None


RULES: Final[dict[Action, Rule]] = {
    #                           scope    own       shared    anyone's
    "session.read":        Rule("read",  "viewer", "viewer", "admin"),
    "session.create":      Rule("chat",  "member", None,     None),
    "session.change":      Rule("chat",  "member", None,     None),
    "session.share":       Rule("chat",  "member", None,     "admin"),
    "session.delete":      Rule("chat",  "member", None,     "admin"),
    "run.start":           Rule("chat",  "member", None,     None),
    "run.cancel":          Rule("chat",  "member", None,     "admin"),
    # Whoever sees a finished run may say how good it was.
    "run.rate":            Rule("chat",  "member", "member", "admin"),
    # Shared is a session here only with who was given that right (`sessions/session_shares.py`).
    "request.answer":      Rule("chat",  "member", "member", "admin"),
    "rule.read":           Rule("read",  "viewer", None,     "admin"),
    "rule.create":         Rule("chat",  "member", None,     "admin"),
    "rule.delete":         Rule("chat",  "member", None,     "admin"),
    "workspace.read":      Rule("read",  "viewer", "viewer", "admin"),
    "workspace.change":    Rule("files", "member", "member", "admin"),
    "assistant.read":      Rule("read",  "viewer", "viewer", "admin"),
    "assistant.change":    Rule("admin", "member", None,     "admin"),
    "skill.read":          Rule("read",  "viewer", "viewer", "viewer"),
    # As with sources: a project's owner those of the project, an admin all of them.
    "skill.change":        Rule("admin", "member", None,     "admin"),
    "composition.read":    Rule("read",  "viewer", "viewer", "viewer"),
    "composition.change":  Rule("admin", "member", None,     "admin"),
    "subagent.read":       Rule("read",  "viewer", "viewer", "admin"),
    # A project's owner those of the project; the tenant's take part in everybody's runs.
    "subagent.change":     Rule("admin", "member", None,     "admin"),
    "agent_config.read":   Rule("read",  "viewer", "viewer", "viewer"),
    "agent_config.change": Rule("admin", "admin",  None,     "admin"),
    # Shared is what everybody's runs may use (`agents/patterns/pattern_view.py`).
    "pattern.read":        Rule("read",  "viewer", "viewer", "admin"),
    "pattern.create":      Rule("admin", "admin",  None,     "admin"),
    "pattern.change":      Rule("chat",  "member", None,     "admin"),
    "pattern.delete":      Rule("chat",  "member", None,     "admin"),
    "pattern.share":       Rule("admin", "admin",  None,     "admin"),
    # Its file has values of runs; who may change the pattern may change and run it.
    "workflow.read":       Rule("read",  "viewer", None,     "admin"),
    # Nobody reads what is remembered of another person, whatever their role (S0 property 54).
    "memory.read":         Rule("read",  "viewer", None,     None),
    "memory.change":       Rule("chat",  "viewer", None,     None),
    "project.read":        Rule("read",  "viewer", "viewer", "viewer"),
    "project.create":      Rule("admin", "member", None,     None),
    "project.change":      Rule("admin", "member", None,     "admin"),
    "tenant.read":         Rule("read",  "viewer", "viewer", "viewer"),
    "tenant.change":       Rule("admin", "owner",  None,     "owner"),
    "member.read":         Rule("read",  "viewer", "member", "member"),
    "member.change":       Rule("admin", "admin",  None,     "admin"),
    "user.read":           Rule("read",  "viewer", None,     "admin"),
    "user.change":         Rule("admin", "viewer", None,     "admin"),
    "key.read":            Rule("read",  "viewer", None,     "admin"),
    "key.create":          Rule("admin", "viewer", None,     None),
    "key.revoke":          Rule("admin", "viewer", None,     "admin"),
    "credential.read":     Rule("admin", "admin",  None,     "admin"),
    "credential.change":   Rule("admin", "admin",  None,     "admin"),
    "model.read":          Rule("read",  "viewer", "viewer", "viewer"),
    "model.change":        Rule("admin", "admin",  None,     "admin"),
    "data_source.read":    Rule("read",  "viewer", "viewer", "viewer"),
    # What a project's owner says counts in the project; a tenant's sources are nobody's own.
    "data_source.change":  Rule("admin", "member", None,     "admin"),
    "data_source.query":   Rule("chat",  "member", "member", "member"),
    # Those of a session are shared with it.
    "result.read":         Rule("read",  "viewer", "viewer", None),
    "result.delete":       Rule("files", "member", None,     None),
    "semantic_model.read": Rule("read",  "viewer", "viewer", "viewer"),
    "semantic_model.change": Rule("admin", "member", None,   "admin"),
    # A project's are shared with everybody who sees the project.
    "saved_question.read": Rule("read",  "viewer", "viewer", "admin"),
    "saved_question.change": Rule("chat", "member", None,    "admin"),
    "report.read":         Rule("read",  "viewer", None,     "admin"),
    "report.change":       Rule("chat",  "member", None,     None),
    "report.run":          Rule("chat",  "member", None,     None),
    "report.delete":       Rule("chat",  "member", None,     "admin"),
    "mcp_server.read":     Rule("read",  "viewer", "viewer", "admin"),
    # As with sources: one's own, those of one's own project, and all of them for an admin.
    "mcp_server.change":   Rule("admin", "member", None,     "admin"),
    # Everybody is a shared server's client as themselves; nobody in another user's place.
    "mcp_server.use":      Rule("chat",  "member", "member", None),
    "mcp_policy.read":     Rule("read",  "viewer", "viewer", "viewer"),
    "mcp_policy.change":   Rule("admin", "admin",  None,     "admin"),
    "usage.read":          Rule("read",  "viewer", None,     "admin"),
    "budget.read":         Rule("read",  "viewer", None,     "admin"),
    # Whom a budget limits may not raise it, unless they are an admin.
    "budget.change":       Rule("admin", None,     None,     "admin"),
    "budget.raise":        Rule("chat",  None,     None,     "admin"),
    "audit.read":          Rule("admin", "admin",  None,     "admin"),
    "installation.manage": Rule("admin", "owner",  None,     "owner"),
}  # fmt: skip

_INCLUDED: Final[dict[Scope, frozenset[Scope]]] = {
    "read": frozenset({"read"}),
    "chat": frozenset({"read", "chat"}),
    "files": frozenset({"read", "files"}),
    "admin": frozenset({"read", "chat", "files", "admin"}),
}


def may(principal: Principal, action: Action, resource: Resource) -> bool:
    """Return whether a principal may do an action on a resource."""
    rule = RULES[action]
    if principal.via == "operator":
        return action == "installation.manage" or principal.tenant_id == resource.tenant_id
    if not covers(principal.scopes, rule.scope) or lacks(principal, action):
        return False
    if action == "installation.manage":
        # The owner of the default tenant is the operator.
        return principal.tenant_id == DEFAULT_TENANT and principal.role == "owner"
    if principal.tenant_id != resource.tenant_id:
        return False
    own = resource.owner_id == principal.user_id
    if not own and resource.role is not None and not outranks(principal.role, resource.role):
        return False
    needed = (rule.own if own else None, rule.shared if resource.shared else None, rule.anyone)
    return any(role is not None and outranks(principal.role, role) for role in needed)


def covers(scopes: frozenset[Scope] | None, needed: Scope) -> bool:
    """Return whether a key's scopes include one; None means no restriction."""
    return scopes is None or any(needed in _INCLUDED[scope] for scope in scopes)


def lacks(principal: Principal, action: Action) -> bool:
    """Return whether an action needs a feature that the tenant does not have."""
    return FEATURE_OF.get(action) in principal.features_off


def require(principal: Principal, action: Action, resource: Resource) -> None:
    """Raise unless the principal may."""
    if may(principal, action, resource):
        return
    if not covers(principal.scopes, RULES[action].scope):
        raise DeniedError(
            f"This API key may not do {action!r}: it lacks the scope {RULES[action].scope!r}. "
            "Use a key that has it."
        )
    if lacks(principal, action):
        raise DeniedError(
            f"Your organisation does not have the feature {FEATURE_OF[action]!r}, "
            f"which {action!r} needs. Whoever runs this installation can switch it on."
        )
    raise DeniedError(
        f"The role {principal.role!r} may not do {action!r} here. Ask an admin of the tenant."
    )
