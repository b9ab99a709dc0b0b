"""Explains the permission decision for a call: evaluates the rules of a run for an imagined call.

It ignores what only a run has: its mode, its taint, and a file of rules in its workspace, which may
only tighten.
"""

import asyncio
from dataclasses import dataclass

from dataagent_core.config import Settings
from dataagent_core.config.paths import user_home
from dataagent_core.permissions import Rule, RuleSet, load_rules
from dataagent_core.permissions.decision import PermissionDecision, evaluate
from dataagent_core.permissions.policy import make_answer_rules
from dataagent_core.permissions.request import make_request
from dataagent_core.sandbox.paths.workspace_location import SERVER_LOCATION
from dataagent_server.agents.rules.rule_service import RuleService
from dataagent_server.identity.auth import Principal, Resource, require


@dataclass(frozen=True, slots=True)
class Explanation:
    """The decision, and the rule an "always" would store where a user is asked."""

    verdict: PermissionDecision
    always: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains decisions to users of the principal's own tenant."""

    settings: Settings
    rules: RuleService

    async def explain(
        self, principal: Principal, user_id: str, project_id: str | None, tool: str, subject: str
    ) -> Explanation:
        """Evaluate a call as a run of this user would."""
        tenant_id = principal.tenant_id
        require(principal, "rule.read", Resource(tenant_id, "rule", owner_id=user_id))
        kept = await self.rules.rules_for(tenant_id, user_id, project_id)
        home = user_home(self.settings.home, tenant_id, user_id)
        rules = await asyncio.to_thread(load_rules, self.settings, None, home=home)
        kind = self.settings.sandbox_type
        return await asyncio.to_thread(_evaluate, rules.with_kept(kept), tool, subject, kind)


def _evaluate(rules: RuleSet, tool: str, subject: str, sandbox_type: str | None) -> Explanation:
    request = make_request(tool, subject, SERVER_LOCATION, sandbox_type)
    verdict = evaluate(request, rules)
    always = make_answer_rules(request, rules, verdict) if verdict.action == "ask" else []
    return Explanation(verdict, tuple(always))
