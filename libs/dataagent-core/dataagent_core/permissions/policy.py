"""Decides about a call before a person is asked: mode, rules, taint, prior approval.

`judge` combines these with what the rules say (`decision.py`). The call waits for a person in
`gate.py`.
"""

from dataclasses import dataclass, field, replace

from dataagent_core.hitl import ActionRequest
from dataagent_core.permissions.decision import PermissionDecision, evaluate
from dataagent_core.permissions.denied.denied_skills import explain_skill_denial
from dataagent_core.permissions.mode import explain_plan_refusal, runs_in_auto
from dataagent_core.permissions.request import Layer, PermissionRequest
from dataagent_core.permissions.rules import Action, Rule, RuleSet
from dataagent_core.permissions.run_permissions import RunPermissions
from dataagent_core.permissions.subagent_limits import SubAgentLimits, judge_by_limits
from dataagent_core.permissions.taint import explain_taint
from dataagent_core.permissions.tool_groups import PLAN_TOOLS, TASK_TOOLS
from dataagent_core.sandbox.paths.workspace_location import ROOT_LOCATION, WorkspaceLocation


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How one agent's calls are judged."""

    rules: RuleSet = field(default_factory=RuleSet)
    # The run's owner approves whatever would be asked; what a rule denies stays denied.
    auto_approve: bool = False
    # Tools that the owner of the agent passed in: they run without asking, unless they declare
    # that a person is to be asked.
    owned: frozenset[str] = frozenset()
    # The shell has neither the network nor files of the host.
    shell_confined: bool = False
    # Where commands see the workspace.
    place: WorkspaceLocation = ROOT_LOCATION
    # The sandbox layer in which command lines run; the host's own shell has none.
    shell_layer: Layer = "read_only"
    # Of a sub-agent and those above it: they only take away.
    subagent_limits: tuple[SubAgentLimits, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What may happen to a call, why, and what an "always" would save."""

    action: Action
    reason: str
    saves: tuple[Rule, ...] = ()
    would_ask: bool = False
    # A command line that is allowed because it is harmless, or that plan mode admits: it has to run
    # where nothing can be written. What a rule, a mode or a person allows need not.
    read_only: bool = False


def judge(call: ActionRequest, effect: str, policy: Policy, scope: RunPermissions) -> Judgement:
    """Decide about one call. Pure over the policy and what the scope has settled.

    In this order: a sub-agent's own limits and plan mode refuse; rules and defaults decide; what
    would be asked is allowed for a tool of the owner's, for a task of a sub-agent that the person
    asked for by name, or by auto mode; taint asks again; a sub-agent's own rules ask again; a yes
    given beforehand answers.
    """
    if call["name"] in PLAN_TOOLS:
        return Judgement(action="allow", reason="it only touches the run's own plan")
    request = PermissionRequest(
        tool=call["name"],
        args=call["args"],
        version=call.get("version", ""),
        once_only=call.get("once_only", False),
        declared=call.get("declared", ""),
        place=policy.place,
        layer=policy.shell_layer,
    )
    own_action, own_reason = judge_by_limits(policy.subagent_limits, request)
    if own_action == "deny":
        return Judgement(action="deny", reason=own_reason)
    judged = _judge_for_agent(request, effect, policy, scope)
    if own_action != "ask" or judged.action != "allow" or policy.auto_approve:
        return judged
    # No "always" is offered: what it would save is the agent's, and allowed already.
    return Judgement(action="ask", reason=own_reason, would_ask=True, read_only=judged.read_only)


def _judge_for_agent(
    request: PermissionRequest, effect: str, policy: Policy, scope: RunPermissions
) -> Judgement:
    tool, args = request.tool, request.args
    rules = policy.rules.with_kept(scope.session_rules)
    if closed := explain_skill_denial(request, rules):
        return Judgement(action="deny", reason=closed)
    if scope.mode == "plan" and (refused := explain_plan_refusal(request, effect)):
        return Judgement(action="deny", reason=refused)
    decision = evaluate(request, rules)
    action, reason = decision.action, decision.reason
    read_only = request.command is not None and (
        scope.mode == "plan"
        # Also what is on the exact list: it is harmless anywhere, and here the kernel enforces it.
        or (action == "allow" and decision.basis != "rule" and not decision.is_by_rules)
    )
    if action == "ask" and tool in policy.owned and decision.rule is None and not request.declared:
        action = "allow"
    if action == "ask" and decision.rule is None and _is_wanted_task(request, scope):
        action, reason = "allow", "the person or the plan asked for it by name"
    by_mode = action == "ask" and scope.mode == "auto" and runs_in_auto(request, decision, rules)
    if by_mode:
        action, reason = "allow", "the session is in auto mode"
    if action == "allow" and (
        risk := explain_taint(
            tool,
            args,
            effect,
            scope.taint,
            scope.named_targets,
            shell_confined=policy.shell_confined,
        )
    ):
        risky: Action = "allow" if policy.auto_approve else "ask"
        return Judgement(action=risky, reason=risk, read_only=read_only)
    if action == "ask":
        if policy.auto_approve:
            return Judgement(action="allow", reason="approved beforehand", would_ask=True)
        saves = tuple(make_answer_rules(request, rules, decision))
        return Judgement(action="ask", reason=reason, saves=saves, would_ask=True)
    was_answered = decision.rule is not None and decision.rule.source == "session"
    would_ask = by_mode or was_answered
    return Judgement(action=action, reason=reason, would_ask=would_ask, read_only=read_only)


def _is_wanted_task(request: PermissionRequest, scope: RunPermissions) -> bool:
    """Say whether a call gives tasks only to sub-agents that the person or the plan asked for.

    It is the task that needs no yes, not what is done in it: each call of it is judged itself.
    """
    known = scope.named_subagents | scope.planned_subagents
    return request.tool in TASK_TOOLS and known.issuperset(request.resources)


def make_answer_rules(
    request: PermissionRequest, rules: RuleSet, decision: PermissionDecision | None = None
) -> list[Rule]:
    """List the rules that would allow this call from now on; empty where none can.

    A call that is asked about because something in it cannot be known, or because an operator
    wants to be asked, stays asked about: then nothing is offered that would not help.
    """
    decision = decision or evaluate(request, rules)
    found: list[Rule] = []
    # Twice: once something may write, what only looks beside it needs a rule of its own.
    for _ in range(2):
        saved = [part.saves for part in decision.commands if part.action == "ask"]
        if decision.action != "ask" or None in saved:
            return []
        found = list(dict.fromkeys([*found, *(rule for rule in saved if rule is not None)]))
        decision = evaluate(request, replace(rules, session=(*rules.session, *found)))
        if decision.action == "allow":
            return found
    return []
