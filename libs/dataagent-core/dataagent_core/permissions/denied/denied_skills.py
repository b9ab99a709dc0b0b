"""What a rule `deny skill NAME` closes: the skill, and its files below `/skills`.

It is not offered to the model, and no call may name its files. As with the lists of sub-agents
(`subagent_limits.py`) programs can still open them: what they say is no secret.
"""

from functools import lru_cache

from dataagent_core.config.limits import PERMISSION_RULE_SETS_CACHED_MAX
from dataagent_core.config.paths import SKILL_MOUNTS
from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rules import Rule, RuleSet, decide_resource, select_rules

_TOOL = "skill"


def is_skill_denied(name: str, rules: RuleSet) -> bool:
    """Say whether rules deny a skill."""
    return decide_resource(_TOOL, name, select_rules(_TOOL, rules)).action == "deny"


def explain_denied_files(request: PermissionRequest, rules: RuleSet) -> str:
    """Say why a call may not open the files of a skill; empty where it opens none or may."""
    about = _make_file_rules(rules)
    if about is None:
        return ""
    denied = [part for part in evaluate(request, about).commands if part.action == "deny"]
    return denied[0].reason if denied else ""


@lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)
def _make_file_rules(rules: RuleSet) -> RuleSet | None:
    """Make rules about the files of those about skills; None where nothing is denied."""
    about = select_rules(_TOOL, rules)
    if not any(rule.action == "deny" for rule in about.all()):
        return None
    return RuleSet(
        operator=_for_files(about.operator),
        installation=_for_files(about.installation),
        person=_for_files(about.person),
        project=_for_files(about.project),
        session=_for_files(about.session),
        project_trusted=about.project_trusted,
    )


def _for_files(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return tuple(
        # Who is asked before a skill is loaded may read its files.
        Rule(
            "read",
            f"{mount}{rule.resource}/**",
            "deny" if rule.action == "deny" else "allow",
            rule.source,
        )
        for rule in rules
        for mount in SKILL_MOUNTS
    )
