"""A rule that was kept: an "always", or one written by hand."""

from dataclasses import dataclass
from datetime import datetime

from dataagent_core.permissions import Rule
from dataagent_core.permissions.rules import Action
from dataagent_server.common.ids import TenantId


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRule:
    """Calls of `tool` on `resource` get `action` when `user_id` runs them.

    It counts in the sessions of one project, or in those of none: what somebody allows in one
    place says nothing about another.
    """

    rule_id: str
    user_id: str
    project_id: str | None
    tool: str
    resource: str
    action: Action
    # The session in which it was said, if in one, and by whom: an admin may answer for others.
    session_id: str | None
    created_by: str
    created_at: datetime

    @property
    def rule(self) -> Rule:
        """What the engine honours.

        To allow counts like an answer of the session, which turns an ask into an allow; to ask or
        to deny counts like a rule of the person's, which no answer lifts.
        """
        source = "session" if self.action == "allow" else "person"
        return Rule(self.tool, self.resource, self.action, source)

    @property
    def belongs_to(self) -> str:
        """Who may take it back: what holds somebody back is whose idea it was."""
        return self.user_id if self.action == "allow" else self.created_by


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOrigin:
    """Whose rule it is, and where it was said; in no session if it was written by hand."""

    tenant_id: TenantId
    user_id: str
    project_id: str | None
    session_id: str | None
    by: str
