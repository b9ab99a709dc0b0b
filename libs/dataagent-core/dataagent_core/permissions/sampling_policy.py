"""Decides about an MCP server's request for our model (`sampling/createMessage`). Pure.

A person decides each time, unless a rule names sampling itself. A rule that allows all tools of a
server, a mode, and a prior approval do not cover it: it spends the run's budget.
"""

from typing import Final

from dataagent_core.permissions.decision import PermissionDecision, evaluate
from dataagent_core.permissions.policy import Judgement, Policy
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rules import RuleSet
from dataagent_core.permissions.run_permissions import RunPermissions

# The end of its name in rules; no tool's name can hold a slash.
SAMPLING: Final = "sampling/createMessage"


def judge_sampling(name: str, policy: Policy, scope: RunPermissions) -> Judgement:
    """Decide about the request of the server that a name ending in `SAMPLING` begins with."""
    if scope.mode == "plan":
        return Judgement(action="deny", reason="the session is in plan mode")
    decision = _decide(name, policy.rules.with_kept(scope.session_rules))
    if decision.action == "deny":
        return Judgement(action="deny", reason="a rule denies it")
    if _is_named_by(decision):
        return Judgement(action="allow", reason=decision.reason)
    if policy.auto_approve or scope.questions.hitl_handler is None:
        return Judgement(action="deny", reason="nobody can be asked here, and no rule allows it")
    return Judgement(action="ask", reason=decision.reason)


def may_be_offered(name: str, policy: Policy) -> bool:
    """Say whether a request could be granted in some run: somebody can be asked, or a rule says."""
    decision = _decide(name, policy.rules)
    return decision.action != "deny" and (not policy.auto_approve or _is_named_by(decision))


def _decide(name: str, rules: RuleSet) -> PermissionDecision:
    return evaluate(PermissionRequest(tool=name, args={}), rules)


def _is_named_by(decision: PermissionDecision) -> bool:
    rule = decision.rule
    return decision.action == "allow" and rule is not None and rule.tool.endswith(SAMPLING)
