"""What an agent takes from files when it is built: rules and sub-agents.

Another shell may change them while a conversation is open. Skills and notes are read by every run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.wiring import App

if TYPE_CHECKING:
    from dataagent_core.permissions.rules import Rule, RuleSet
    from dataagent_core.subagents import SubAgent


@dataclass(frozen=True, slots=True)
class AgentFiles:
    """What the files said; equal to what they say now as long as nobody changed them."""

    rules: "RuleSet"
    subagents: "tuple[SubAgent, ...]"

    def with_project_rules(self, new: "Sequence[Rule]") -> "AgentFiles":
        """Add rules at the end of the folder's; what others changed stays a difference."""
        rules = replace(self.rules, project=(*self.rules.project, *new))
        return replace(self, rules=rules)


def read_agent_files(app: App, workspace: Path) -> AgentFiles:
    """Read the files of an agent for a directory; it blocks."""
    from dataagent_cli.commands.agents.subagent_listing import load_all
    from dataagent_core.permissions import load_rules

    rules = load_rules(app.settings, workspace, home=app.settings.home)
    return AgentFiles(rules, load_all(app, workspace).subagents)
