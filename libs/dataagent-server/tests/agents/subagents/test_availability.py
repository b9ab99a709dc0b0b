"""Which sub-agents the server says cannot be used, and which tools they name in vain."""

from dataclasses import replace

from installation import Installation

from dataagent_core.language.chinese import in_chinese
from dataagent_core.subagents import SubAgent, SubAgentTrigger, built_in_subagents
from dataagent_server.agents.subagents.availability import find_problems
from dataagent_server.agents.subagents.subagent_service import SubAgentService


def test_a_built_in_one_is_unavailable_only_where_its_tools_are_withheld():
    def list_unavailable(withheld: frozenset[str]) -> list[str]:
        found = {one.name: find_problems(one, withheld) for one in built_in_subagents()}
        assert {name: one.warnings for name, one in found.items() if one.warnings} == {}
        return [name for name, one in found.items() if one.unavailable]

    assert list_unavailable(frozenset()) == []
    assert list_unavailable(frozenset({"memory_search"})) == ["memory-explorer"]
    assert list_unavailable(frozenset({"shell"})) == ["operator-agent"]


def test_groups_patterns_and_names_of_other_programs_are_tools():
    tools = ("read", "shell(git *)", "Bash(git:*)", "mcp__git__log", "teleport")
    trigger = SubAgentTrigger(description="x")
    subagent = SubAgent(id="a", name="a", trigger=trigger, system_prompt="x", allowed_tools=tools)
    assert find_problems(subagent, frozenset()).warnings == (
        "'allowed_tools' names 'teleport', which no tool here is called.",
    )


async def test_who_needs_a_tool_of_a_server_is_available_and_can_be_chosen(
    installation: Installation,
):
    needs_git = SubAgent(
        id="historian",
        name="historian",
        trigger=SubAgentTrigger(description="Tells the history of a file"),
        system_prompt="Tell it.",
        requires_tools=("mcp__git__log",),
    )
    assert find_problems(needs_git, frozenset()).unavailable is None
    # Being switched off is not the same as lacking a tool.
    assert find_problems(replace(needs_git, enabled=False), frozenset()).unavailable is None
    database, audit = installation.database, installation.people.audit
    ann = await installation.person(await installation.tenant("t"), "ann", "admin")
    found = await SubAgentService(database, audit, [needs_git]).match(ann, None, "@historian go")
    assert found.chosen == ("historian",)


def test_what_is_said_has_chinese_words():
    trigger = SubAgentTrigger(description="x")
    subagent = SubAgent(
        id="a",
        name="a",
        trigger=trigger,
        system_prompt="x",
        allowed_tools=("teleport",),
        requires_tools=("teleport",),
    )
    found = find_problems(subagent, frozenset())
    assert in_chinese(found.unavailable or "") == "它需要工具 teleport,而此智能体没有。"
    assert in_chinese(found.warnings[0]) == "'allowed_tools' 提到 'teleport',此处没有这个工具。"
