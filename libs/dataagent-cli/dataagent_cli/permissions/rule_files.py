"""Locates the rule files of a person and of a folder."""

from dataclasses import dataclass
from pathlib import Path

from dataagent_cli.run.run_request import resolve_workspace
from dataagent_cli.wiring import App
from dataagent_core.config import Settings
from dataagent_core.permissions.rule_files.load import load_rules
from dataagent_core.permissions.rule_files.rule_file_names import (
    PERSON_RULES_NAME,
    PROJECT_RULES_PATH,
)
from dataagent_core.permissions.rules import RuleSet


@dataclass(frozen=True, slots=True)
class RulesLocation:
    """The settings, which name the person's home, and the agent's folder."""

    settings: Settings
    project: Path

    @property
    def home(self) -> Path:
        """The folder of the person's own rules."""
        return self.settings.home

    def file(self, *, of_project: bool) -> Path:
        """Return the file of the person's or the project's rules."""
        return self.project / PROJECT_RULES_PATH if of_project else self.home / PERSON_RULES_NAME

    def rules(self) -> RuleSet:
        """Read every rule that applies here."""
        return load_rules(self.settings, self.project)


def locate_rules(app: App, workspace: Path | None) -> RulesLocation:
    """Locate the rules for a folder; by default the current one."""
    return RulesLocation(app.settings, resolve_workspace(workspace or Path.cwd(), app.say))
