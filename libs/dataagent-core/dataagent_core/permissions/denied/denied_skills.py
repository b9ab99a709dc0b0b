"""What a rule `deny skill NAME` closes: the skill, and its files.

It is not offered to the model. About its files rules are made, which count like `deny read`: below
`/skills`, and in the folder of a project's skills, which is part of the workspace. No call may name
them, and `denied_files.py` keeps tools and programs from opening them.
"""

from functools import lru_cache

from dataagent_core.config.limits import PERMISSION_RULE_SETS_CACHED_MAX
from dataagent_core.config.paths import PROJECT_SKILLS, SKILL_MOUNTS
from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rules import Rule, RuleSet, decide_resource, select_rules

_TOOL = "skill"
_FOLDERS = (*SKILL_MOUNTS, f"/{PROJECT_SKILLS}/")


def is_skill_denied(name: str, rules: RuleSet) -> bool:
    """Say whether rules deny a skill."""
    return decide_resource(_TOOL, name, select_rules(_TOOL, rules)).action == "deny"


def explain_skill_denial(request: PermissionRequest, rules: RuleSet) -> str:
    """Say why a call may not open the files of a skill; empty where it opens none or may."""
    about = make_file_rules(rules)
    if about is None:
        return ""
    denied = [part for part in evaluate(request, about).commands if part.action == "deny"]
    return denied[0].reason if denied else ""


@lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)
def make_file_rules(rules: RuleSet) -> RuleSet | None:
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
            f"{folder}{rule.resource}/**",
            "deny" if rule.action == "deny" else "allow",
            rule.source,
        )
        for rule in rules
        for folder in _FOLDERS
    )
