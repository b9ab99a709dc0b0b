"""Putting together the rules that count in a folder."""

from pathlib import Path

from dataagent_core.permissions.protected import PERSON_RULES_NAME, PROJECT_RULES_PATH
from dataagent_core.permissions.rule import Rule, RuleSet
from dataagent_core.permissions.rule_file import read_rule_file
from dataagent_core.permissions.trust import is_trusted


def load_rules(
    home: Path,
    project: Path | None,
    *,
    operator: tuple[Rule, ...] = (),
    session: tuple[Rule, ...] = (),
) -> RuleSet:
    """Read the person's and the folder's rules; the others are handed in."""
    return RuleSet(
        operator=operator,
        person=read_rule_file(home / PERSON_RULES_NAME, "person"),
        project=read_rule_file(project / PROJECT_RULES_PATH, "project") if project else (),
        session=session,
        project_trusted=project is not None and is_trusted(home, project),
    )
