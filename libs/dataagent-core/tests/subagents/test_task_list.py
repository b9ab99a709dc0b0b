"""`Agent(worker, researcher)` of Claude Code: the sub-agents that a sub-agent may give tasks to."""

import pytest

from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.subagent_limits import SubAgentLimits
from dataagent_core.subagents.subagent_file import parse_subagent


@pytest.mark.parametrize(
    ("line", "allowed"),
    [
        ("tools: Read, Agent(worker, researcher)", ["worker", "researcher"]),
        ("tools: ['Task(worker,researcher)', Read]", ["worker", "researcher"]),
        ("tools: Task(worker)", ["worker"]),
        ("tools: Task", ["worker", "researcher", "other"]),
        ("tools: 'Agent(,)'", []),
        ("disallowedTools: Task(worker, researcher)", ["other"]),
    ],
)
def test_the_names_in_the_brackets_are_those_it_may_delegate_to(line: str, allowed: list[str]):
    read = parse_subagent(f"---\nname: lead\ndescription: Leads.\n{line}\n---\nLead.\n", "lead")
    limits = SubAgentLimits(name="lead", allowed_tools=read.allowed_tools, rules=read.rules)
    calls = {
        name: PermissionRequest(tool="task", args={"subagent_type": name})
        for name in ("worker", "researcher", "other")
    }
    assert [name for name, call in calls.items() if limits.judge(call)[0] == "allow"] == allowed
