"""What one sub-agent may not do although the agent may: lists of tools and skills, and own rules.

It only takes away. A call must be in every list and is judged by the strictest of all
rules, so nesting sub-agents narrows further and no list and no rule can widen anything.

A list of skills closes the files of other skills too: no call may name them below `/skills`. It is
no secret what they say: programs see them all, and those of a project are files of its workspace.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from dataagent_core.config.limits import PERMISSION_RULE_SETS_CACHED_MAX
from dataagent_core.config.paths import SKILL_MOUNTS
from dataagent_core.permissions.active_skills import is_allowed_by
from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.mode import runs_in_auto
from dataagent_core.permissions.patterns import EVERYTHING, escape_pattern
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rules import STRICTNESS, Action, Rule, RuleSet, select_rules

_FREE: Final = ("allow", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentLimits:
    """The limits of one sub-agent, named after it."""

    name: str
    # Entries as in `allowed-tools` of a skill; None: every tool.
    allowed_tools: tuple[str, ...] | None = None
    # Names of skills; None: every skill.
    allowed_skills: tuple[str, ...] | None = None
    rules: tuple[Rule, ...] = ()

    def judge(self, request: PermissionRequest) -> tuple[Action, str]:
        """Return the strictest thing this says of a call, and why; allow where it says nothing."""
        if not is_allowed_by(self.allowed_tools, request):
            listed = ", ".join(self.allowed_tools or ()) or "none"
            return "deny", f"the sub-agent {self.name!r} may only use: {listed:.300}"
        if self.allowed_skills is not None and _opens_other_skill(self.allowed_skills, request):
            listed = ", ".join(self.allowed_skills) or "none"
            return "deny", f"the sub-agent {self.name!r} may only use the skills: {listed:.300}"
        if not self.rules:
            return _FREE
        # Only its own rules count: defaults are the agent's to decide by.
        own = RuleSet(operator=self.rules)
        decision = evaluate(request, own)
        decided = [part for part in decision.commands if part.rule is not None]
        worst = max(decided, key=lambda part: STRICTNESS[part.action], default=None)
        if worst is not None and worst.action != "allow":
            return worst.action, f"{worst.reason}, of the sub-agent {self.name!r}"
        if request.command is not None and not runs_in_auto(request, decision, own):
            return "ask", f"it may be what a rule of the sub-agent {self.name!r} is about"
        return _FREE

    def denies_all_calls(self, tool: str) -> bool:
        """Say whether its own rules leave no call of a tool, so that it need not see the tool."""
        about = select_rules(tool, RuleSet(operator=self.rules)).operator
        return bool(about) and about[-1].action == "deny" and about[-1].resource in EVERYTHING


def _opens_other_skill(allowed_skills: Sequence[str], request: PermissionRequest) -> bool:
    decision = evaluate(request, _make_skill_rules(tuple(allowed_skills)))
    return any(part.action == "deny" for part in decision.commands)


@lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)
def _make_skill_rules(allowed_skills: tuple[str, ...]) -> RuleSet:
    closed = ("/skills", *(f"{mount}**" for mount in SKILL_MOUNTS))
    names = [escape_pattern(name) for name in allowed_skills]
    opened = (f"{mount}{name}/**" for mount in SKILL_MOUNTS for name in names)
    return RuleSet(
        operator=(
            *(Rule("read", path, "deny", "operator") for path in closed),
            *(Rule("read", path, "allow", "operator") for path in opened),
        )
    )


def judge_by_limits(
    subagent_limits: tuple[SubAgentLimits, ...], request: PermissionRequest
) -> tuple[Action, str]:
    """Return the strictest of several."""
    found = [one.judge(request) for one in subagent_limits]
    return max(found, key=lambda one: STRICTNESS[one[0]], default=_FREE)
