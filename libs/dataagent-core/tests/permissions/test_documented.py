"""docs/permissions.md is true: its examples are read, and decide as it says."""

import re
from pathlib import Path

import pytest
from judging import decide, decide_call, person

from dataagent_core.permissions.rule_files.rule_file import parse_rules
from dataagent_core.permissions.rules import RuleSet
from dataagent_core.permissions.shell.programs.exact_list import EXACT
from dataagent_core.permissions.tool_groups import ALWAYS_USABLE

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


def listed(heading: str) -> list[str]:
    """Give the first list of names beneath a heading."""
    found = re.search(rf"{heading}.*?`([a-z0-9: \n]+? [a-z0-9: \n]+?)`", PAGE, re.DOTALL)
    assert found is not None
    return found[1].split()


def test_the_commands_said_to_be_allowed_are():
    names = listed("### Read-only commands\n")
    assert "sha256sum" in names
    assert [name for name in names if decide(f"{name} x") != "allow"] == []


def test_the_tools_said_to_be_usable_with_any_active_skill_are_those_in_the_code():
    found = re.search(r"- Always usable: (.*?);", PAGE, re.DOTALL)
    assert found is not None
    assert set(re.findall(r"`(\w+)`", found[1])) == ALWAYS_USABLE


def test_the_exact_list_is_the_one_in_the_code():
    names = listed("The exact list: ")
    filters = re.search(r"without a file, `(.*?)`;", PAGE, re.DOTALL)
    assert filters is not None
    assert {*names, *filters[1].split()} == set(EXACT)


def test_the_options_said_to_be_uncovered_are():
    table = re.findall(r"^\| (`make`.*|`git`|`find`.*|`tar`) \| (.*) \|$", PAGE, re.MULTILINE)
    assert len(table) >= 4
    for programs, options in table:
        program = programs.split("`")[1]
        rules = person(f"allow shell {program} *")
        for option in re.findall(r"`(-[\w-]+)`", options.split(";")[0]):
            assert decide(f"{program} x {option} y", rules) == "ask", (program, option)
