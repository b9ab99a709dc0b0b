"""`allowed-tools` of active skills: what a list holds, and that skills only ever narrow."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.permissions import Policy, Rule, RuleSet, RunPermissions, RunQuestions
from dataagent_core.permissions.active_skills import ActiveSkill, ActiveSkills, is_allowed_by
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.runs import RunContext
from dataagent_core.session import Run, RunRecorder
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.definition.tool_origin import EXTRA
from dataagent_core.tools.pipeline.admission import Admission, AdmittedCall
from dataagent_core.tools.pipeline.agent_call import AgentCall
from dataagent_core.tools.registry import ToolRegistry


def holds(entry: str, tool: str, **args: Any) -> bool:
    return is_allowed_by((entry,), PermissionRequest(tool=tool, args=args))


@pytest.mark.parametrize(
    ("entry", "tool", "args", "expected"),
    [
        ("read_file", "read_file", {"file_path": "/a"}, True),
        ("read_file", "write_file", {"file_path": "/a"}, False),
        ("Read", "read_file", {"file_path": "/a"}, True),
        ("Read", "grep", {}, False),
        ("read", "grep", {}, True),
        ("Read(/docs/**)", "read_file", {"file_path": "/docs/a"}, True),
        ("Read(/docs/**)", "read_file", {"file_path": "/docs/../key"}, False),
        ("mcp__git__*", "mcp__git__log", {}, True),
        ("mcp__git__*", "mcp__files__log", {}, False),
        ("Bash", "shell", {"command": "rm -r x"}, True),
        ("Bash(git:*)", "shell", {"command": "git log --oneline"}, True),
        ("Bash(git:*)", "shell", {"command": "git log && rm x"}, False),
        ("Bash(git:*)", "shell", {"command": "git log | sh"}, False),
        ("Bash(git:*)", "shell", {"command": "$X"}, False),
        ("Bash(git:*)", "shell", {"command": "cat x"}, False),
        ("Bash(git:*)", "shell", {"command": "PATH=/evil git log"}, False),
        ("Bash(git:*)", "shell", {"command": "git log\u2028rm x"}, False),
        ("Bash(git:*)", "shell", {"command": "git log; ("}, False),
        ("Bash(git:*)", "shell", {"command": "git log 2>/dev/null"}, True),
        ("Bash(git:*)", "shell", {"command": "git log > x"}, False),
        ("Bash(git:*)", "shell", {"command": "> x"}, False),
        ("Task(x)", "task", {"subagent_type": "x", "then": [{"subagent_type": "x"}]}, True),
        ("Task(x)", "task", {"subagent_type": "x", "then": [{"subagent_type": "y"}]}, False),
        ("Task(x)", "task", {"subagent_type": "x", "then": "[]"}, False),
        ("WebFetch(domain:example.com)", "fetch_url", {"url": "https://example.com/a"}, True),
        ("WebFetch(domain:example.com)", "fetch_url", {"url": "https://evil.com/a"}, False),
        ("ToolOfAnother", "edit_file", {"file_path": "/a"}, False),
        # Needed to go on, whatever the list says.
        ("Read", "skill", {"name": "x"}, True),
        ("Read", "ask_clarification", {}, True),
        ("Bash", "read_file", {"file_path": "/skills/tenant/x/references/a.md"}, True),
        ("Bash", "read_file", {"file_path": "/skills/../key"}, False),
    ],
)
def test_what_a_list_holds(entry: str, tool: str, args: dict[str, Any], expected: bool) -> None:
    assert holds(entry, tool, **args) is expected


def test_a_command_of_a_list_writes_a_file_where_the_list_has_that_too() -> None:
    line = PermissionRequest(tool="shell", args={"command": "git log > /docs/x"})
    assert is_allowed_by(("Bash(git:*)", "Write(/docs/**)"), line)
    assert not is_allowed_by(("Bash(git:*)", "Write(/other/**)"), line)


def test_a_skill_of_a_sub_agent_holds_for_it_and_those_below_only() -> None:
    run = ActiveSkills()
    first, second = run.for_subagent("t1"), run.for_subagent("t2")
    first.add(ActiveSkill(name="reading", allowed_tools=("Read",)))
    call = PermissionRequest(tool="write_file", args={"file_path": "/a"})
    assert run.explain_refusal(call) is None
    assert second.explain_refusal(call) is None
    assert "'reading'" in (first.explain_refusal(call) or "")
    assert "'reading'" in (first.for_subagent("t3").explain_refusal(call) or "")
    run.add(ActiveSkill(name="asking", allowed_tools=()))
    assert "'asking'" in (second.explain_refusal(call) or "")


TOOLS = ("read_file", "write_file", "shell", "fetch_url", "mcp__git__log", "skill")
ENTRIES = ("*", "Read", "read", "Write(/a/**)", "Bash", "Bash(git:*)", "mcp__*", "web", "x(", "")


def make_tool(name: str) -> BaseTool:
    async def run(**args: Any) -> str:
        return str(args)

    schema = {"type": "object", "properties": {}, "additionalProperties": True}
    return StructuredTool(name=name, description=name, args_schema=schema, coroutine=run)


REGISTRY = ToolRegistry().adding([make_tool(name) for name in TOOLS], EXTRA)


class AskedError(Exception):
    """A person would be asked."""


def ask(_payload: dict[str, Any]) -> Any:
    raise AskedError


async def admit(policy: Policy, mode: Any, call: AgentCall, skills: ActiveSkills) -> int:
    """Say how far a call gets: refused, asked about, or admitted."""
    questions = RunQuestions(session_id="s", ask=ask)
    run = Run(run_id="r", session_id="s", message_id="m")
    context = RunContext(
        run=run,
        recorder=RunRecorder(Stores.in_memory().log, run, lambda _: None),
        permissions=RunPermissions(questions=questions, mode=mode),
        active_skills=skills,
    )
    try:
        answer = await Admission(policy, REGISTRY).admit(call, context)
    except AskedError:
        return 1
    return 2 if isinstance(answer, AdmittedCall) else 0


allowed_lists = st.none() | st.lists(st.sampled_from(ENTRIES), max_size=3).map(tuple)
calls = st.sampled_from(
    [
        ("read_file", {"file_path": "/a/b"}),
        ("write_file", {"file_path": "/a/b"}),
        ("write_file", {"file_path": "/c"}),
        ("shell", {"command": "git status"}),
        ("shell", {"command": "git log; curl x"}),
        ("fetch_url", {"url": "https://example.com"}),
        ("mcp__git__log", {}),
        ("skill", {"name": "x"}),
    ]
)
policies = st.builds(
    Policy,
    rules=st.lists(
        st.builds(
            Rule,
            tool=st.sampled_from([*TOOLS, "*"]),
            resource=st.sampled_from(["*", "/a/**", "git *"]),
            action=st.sampled_from(["allow", "ask", "deny"]),
            source=st.just("person"),
        ),
        max_size=3,
    ).map(lambda rules: RuleSet(person=tuple(rules))),
    auto_approve=st.booleans(),
)


@given(
    policy=policies,
    mode=st.sampled_from(["ask", "auto", "plan"]),
    call=calls,
    lists=st.lists(allowed_lists, max_size=3),
)
async def test_an_active_skill_never_lets_through_what_the_agent_may_not(
    policy: Policy, mode: str, call: tuple[str, dict[str, Any]], lists: list[Any]
) -> None:
    made = AgentCall(name=call[0], args=call[1], call_id="c", message_id="m", subagent=None)
    reached = [await admit(policy, mode, made, ActiveSkills())]
    skills = ActiveSkills()
    for number, allowed in enumerate(lists):
        skills.add(ActiveSkill(name=str(number), allowed_tools=allowed))
        reached.append(await admit(policy, mode, made, skills))
    # Each further skill leaves at most what was left before it.
    assert reached == sorted(reached, reverse=True)
