"""What is decided about a call before a person is asked: mode, rules, taint, the owner's yes."""

from dataclasses import dataclass, field
from typing import Any

from dataagent_core.hitl import ActionRequest
from dataagent_core.permissions.action import Action
from dataagent_core.permissions.answers import rule_for_answer
from dataagent_core.permissions.certain_looks import NOT_HELD, are_certain
from dataagent_core.permissions.evaluate import evaluate
from dataagent_core.permissions.mode import refused_in_plan, runs_in_auto
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rule import Rule, RuleSet
from dataagent_core.permissions.scope import RunScope
from dataagent_core.permissions.taint import needs_asking
from dataagent_core.permissions.verdict import PermissionVerdict
from dataagent_core.sandbox.workspace_place import NO_PLACE, WorkspacePlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How one agent's calls are judged."""

    rules: RuleSet = field(default_factory=RuleSet)
    # The run's owner said yes to whatever would be asked; what a rule denies stays denied.
    auto_approve: bool = False
    # Tools the owner of the agent handed in: using them is what they are there for.
    owned: frozenset[str] = frozenset()
    # The shell has neither the network nor files of the host.
    shell_confined: bool = False
    # Nothing but the judge is behind a look: there is no layer that would take what it writes.
    looks_unheld: bool = False
    # Where commands find the workspace.
    place: WorkspacePlace = NO_PLACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What may happen to a call, why, and what an "always" would save."""

    action: Action
    reason: str
    saves: tuple[Rule, ...] = ()
    would_ask: bool = False
    # A command line that is allowed because it only looks.
    looks: bool = False


def judge(
    tool: str,
    args: dict[str, Any],
    effect: str,
    policy: Policy,
    scope: RunScope,
    *,
    version: str = "",
    once_only: bool = False,
) -> Judgement:
    """Decide about one call. Pure over the policy and what the scope has settled."""
    rules = policy.rules.with_kept(scope.session_rules)
    request = PermissionRequest(
        tool=tool, args=args, version=version, once_only=once_only, place=policy.place
    )
    if scope.mode == "plan" and (refused := refused_in_plan(request, effect)):
        return Judgement(action="deny", reason=refused)
    verdict = evaluate(request, rules)
    action, reason = verdict.action, verdict.reason
    if action == "ask" and tool in policy.owned and verdict.rule is None:
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
        return Judgement(action="allow" if policy.auto_approve else "ask", reason=risk)
    looks = request.command is not None and verdict.only_looks
    if action == "allow" and looks and policy.looks_unheld and not are_certain(verdict.commands):
        action, reason = "ask", NOT_HELD
    if action == "ask":
        if policy.auto_approve:
            return Judgement(action="allow", reason="approved beforehand", would_ask=True)
        saves = tuple(rule_for_answer(request, rules, verdict))
        return Judgement(action="ask", reason=reason, saves=saves, would_ask=True)
    return Judgement(
        action=action, reason=reason, would_ask=by_mode or _was_answered(verdict), looks=looks
    )


def judge_action(
    action: ActionRequest,
    effect: str,
    policy: Policy,
    scope: RunScope,
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
    )


def _was_answered(verdict: PermissionVerdict) -> bool:
    return verdict.rule is not None and verdict.rule.source == "session"
