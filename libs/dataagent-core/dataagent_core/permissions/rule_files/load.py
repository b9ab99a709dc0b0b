"""Putting together the rules that count in a folder."""

from pathlib import Path

from dataagent_core.config import Settings
from dataagent_core.config.resolve.layers import CONFIG_FILE
from dataagent_core.permissions.rule_files.rule_file import read_rule_file, rules_of
from dataagent_core.permissions.rule_files.rule_file_names import (
    PERSON_RULES_NAME,
    PROJECT_RULES_PATH,
)
from dataagent_core.permissions.rule_files.trust import is_trusted
from dataagent_core.permissions.rules import Rule, RuleSet


def load_rules(
    settings: Settings,
    project: Path | None,
    *,
    home: Path | None = None,
    installation: bool = False,
    session: tuple[Rule, ...] = (),
) -> RuleSet:
    """Read the rules of the operator, the person and the folder; a session's are handed in.

    `home` is the person's folder, where it is not that of the settings. With `installation`, the
    rules of the settings' own folder bind that person too: they only tighten.
    """
    home = home or settings.home
    shared = installation and home != settings.home
    return RuleSet(
        operator=operator_rules(settings),
        installation=(
            read_rule_file(settings.home / PERSON_RULES_NAME, "installation") if shared else ()
        ),
        person=read_rule_file(home / PERSON_RULES_NAME, "person"),
        project=read_rule_file(project / PROJECT_RULES_PATH, "project") if project else (),
        session=session,
        project_trusted=project is not None and is_trusted(home, project),
    )


def operator_rules(settings: Settings) -> tuple[Rule, ...]:
    """Check the rules of the settings; no project can set them (`config/settings.py`)."""
    where = f"[permissions] in {settings.home / CONFIG_FILE}"
    return rules_of(settings.permissions, where, "operator")
