"""Named sub-agents: what they may use, their own terms, depth, and what happens when one fails."""

from pathlib import Path
from typing import Any

import pytest
from agents import Answering, echo, events_of, executor, explode, scripted, settings
from langchain_core.messages import SystemMessage
from made_skills import fixed, make_skill
from subagent_scripts import called, ends_of, playing, results_of, specialist, task

from dataagent_core.permissions.rules import Rule
from dataagent_core.subagents import SubAgentTrigger

ECHO = {"tool_calls": [called("echo", text="x")]}


async def test_the_tool_offers_those_that_are_enabled_visible_and_have_their_tools(
    tmp_path: Path,
) -> None:
    offered = SubAgentTrigger(description="Knows how\nto <echo>.")
    subagents = (
        specialist("echoer", trigger=offered, allowed_tools=("echo",)),
        specialist("lost", requires_tools=("query_the_memory_graph",)),
        specialist("off", enabled=False),
        specialist("secret", hidden=True),
        specialist("planner", requires_tools=("write_todos", "skill", "echo")),
    )
    agent = executor(scripted({"text": "ok"}), tmp_path, tools=[echo], subagents=subagents)
    tool = (await agent.tools()).find("task").tool
    assert "- echoer: Knows how to echo." in tool.description
    assert "- planner:" in tool.description
    assert "general-purpose" in tool.description
    for name in ("lost", "off", "secret"):
        assert f"- {name}:" not in tool.description


async def test_a_hidden_one_works_when_it_is_asked_for_by_name(tmp_path: Path) -> None:
    model = playing(task("SUB", to="secret"), SUB=[{"text": "psst"}])
    events = await events_of(
        executor(model, tmp_path, subagents=(specialist("secret", hidden=True),))
    )
    assert "psst" in str(results_of(events)[0].result)


async def test_it_has_its_own_prompt_and_only_its_tools(tmp_path: Path) -> None:
    asked = [ECHO, {"tool_calls": [called("ls", path="/")]}, {"text": "ok"}]
    model = playing(task("SUB", to="echoer"), SUB=asked)
    echoer = specialist("echoer", allowed_tools=("echo",), system_prompt="You only echo.")
    events = await events_of(executor(model, tmp_path, tools=[echo], subagents=(echoer,)))
    assert results_of(events, "echo")[0].status == "success"
    assert "There is no tool 'ls'" in str(results_of(events, "ls")[0].result)
    systems = [r[0].text for r in model.requests if isinstance(r[0], SystemMessage)]
    assert sum("You only echo." in text for text in systems) == 3
    assert all("task" not in tools for _, tools in model.called_as("You only echo."))
    # Not even named in its catalogue.
    assert "web_search" not in next(text for text in systems if "You only echo." in text)


async def test_its_rules_only_tighten(tmp_path: Path) -> None:
    rules = (Rule("echo", "*", "ask", "project"), Rule("ls", "*", "deny", "project"))
    steps = [ECHO, {"tool_calls": [called("ls", path="/")]}, {"text": "ok"}]
    handler = Answering()
    model = playing(task("SUB", to="careful"), SUB=steps)
    events = await events_of(
        executor(
            model,
            tmp_path,
            tools=[echo],
            handler=handler,
            subagents=(specialist("careful", rules=rules),),
        )
    )
    assert [action["name"] for action in handler.asked] == ["task", "echo"]
    assert "There is no tool 'ls'" in str(results_of(events, "ls")[0].result)


