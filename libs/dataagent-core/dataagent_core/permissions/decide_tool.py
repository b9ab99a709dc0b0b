"""The decision about one tool and one path, host or name."""

from functools import lru_cache

from dataagent_core.config.limits import (
    PERMISSION_PATTERNS_CACHED_MAX,
    PERMISSION_RULE_SETS_CACHED_MAX,
)
from dataagent_core.permissions.match import Match
from dataagent_core.permissions.patterns import escaped, fits_name, fits_path, is_everything
from dataagent_core.permissions.rule import Rule, RuleSet
from dataagent_core.permissions.sources import Decided, decide_by_rules
from dataagent_core.permissions.tool_groups import GROUPS, default_action, names_of
from dataagent_core.sandbox.host_files import host_file

# Begins the reason of a question that no mode answers.
HOST_FILE_ASKED = "asked: programs of this computer obey this file"


@lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)
def rules_about(tool: str, rules: RuleSet) -> RuleSet:
    """Leave the rules that name a tool or one of its groups."""
    return rules.only(lambda rule: _is_about(rule.tool, tool))


def holds_commands_back(shell: str, rules: RuleSet) -> bool:
    """Say whether a rule denies or asks about commands, or about files that they may open."""
    touched = (shell, "read_file", "write_file")
    return any(
        rule.action != "allow" for tool in touched for rule in rules_about(tool, rules).all()
    )


@lru_cache(maxsize=PERMISSION_PATTERNS_CACHED_MAX)
def _is_about(pattern: str, tool: str) -> bool:
    return any(fits_name(pattern, name) for name in names_of(tool))


def decide_tool(tool: str, resource: str, rules: RuleSet, *, is_path: bool) -> Decided:
    """Decide by the rules about a tool (`rules_about`) whether it may have a resource."""

    def fits(rule: Rule) -> Match:
        if is_everything(rule.resource):
            return Match.YES
        found = (fits_path if is_path else fits_name)(rule.resource, resource)
        # What is not known may be what is forbidden, never what is allowed.
        return found if found is not Match.MAYBE or rule.action != "allow" else Match.NO

    action = default_action(tool)
    verb = "is allowed" if action == "allow" else "asks"
    decided = decide_by_rules(rules, fits, Decided(action, f"default: {tool} {verb}"))
    return _asked_on_host_files(tool, resource, decided) if is_path else decided


def _asked_on_host_files(tool: str, resource: str, decided: Decided) -> Decided:
    """Ask before a file is written that programs of the host obey, unless a rule names it."""
    if tool not in GROUPS["write"] or decided.action == "deny":
        return decided
    found = host_file(tuple(name for name in resource.split("/") if name))
    if found is None or (decided.rule is not None and _names(decided.rule, resource)):
        return decided
    return Decided("ask", f"{HOST_FILE_ASKED}: {found.who}")


def _names(rule: Rule, resource: str) -> bool:
    return rule.resource.rpartition("/")[2] == escaped(resource).rpartition("/")[2]
