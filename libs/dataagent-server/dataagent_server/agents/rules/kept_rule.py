"""A stored rule: an "always" answer, or a rule written by hand."""

from dataclasses import dataclass
from datetime import datetime

from dataagent_core.permissions import Rule
from dataagent_core.permissions.rules import Action
from dataagent_server.common.ids import TenantId


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRule:
    """Calls of `tool` on `resource` get `action` when `user_id` runs them.

    It applies in the sessions of one project, or in those without a project.
    """

    rule_id: str
    user_id: str
    project_id: str | None
    tool: str
    resource: str
    action: Action
    # The session in which it was answered, if any, and by whom: an admin may answer for others.
    session_id: str | None
    created_by: str
    created_at: datetime

    @property
    def rule(self) -> Rule:
        """The rule for the engine.

        `allow` counts like an answer of the session, which turns an ask into an allow; `ask` and
        `deny` count like a rule of the user, which no answer lifts.
        """
        source = "session" if self.action == "allow" else "person"
        return Rule(self.tool, self.resource, self.action, source)

    @property
    def belongs_to(self) -> str:
        """Who may delete it: a rule that restricts belongs to its author."""
        return self.user_id if self.action == "allow" else self.created_by


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOrigin:
    """The owner of a rule, and the session it came from; none if it was written by hand."""

    tenant_id: TenantId
    user_id: str
    project_id: str | None
    session_id: str | None
    by: str
