"""docs/permissions.md is true: its examples are read, and decide as it says."""

import re
from pathlib import Path

import pytest
from judging import decide, decide_call

from dataagent_core.permissions.rule import RuleSet
from dataagent_core.permissions.rule_file import parse_rules

PAGE = (Path(__file__).parents[4] / "docs" / "permissions.md").read_text()
(EXAMPLE,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
RULES = RuleSet(person=parse_rules(EXAMPLE, "docs/permissions.md", "person"))


@pytest.mark.requirement("S2-C.2.2-wildcards")
@pytest.mark.requirement("F3-8")
@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("npm run build", "allow"),
        ("npm run publish --tag x", "deny"),
        ("npm install", "ask"),
        ("cat secrets/key", "deny"),
        ("echo x > secrets/key", "deny"),
    ],
)
def test_the_example_decides_as_its_comments_say(line: str, decision: str):
    assert decide(line, RULES) == decision


def test_the_example_covers_other_tools():
    assert decide_call("grep", RULES, path="/secrets") == "deny"
    assert decide_call("fetch_url", RULES, url="https://docs.python.org/3/") == "allow"
    assert decide_call("fetch_url", RULES, url="https://python.org/") == "ask"
    assert decide_call("mcp__local_github__list_issues", RULES) == "allow"
    assert decide_call("mcp__local_github__delete_repo", RULES) == "ask"


def test_the_commands_said_to_be_allowed_are():
    listed = re.search(r"to see: `(.*?)`", PAGE, re.DOTALL)
    assert listed is not None
    for name in listed[1].split():
        assert decide(f"{name} x") == "allow", name
