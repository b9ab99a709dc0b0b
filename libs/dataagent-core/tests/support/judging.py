"""Short ways to ask the rules a question in tests."""

from typing import Any

from dataagent_core.permissions.decision import PermissionDecision, evaluate
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rules import Action, Rule, RuleSet, Source

NO_RULES = RuleSet()


def rule(line: str, source: Source = "person") -> Rule:
    """Make a rule from `deny shell rm *`."""
    action, tool, resource = line.split(" ", 2)
    checked: dict[str, Action] = {"allow": "allow", "ask": "ask", "deny": "deny"}
    return Rule(tool, resource, checked[action], source)


def person(*lines: str) -> RuleSet:
    """Make rules of the person's own."""
    return RuleSet(person=tuple(rule(line) for line in lines))


def shell(command: str) -> PermissionRequest:
    """Ask for a command line."""
    return PermissionRequest(tool="shell", args={"command": command})


def verdict(command: str, rules: RuleSet = NO_RULES) -> PermissionDecision:
    """Judge a command line."""
    return evaluate(shell(command), rules)


def decide(command: str, rules: RuleSet = NO_RULES) -> Action:
    """Judge a command line, in one word."""
    return verdict(command, rules).action


def decide_call(tool: str, rules: RuleSet = NO_RULES, **args: Any) -> Action:
    """Judge any other call, in one word."""
    return evaluate(PermissionRequest(tool=tool, args=args), rules).action
