"""Whatever lists and rules a sub-agent has, it may do no more than the agent itself."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from judging import rule

from dataagent_core.events.system import Mode
from dataagent_core.hitl import ActionRequest
from dataagent_core.permissions import Policy, Rule, RuleSet, RunPermissions, RunQuestions, judge
from dataagent_core.permissions.rules import STRICTNESS, Action
from dataagent_core.permissions.subagent_limits import SubAgentLimits

TOOLS = st.sampled_from(["read_file", "write_file", "shell", "task", "mcp__git__log", "skill"])
RESOURCES = st.sampled_from(["*", "/a", "/a/**", "git *", "rm *", "**"])
RULES = st.lists(
    st.builds(
        Rule,
        TOOLS | st.sampled_from(["*", "read", "write", "mcp__*"]),
        RESOURCES,
        st.sampled_from(["allow", "ask", "deny"]),
        st.just("person"),
    ),
    max_size=4,
).map(tuple)
LISTS = st.none() | st.lists(
    TOOLS | st.sampled_from(["read", "Bash(git:*)", "mcp__*", "Read", "*"]), max_size=3
).map(tuple)
LIMITS = st.lists(
    st.builds(
        SubAgentLimits,
        name=st.just("sub"),
        allowed_tools=LISTS,
        allowed_skills=st.none() | st.just(()) | st.just(("poems",)),
        rules=RULES,
    ),
    min_size=1,
    max_size=3,
).map(tuple)
ARGS: dict[str, list[dict[str, Any]]] = {
    "read_file": [{"file_path": "/a"}, {"file_path": "/skills/system/poems/SKILL.md"}],
    "write_file": [{"file_path": "/a", "content": "x"}],
    "shell": [{"command": "git log"}, {"command": "rm -rf a"}, {"command": "ls; $X"}],
    "task": [{"subagent_type": "x", "description": "y"}],
}


def decided(tool: str, args: dict[str, Any], policy: Policy, mode: Mode) -> int:
    scope = RunPermissions(questions=RunQuestions(session_id="s"), mode=mode)
    call = ActionRequest(name=tool, args=args, description="")
    return STRICTNESS[judge(call, "irreversible", policy, scope).action]


@given(
    data=st.data(),
    tool=TOOLS,
    agent_rules=RULES,
    subagent_limits=LIMITS,
    mode=st.sampled_from(["ask", "plan", "auto"]),
    auto_approve=st.booleans(),
)
def test_a_sub_agents_allowed_calls_are_some_of_the_agents_own(
    *,
    data: st.DataObject,
    tool: str,
    agent_rules: tuple[Rule, ...],
    subagent_limits: tuple[SubAgentLimits, ...],
    mode: Mode,
    auto_approve: bool,
) -> None:
    args = data.draw(st.sampled_from(ARGS.get(tool, [{}])))
    agent = Policy(rules=RuleSet(person=agent_rules), auto_approve=auto_approve)
    before = decided(tool, args, agent, mode)
    for upto in range(1, len(subagent_limits) + 1):
        own = Policy(
            rules=agent.rules, auto_approve=auto_approve, subagent_limits=subagent_limits[:upto]
        )
        now = decided(tool, args, own, mode)
        assert now >= before
        before = now


def test_a_list_refuses_what_it_does_not_hold_and_a_rule_asks_for_what_is_allowed() -> None:
    only_git = SubAgentLimits(name="sub", allowed_tools=("read_file", "Bash(git:*)"))
    asks = SubAgentLimits(name="sub", rules=(rule("ask read_file /a"),))
    poems = SubAgentLimits(name="sub", allowed_skills=("poems",))
    table: list[tuple[str, dict[str, Any], SubAgentLimits, Action]] = [
        ("read_file", {"file_path": "/a"}, only_git, "allow"),
        ("shell", {"command": "git log"}, only_git, "allow"),
        ("shell", {"command": "ls"}, only_git, "deny"),
        ("write_file", {"file_path": "/a"}, only_git, "deny"),
        ("write_todos", {}, only_git, "allow"),
        ("read_file", {"file_path": "/a"}, asks, "ask"),
        ("read_file", {"file_path": "/b"}, asks, "allow"),
        ("read_file", {"file_path": "/skills/project/poems/a.md"}, poems, "allow"),
        ("read_file", {"file_path": "/skills/project/poems/../other/a.md"}, poems, "deny"),
        ("shell", {"command": "cat /skills/system/other/a.md"}, poems, "deny"),
        ("shell", {"command": "cat /skills/system/poems/a.md"}, poems, "allow"),
        ("shell", {"command": "cat $X"}, poems, "allow"),
        ("glob", {"pattern": "*", "path": "/skills"}, poems, "deny"),
        ("read_file", {"file_path": "/a"}, poems, "allow"),
    ]
    for tool, args, limits, expected in table:
        assert decided(tool, args, Policy(subagent_limits=(limits,)), "ask") == STRICTNESS[expected]


def test_auto_mode_answers_no_line_that_may_be_what_its_rules_are_about() -> None:
    pushes = SubAgentLimits(name="sub", rules=(rule("deny shell git push *"),))
    policy = Policy(subagent_limits=(pushes,))
    lines: dict[str, Action] = {
        "git push": "deny",
        "echo git push | sh": "ask",
        "python -c 'import os'": "ask",
        "make": "allow",
    }
    for line, expected in lines.items():
        assert decided("shell", {"command": line}, policy, "auto") == STRICTNESS[expected]
