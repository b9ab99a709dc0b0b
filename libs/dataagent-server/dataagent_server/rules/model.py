"""An "always" that was kept."""

from dataclasses import dataclass
from datetime import datetime

from dataagent_core.permissions import Rule
from dataagent_server.ids import TenantId


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRule:
    """Calls of `tool` on `resource` need no yes of `user_id` any more.

    It counts in the sessions of one project, or in those of none: what somebody allows in one
    place says nothing about another.
    """

    rule_id: str
    user_id: str
    project_id: str | None
    tool: str
    resource: str
    # The session in which it was said, and by whom: an admin may answer for others.
    session_id: str
    created_by: str
    created_at: datetime

    @property
    def rule(self) -> Rule:
        """What the engine honours: like an answer of the session, it turns an ask into an allow."""
        return Rule(self.tool, self.resource, "allow", "session")


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """Whose "always" it is, and where it was said."""

    tenant_id: TenantId
    user_id: str
    project_id: str | None
    session_id: str
    by: str
