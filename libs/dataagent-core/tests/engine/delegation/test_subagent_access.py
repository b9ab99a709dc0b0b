"""What a sub-agent's lists of skills and MCP servers leave it: in its prompt, its tools, the gate."""

import sys
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, echo, events_of, executor, settings
from made_skills import fixed, make_skill
from mcp_openers import SMALL_SERVER
from subagent_scripts import called, playing, results_of, specialist, task

from dataagent_core.mcp import MCPConfig, MCPServerConfig

SKILL = "---\nname: {name}\ndescription: All about {name}.\n---\nThe secret of {name}.\n"


def write_skills(workspace: Path, *names: str) -> None:
    for name in names:
        folder = workspace / ".dataagent" / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(SKILL.format(name=name))


@pytest.mark.requirement("S2-1.2-layers")
async def test_skills_that_are_not_listed_are_neither_told_nor_loaded_nor_read(
    tmp_path: Path,
) -> None:
    write_skills(tmp_path, "invoices", "poems")
    steps: list[dict[str, Any]] = [
        {"tool_calls": [called("skill", name="invoices"), called("skill", name="poems")]},
        {
            "tool_calls": [
                called("read_file", file_path=f"/skills/project/{name}/SKILL.md")
                for name in ("invoices", "poems")
            ]
        },
        {"tool_calls": [called("grep", pattern="secret", path="/skills")]},
        {"tool_calls": [called("ls", path="/skills/project")]},
        {"tool_calls": [called("shell", command="cat /skills/project/poems/SKILL.md")]},
        {"text": "ok"},
    ]
    model = playing(task("SUB", to="clerk"), SUB=steps)
    clerk = specialist("clerk", allowed_skills=("invoices",))
    events = await events_of(executor(model, tmp_path, subagents=(clerk,), auto_approve=True))
    shown = model.called_as("You are clerk.")
    assert len(shown) == 6
    assert all("- invoices:" in text and "poems" not in text for text, _ in shown)
    by_status = {event.status: str(event.result) for event in results_of(events, "skill")}
    assert "The secret of invoices." in by_status["success"]
    assert "There is no skill 'poems'" in by_status["error"]
    found = [
        str(event.result)
        for tool in ("read_file", "grep", "ls", "shell")
        for event in results_of(events, tool)
    ]
    assert len(found) == 5
    assert any("secret of invoices" in text for text in found)
    assert [text for text in found if "secret of poems" in text] == []


async def test_a_sub_agent_with_no_skill_has_no_tool_for_them(tmp_path: Path) -> None:
    write_skills(tmp_path, "invoices")
    steps = [{"tool_calls": [called("skill", name="invoices")]}, {"text": "ok"}]
    model = playing(task("SUB", to="clerk"), SUB=steps)
    clerk = specialist("clerk", allowed_skills=())
    events = await events_of(executor(model, tmp_path, subagents=(clerk,), auto_approve=True))
    for text, tools in model.called_as("You are clerk."):
        assert "invoices" not in text
        assert "skill" not in tools
    assert [event.status for event in results_of(events, "skill")] == ["error"]


async def test_a_skill_whose_tools_it_may_not_call_is_not_told(tmp_path: Path) -> None:
    skills = fixed(
        make_skill("writing", requires_tools=("write_file",)),
        make_skill("reading", requires_tools=("read_file", "write_todos")),
    )
    model = playing(task("SUB", to="clerk"), SUB=[{"text": "ok"}])
    clerk = specialist("clerk", allowed_tools=("read_file",))
    agent = executor(model, tmp_path, subagents=(clerk,), skills=skills, auto_approve=True)
    await events_of(agent)
    ((told, _),) = model.called_as("You are clerk.")
    assert "- reading:" in told
    assert "- writing:" not in told
    assert any("- writing:" in text for text, _ in model.calls)


@pytest.mark.parametrize("listed_tools", [None, ("echo",)])
async def test_tools_of_servers_that_are_not_listed_do_not_exist_for_it(
    tmp_path: Path, listed_tools: tuple[str, ...] | None
) -> None:
    here, there = "mcp__local_here__echo", "mcp__local_there__echo"
    steps = [{"tool_calls": [called(here, text="a"), called(there, text="b")]}, {"text": "ok"}]
    model = playing(task("SUB", to="narrow"), SUB=steps)
    narrow = specialist("narrow", allowed_mcp_servers=("here",), allowed_tools=listed_tools)
    handler = Answering()
    agent = executor(
        model,
        tmp_path,
        tools=[echo],
        handler=handler,
        chosen=settings(home=tmp_path / "home"),
        subagents=(narrow,),
        mcp_config=MCPConfig(servers=[_server("here"), _server("there")]),
    )
    try:
        events = await events_of(agent)
    finally:
        await agent.aclose()
    shown = model.called_as("You are narrow.")
    assert shown
    assert not any(there in text or there in tools for text, tools in shown)
    assert not any("mcp__local_there" in text for text, _ in shown)
    (answered,), (refused,) = results_of(events, here), results_of(events, there)
    assert (answered.status, answered.result) == ("success", "a")
    assert refused.status == "error"
    assert f"There is no tool '{there}'" in str(refused.result)
    # A person is asked about the call that can be made, and only about that.
    assert [action["name"] for action in handler.asked][-2:] == ["task", here]


async def test_a_tool_that_its_maker_may_not_use_is_not_given_to_a_sub_agent(
    tmp_path: Path,
) -> None:
    """Listing a tool allows nothing: what the agent lacks or is denied, its sub-agents lack too."""
    write = called("write_file", file_path="/x.txt", content="1")
    steps = [{"tool_calls": [called("shell", command="ls"), write]}, {"text": "ok"}]
    model = playing(task("SUB", to="greedy"), SUB=steps)
    greedy = specialist("greedy", allowed_tools=("shell", "write_file", "echo", "nobody_has_it"))
    agent = executor(
        model,
        tmp_path,
        subagents=(greedy,),
        auto_approve=True,
        withheld_tools=frozenset({"shell"}),
        chosen=settings(permissions={"rules": [{"tool": "write_file", "action": "deny"}]}),
    )
    events = await events_of(agent)
    assert "There is no tool 'shell'" in str(results_of(events, "shell")[0].result)
    assert "denied" in str(results_of(events, "write_file")[0].result)
    assert not (tmp_path / "x.txt").exists()
    for text, tools in model.called_as("You are greedy."):
        assert not {"shell", "echo", "nobody_has_it"} & {*tools}
        assert "nobody_has_it" not in text


def _server(name: str) -> MCPServerConfig:
    folder = str(Path(SMALL_SERVER).parent)
    args = ["-I", "-S", str(SMALL_SERVER)]
    return MCPServerConfig(name=name, command=sys.executable, args=args, read_paths=[folder])
