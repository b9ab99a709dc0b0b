"""The tools that an agent has and may use at all, as patterns and workflows need to know."""

from collections.abc import Iterable

from dataagent_core.permissions.patterns import EVERYTHING
from dataagent_core.permissions.rules import RuleSet, select_rules
from dataagent_core.permissions.tool_groups import STACK_TOOLS


def list_usable(tools: Iterable[str], rules: RuleSet) -> frozenset[str]:
    """List the tools of a registry and of the stack without those that a rule denies altogether."""
    return frozenset(tool for tool in {*tools, *STACK_TOOLS} if not _is_denied(tool, rules))


def _is_denied(tool: str, rules: RuleSet) -> bool:
    about = select_rules(tool, rules)
    sources = (about.operator, about.installation, about.person, about.project)
    return any(
        source and source[-1].action == "deny" and source[-1].resource in EVERYTHING
        for source in sources
    )
