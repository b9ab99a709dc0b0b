"""What is decided about a call before a person is asked: mode, rules, taint, the owner's yes."""

from dataclasses import dataclass, field
from typing import Any

from dataagent_core.hitl import ActionRequest
from dataagent_core.permissions.action import Action
from dataagent_core.permissions.answers import rule_for_answer
from dataagent_core.permissions.evaluate import evaluate
from dataagent_core.permissions.layer import Layer
from dataagent_core.permissions.mode import refused_in_plan, runs_in_auto
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rule import Rule, RuleSet
from dataagent_core.permissions.run_permissions import RunPermissions
from dataagent_core.permissions.taint import needs_asking
from dataagent_core.permissions.verdict import PermissionVerdict
from dataagent_core.sandbox.workspace_place import NO_PLACE, WorkspacePlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How one agent's calls are judged."""

    rules: RuleSet = field(default_factory=RuleSet)
    # The run's owner said yes to whatever would be asked; what a rule denies stays denied.
    auto_approve: bool = False
    # Tools the owner of the agent handed in: using them is what they are there for, unless they
    # declare themselves that a person is to be asked.
    owned: frozenset[str] = frozenset()
    # The shell has neither the network nor files of the host.
    shell_confined: bool = False
    # Where commands find the workspace.
    place: WorkspacePlace = NO_PLACE
    # What stands behind the judge of command lines; the host's own shell has nothing behind it.
    shell_layer: Layer = "read_only"


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


def judge(
    tool: str,
    args: dict[str, Any],
    effect: str,
    policy: Policy,
    scope: RunPermissions,
    *,
    version: str = "",
    once_only: bool = False,
    declared: str = "",
) -> Judgement:
    """Decide about one call. Pure over the policy and what the scope has settled."""
    rules = policy.rules.with_kept(scope.session_rules)
    request = PermissionRequest(
        tool=tool,
        args=args,
        version=version,
        once_only=once_only,
        declared=declared,
        place=policy.place,
        layer=policy.shell_layer,
    )
    if scope.mode == "plan" and (refused := refused_in_plan(request, effect)):
        return Judgement(action="deny", reason=refused)
    verdict = evaluate(request, rules)
    action, reason = verdict.action, verdict.reason
    # Also what is on the exact list: it is harmless anywhere, and here the kernel sees to it.
    harmless = action == "allow" and verdict.basis != "rule" and not verdict.is_by_rules
    read_only = request.command is not None and (scope.mode == "plan" or harmless)
    if action == "ask" and tool in policy.owned and verdict.rule is None and not declared:
        action = "allow"
    by_mode = action == "ask" and scope.mode == "auto" and runs_in_auto(request, verdict, rules)
    if by_mode:
        action, reason = "allow", "the session is in auto mode"
    if action == "allow" and (
        risk := needs_asking(
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
        saves = tuple(rule_for_answer(request, rules, verdict))
        return Judgement(action="ask", reason=reason, saves=saves, would_ask=True)
    would_ask = by_mode or _was_answered(verdict)
    return Judgement(action=action, reason=reason, would_ask=would_ask, read_only=read_only)


def judge_action(
    action: ActionRequest,
    effect: str,
    policy: Policy,
    scope: RunPermissions,
    args: dict[str, Any] | None = None,
) -> Judgement:
    """Decide about a call as it is put to a person, or with other arguments."""
    return judge(
        action["name"],
        action["args"] if args is None else args,
        effect,
        policy,
        scope,
        version=action.get("version", ""),
        once_only=action.get("once_only", False),
        declared=action.get("declared", ""),
    )


def _was_answered(verdict: PermissionVerdict) -> bool:
    return verdict.rule is not None and verdict.rule.source == "session"
