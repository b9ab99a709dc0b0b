"""The tools of other programs under our names."""

import re
from pathlib import Path

import pytest

from dataagent_core.permissions.active_skills import is_allowed_by
from dataagent_core.permissions.foreign_tools import OWN_TOOLS, read_tool_name
from dataagent_core.permissions.request import PermissionRequest

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


@pytest.mark.parametrize(
    ("written", "resources"),
    [
        ("Agent(worker, researcher)", ("worker", "researcher")),
        ("task(worker\uff0cresearcher)", ("worker", "researcher")),
        ("Task(worker)", ("worker",)),
        ("Task", ()),
        ("Task(,)", (",",)),
        ("Bash(echo a, b)", ("echo a, b",)),
    ],
)
def test_only_the_sub_agents_of_a_task_are_a_list(written: str, resources: tuple[str, ...]):
    assert read_tool_name(written).resources == resources


def test_a_skill_may_list_several_sub_agents():
    called = {
        name: PermissionRequest(tool="task", args={"subagent_type": name})
        for name in ("worker", "researcher", "other")
    }
    listed = ("Agent(worker, researcher)",)
    assert [name for name, call in called.items() if is_allowed_by(listed, call)] == [
        "worker",
        "researcher",
    ]


def test_every_tool_of_ours_is_known():
    documented = set(re.findall(r"(?m)^\| `(\w+)` \|", TOOLS_PAGE.read_text()))
    assert documented <= OWN_TOOLS
