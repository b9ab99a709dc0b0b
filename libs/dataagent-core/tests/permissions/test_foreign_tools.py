"""The tools of other programs under our names."""

import re
from pathlib import Path

import pytest

from dataagent_core.permissions.foreign_tools import OWN_TOOLS, read_tool_name

TOOLS_PAGE = Path(__file__).parents[4] / "docs/tools.md"


@pytest.mark.parametrize(
    ("written", "tools", "resource"),
    [
        ("Bash", ("shell",), ""),
        ("Bash(git diff:*)", ("shell",), "git diff *"),
        ("read", ("read_file",), ""),
        ("TodoWrite", ("write_todos",), ""),
        ("run_shell_command", ("shell",), ""),
    ],
)
def test_a_tool_of_another_program_is_found(written: str, tools: tuple[str, ...], resource: str):
    found = read_tool_name(written)
    assert (found.tools, found.resource) == (tools, resource)
    assert found.is_foreign
    assert found.is_known


def test_our_own_names_and_unknown_ones_stay():
    assert not read_tool_name("read_file").is_foreign
    assert not read_tool_name("shell(git *)").is_foreign
    assert read_tool_name("mcp__github__search").is_known
    assert read_tool_name("codebase") == ("codebase", ("codebase",), "")
    assert not read_tool_name("codebase").is_known


def test_every_tool_of_ours_is_known():
    documented = set(re.findall(r"(?m)^\| `(\w+)` \|", TOOLS_PAGE.read_text()))
    assert documented <= OWN_TOOLS