async def test_what_its_rules_always_deny_is_not_in_its_prompt_either(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Rhyme.")
    unused = ("write_todos", "skill", "edit_file", "task")
    rules = tuple(Rule(tool, "**", "deny", "installation") for tool in unused)
    model = playing(task("SUB", to="poet"), SUB=[{"text": "ok"}])
    poet = specialist("poet", rules=rules, system_prompt="You rhyme.")
    skills = fixed(make_skill("talk", "Talk.", description="Talk."))
    agent = executor(model, tmp_path, skills=skills, subagents=(poet, specialist("other")))
    await events_of(agent)
    [(told, tools)] = model.called_as("You rhyme.")
    assert "Rhyme." in told
    assert "read_file" in tools
    assert [name for name in unused if name in told or name in tools] == []
    assert "Skills are" not in told


async def test_who_cannot_write_is_not_told_to_keep_notes(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Rhyme.")
    model = playing(task("SUB", to="echoer"), SUB=[{"text": "ok"}])
    echoer = specialist("echoer", allowed_tools=("echo",), system_prompt="You only echo.")
    await events_of(executor(model, tmp_path, tools=[echo], subagents=(echoer,)))
    [(told, _)] = model.called_as("You only echo.")
    assert "Rhyme." in told
    assert "edit_file" not in told
    assert any("add it with edit_file" in told for told, _ in model.calls)


async def test_what_its_rules_deny_to_read_no_tool_opens_for_it(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("token 4711")
    (tmp_path / "way").symlink_to("secret")
    steps = [
        {"tool_calls": [called("grep", pattern="token", path="/")]},
        {"tool_calls": [called("read_file", file_path="/way/key")]},
        {"tool_calls": [called("shell", command="python3 -c \"print(*open('way/key'))\"")]},
        {"text": "ok"},
    ]
    denies = specialist("careful", rules=(Rule("read", "/secret/**", "deny", "project"),))
    allows = specialist("below", rules=(Rule("read", "/secret/**", "allow", "project"),))
    model = playing(
        task("SUB", to="careful"),
        SUB=[{"tool_calls": [task("BELOW", to="below")]}, *steps],
        BELOW=steps,
    )
    agent = executor(model, tmp_path, subagents=(denies, allows), auto_approve=True)
    events = await events_of(agent)
    for tool in ("grep", "read_file", "shell"):
        found = [str(event.result) for event in results_of(events, tool)]
        assert len(found) == 2
        assert not any("4711" in text for text in found)


async def test_one_that_uses_all_its_turns_hands_over_what_it_did(tmp_path: Path) -> None:
    model = playing(task("SUB", to="slow"), SUB=[{**ECHO, "text": "still looking"}] * 5)
    events = await events_of(
        executor(model, tmp_path, tools=[echo], subagents=(specialist("slow", max_iterations=3),))
    )
    result = results_of(events)[0]
    assert result.status == "success"
    assert "still looking" in result.result
    assert "- echo: x" in result.result
    assert len(results_of(events, "echo")) == 2
    assert "used all its turns" in ends_of(events)["slow"].reason
    assert events[-1].content == "all done"


async def test_one_without_turns_left_does_not_stop_the_others(tmp_path: Path) -> None:
    def turns(count: int) -> list[dict[str, Any]]:
        return [{"tool_calls": [called("echo", text=str(n))], "text": str(n)} for n in range(count)]

    model = playing(
        task("SHORT", to="short"),
        task("LONG", to="long"),
        task("NONE", to="single"),
        SHORT=turns(9),
        LONG=[*turns(6), {"text": "at last"}],
        NONE=turns(9),
    )
    subagents = (
        specialist("short", max_iterations=2),
        specialist("long", max_iterations=7),
        specialist("single", max_iterations=1),
    )
    events = await events_of(executor(model, tmp_path, tools=[echo], subagents=subagents))
    ends = ends_of(events)
    assert {end.phase for end in ends.values()} == {"finished"}
    assert ends["long"].reason == ""
    for name, calls in (("short", 1), ("single", 0), ("long", 6)):
        made = [e for e in results_of(events, "echo") if e.subagent_id == ends[name].subagent_id]
        assert len(made) == calls
    reports = "\n".join(str(e.result) for e in results_of(events))
    assert "at last" in reports
    assert reports.count("used all its turns") == 2
    assert events[-1].content == "all done"


async def test_a_failure_is_a_result_and_the_others_are_kept(tmp_path: Path) -> None:
    model = playing(
        task("GOOD", to="good"),
        task("BAD", to="bad"),
        task("LATE", to="late"),
        task("ODD", to="unresolved"),
        GOOD=[ECHO, {"text": "found it"}],
        BAD=[{"failures": [{"status": 400, "message": "broken"}] * 9}],
        LATE=[{"text": "too late", "delay_s": 30}],
    )
    subagents = (
        *(specialist(name) for name in ("good", "bad", "late")),
        specialist("unresolved", model="nobody:knows-it"),
    )
    chosen = settings(subagent_timeout_s=2)
    events = await events_of(
        executor(model, tmp_path, tools=[echo], subagents=subagents, chosen=chosen)
    )
    by_status: dict[str, list[str]] = {}
    for result in results_of(events):
        by_status.setdefault(result.status, []).append(str(result.result))
    assert ["found it" in text for text in by_status["success"]] == [True]
    assert {ends_of(events)[name].phase for name in ("bad", "late", "unresolved")} == {"failed"}
    # The provider had the request that took too long.
    assert ends_of(events)["late"].tokens["input_tokens"] > 0
    failed = "\n".join(by_status["error"])
    assert "did not finish within 2 s" in failed
    assert "nobody:knows-it" in failed
    assert events[-1].content == "all done"


@pytest.mark.requirement("S2-9.3-sequential")
async def test_a_sequence_hands_each_report_to_the_next(tmp_path: Path) -> None:
    then = [{"description": "SECOND", "subagent_type": "writer"}]
    model = playing(
        task("FIRST", to="finder", then=then),
        FIRST=[{"text": "the answer is 42"}],
        SECOND=[{"text": "a poem of it"}],
    )
    subagents = (specialist("finder"), specialist("writer"))
    events = await events_of(executor(model, tmp_path, subagents=subagents))
    started = [e for e in events if e.event_type == "subagent" and e.phase == "started"]
    assert [(e.name, e.mode) for e in started] == [
        ("finder", "sequential"),
        ("writer", "sequential"),
    ]
    assert "the answer is 42" in started[1].task
    assert started[0].subagent_id != started[1].subagent_id
    result = str(results_of(events)[0].result)
    assert result.index("finder") < result.index("42") < result.index("a poem of it")


async def test_a_sequence_ends_at_the_first_task_that_fails(tmp_path: Path) -> None:
    then = [{"description": "SECOND", "subagent_type": "writer"}]
    model = playing(
        task("FIRST", to="finder", then=then),
        FIRST=[{"failures": [{"status": 400, "message": "broken"}] * 9}],
        SECOND=[{"text": "a poem of nothing"}],
    )
    subagents = (specialist("finder"), specialist("writer"))
    events = await events_of(executor(model, tmp_path, subagents=subagents))
    assert set(ends_of(events)) == {"finder"}
    [result] = results_of(events)
    assert result.status == "error"
    assert "not begun: 1" in str(result.result)


@pytest.mark.requirement("S2-9.3-hierarchical")
@pytest.mark.requirement("F2-subagent-guards")
@pytest.mark.requirement("S2-1.2-layers")
async def test_a_sub_agents_sub_agent_is_under_the_same_gate(tmp_path: Path) -> None:
    write = {"tool_calls": [called("write_file", file_path="/x.txt", content="1")]}
    handler = Answering(
        {"type": "approve"}, {"type": "approve"}, {"type": "respond", "message": "no"}
    )
    model = playing(
        task("BOSS", to="boss"),
        BOSS=[{"tool_calls": [task("HAND", to="hand")]}, {"text": "done below"}],
        HAND=[write, {"text": "could not"}],
    )
    subagents = (specialist("boss"), specialist("hand"))
    events = await events_of(executor(model, tmp_path, handler=handler, subagents=subagents))
    assert [action["name"] for action in handler.asked] == ["task", "task", "write_file"]
    assert handler.asked[2].get("subagent") == "hand"
    assert not (tmp_path / "x.txt").exists()
    boss, hand = ends_of(events)["boss"], ends_of(events)["hand"]
    assert (hand.parent_id, hand.mode) == (boss.subagent_id, "hierarchical")
    asked = next(e for e in reversed(events) if e.event_type == "hitl_request")
    assert asked.subagent_id == hand.subagent_id


async def test_depth_ends_and_cycles_are_refused(tmp_path: Path) -> None:
    deeper = [{"tool_calls": [task("THREE", to="third")]}, {"text": "ok"}]
    model = playing(
        task("ONE", to="first"),
        ONE=[{"tool_calls": [task("AGAIN", to="first"), task("TWO", to="second")]}, {"text": "ok"}],
        TWO=deeper,
    )
    subagents = tuple(specialist(name) for name in ("first", "second", "third"))
    events = await events_of(executor(model, tmp_path, subagents=subagents))
    refused = "\n".join(str(e.result) for e in results_of(events) if e.status == "error")
    assert "'first' is already at work above you" in refused
    assert "There is no tool 'task'" in refused
    assert set(ends_of(events)) == {"first", "second"}


async def test_a_narrow_one_does_not_delegate_and_its_delegates_are_narrower(
    tmp_path: Path,
) -> None:
    both = [called("ls", path="/"), called("echo", text="x")]
    model = playing(
        task("ONE", to="narrow"),
        ONE=[{"tool_calls": [task("TWO", to="wide")]}, {"text": "ok"}],
        TWO=[{"tool_calls": both}, {"text": "ok"}],
    )
    subagents = (specialist("narrow", allowed_tools=("task", "echo")), specialist("wide"))
    events = await events_of(executor(model, tmp_path, tools=[echo], subagents=subagents))
    assert results_of(events, "echo")[0].status == "success"
    assert results_of(events, "ls")[0].status == "error"


async def test_a_pattern_in_its_list_and_its_rules_bind_it_and_its_delegates(
    tmp_path: Path,
) -> None:
    steps: list[dict[str, Any]] = [
        {"tool_calls": [called("shell", command="echo fine"), called("shell", command="ls")]},
        ECHO,
        {"text": "ok"},
    ]
    model = playing(
        task("ONE", to="narrow"),
        ONE=[{"tool_calls": [task("TWO", to="wide")]}, *steps],
        TWO=steps,
    )
    narrow = specialist(
        "narrow",
        allowed_tools=("task", "echo", "shell(echo *)"),
        rules=(Rule("echo", "*", "deny", "project"),),
    )
    agent = executor(
        model, tmp_path, tools=[echo], subagents=(narrow, specialist("wide")), auto_approve=True
    )
    events = await events_of(agent)
    statuses = [e.status for e in results_of(events, "shell")]
    assert sorted(statuses) == ["error", "error", "success", "success"]
    refused = [str(e.result) for e in results_of(events, "shell") if e.status == "error"]
    assert all("may only use" in text for text in refused)
    assert [e.status for e in results_of(events, "echo")] == ["error", "error"]


async def test_a_tool_that_fails_in_one_leaves_it_and_the_others_working(tmp_path: Path) -> None:
    steps: list[dict[str, Any]] = [{"tool_calls": [called("explode", text="no")]}, {"text": "hm"}]
    model = playing(task("ONE"), task("TWO"), ONE=steps, TWO=[ECHO, {"text": "fine"}])
    events = await events_of(executor(model, tmp_path, tools=[echo, explode]))
    assert [e.status for e in results_of(events)] == ["success", "success"]


async def test_the_same_call_of_several_side_by_side_is_no_loop(tmp_path: Path) -> None:
    names = ("ONE", "TWO", "THREE", "FOUR")
    parts = {name: [ECHO, {"text": "ok"}] for name in names}
    model = playing(*map(task, names), **parts)
    events = await events_of(executor(model, tmp_path, tools=[echo]))
    assert [e.status for e in results_of(events, "echo")] == ["success"] * 4
    # One that repeats itself is still stopped.
    model = playing(task("ONE"), ONE=[ECHO] * 4 + [{"text": "ok"}])
    events = await events_of(executor(model, tmp_path, tools=[echo]))
    assert "Skipped" in str(results_of(events, "echo")[2].result)


async def test_a_task_without_a_description_is_refused_before_anybody_is_asked(
    tmp_path: Path,
) -> None:
    then = [{"description": "\n", "subagent_type": "poet"}]
    model = playing(task(" \t", to="poet"), task("SUB", to="poet", then=then))
    handler = Answering()
    agent = executor(model, tmp_path, handler=handler, subagents=(specialist("poet"),))
    events = await events_of(agent)
    first, second = [str(result.result) for result in results_of(events)]
    assert "`description`: it is empty; say what the sub-agent has to do" in first
    assert "description`: it is empty" in second
    assert handler.asked == []
    assert not [event for event in events if event.event_type == "subagent"]
