"""Whose event it is: two tasks of one sub-agent side by side are told apart in every event."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, echo, events_of, executor, resumed, scripted
from langchain_core.tools import tool
from subagent_scripts import specialist

from dataagent_core.engine.delegation.general_purpose import GENERAL_PURPOSE
from dataagent_core.engine.delegation.worked_time import read_worked_s
from dataagent_core.errors import StorageError
from dataagent_core.events import (
    Event,
    HITLRequestEvent,
    StepFinishEvent,
    SubAgentEvent,
    ToolCallEvent,
    from_json,
)
from dataagent_core.events.codec import to_json
from dataagent_core.events.sse import render_sse
from dataagent_core.session import read_all
from dataagent_core.session.stores.bundle import Stores, open_sqlite

USED = {"usage": {"input_tokens": 100, "output_tokens": 7}}


def called(name: str, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args}


def task(what: str) -> dict[str, Any]:
    return called("task", description=what, subagent_type=GENERAL_PURPOSE)


def two_at_once(*steps: dict[str, Any]) -> Any:
    """Play an agent that gives two tasks at once; the first one's takes a turn more."""
    return scripted(
        scripts=[
            {"match": "^FIRST", "steps": [steps[0], steps[0], {"text": "one", **USED}]},
            {"match": "^SECOND", "steps": [steps[-1], {"text": "two", **USED}]},
            {"steps": [{"tool_calls": [task("FIRST"), task("SECOND")]}, {"text": "all done"}]},
        ]
    )


def ids_by_task(events: list[Any]) -> dict[str, str]:
    return {e.task: e.subagent_id for e in events if getattr(e, "phase", "") == "started"}


@pytest.mark.requirement("S2-9.3-parallel")
async def test_every_event_of_a_sub_agent_says_whose_it_is(tmp_path: Path) -> None:
    steps = [{"tool_calls": [called("echo", text=text)], **USED} for text in ("a", "b")]
    async with open_sqlite(tmp_path / "s.db", "local") as stores:
        agent = executor(two_at_once(*steps), tmp_path, tools=[echo], stores=stores)
        events = await events_of(agent)
        assert await read_all(stores.log, "s") == events
    ids = ids_by_task(events)
    assert len(set(ids.values())) == 2
    for name, text, turns in (("FIRST", "a", 3), ("SECOND", "b", 2)):
        own = [e for e in events if e.subagent_id == ids[name]]
        count = {
            kind: sum(e.event_type == kind for e in own) for kind in {e.event_type for e in own}
        }
        calls = turns - 1
        assert count == {
            "subagent": 2,
            "tool_call": calls,
            "tool_result": calls,
            "step_finish": turns,
            "cost_update": turns,
        }
        assert {e.tool_args["text"] for e in own if e.event_type == "tool_call"} == {text}
        end = own[-1]
        assert isinstance(end, SubAgentEvent)
        assert (end.phase, end.mode, end.parent_id) == ("finished", "parallel", None)
        assert end.tokens["input_tokens"] == 100 * turns
        assert end.duration_ms is not None
        assert render_sse(own[1])["data"]["subagent_id"] == ids[name]
    # The agent's own events do not grow by it.
    own = [e for e in events if e.subagent_id is None]
    assert {"start", "text", "tool_call", "tool_result", "done"} <= {e.event_type for e in own}
    assert not any("subagent_id" in e.to_dict() for e in own)
    assert [from_json(to_json(e)) for e in events] == events


@pytest.mark.requirement("F2-subagent-interrupt")
async def test_a_request_to_a_person_and_its_answer_name_the_sub_agents_task(
    tmp_path: Path,
) -> None:
    steps = [
        {"tool_calls": [called("write_file", file_path=f"/{n}.txt", content="1")]} for n in "ab"
    ]
    agent = executor(two_at_once(*steps), tmp_path, handler=Answering())
    events = await events_of(agent)
    ids = ids_by_task(events)
    kinds = {"hitl_request", "hitl_answer"}
    asked = [(e.event_type, e.subagent_id) for e in events if e.event_type in kinds]
    for subagent_id in (None, *ids.values()):
        assert ("hitl_request", subagent_id) in asked
        assert ("hitl_answer", subagent_id) in asked
    paths = {
        e.subagent_id: e.action_requests[0]["args"]["file_path"]
        for e in events
        if e.event_type == "hitl_request" and e.subagent_id
    }
    assert paths == {ids["FIRST"]: "/a.txt", ids["SECOND"]: "/b.txt"}


async def test_events_say_which_sub_agent_it_is_not_only_its_name(tmp_path: Path) -> None:
    poet = replace(specialist("poet"), id="row-7")
    events = await events_of(
        executor(scripted({"text": "verses"}), tmp_path, subagents=(poet,)), "@poet rhyme"
    )
    told = [(e.phase, e.name, e.agent_id) for e in events if e.event_type == "subagent"]
    phases = ("assigned", "started", "finished")
    assert told == [(phase, "poet", "row-7") for phase in phases]


async def test_what_a_sub_agent_used_before_a_crash_is_in_its_end(tmp_path: Path) -> None:
    crashed: list[str] = []

    @tool
    async def crash_once(text: str) -> str:
        """Return the text, after a crash."""
        if not crashed:
            crashed.append(text)
            # It leaves the run open, as the death of the process does.
            raise StorageError("gone")
        return text

    crash_once.metadata = {"effect": "pure"}
    model = scripted(
        scripts=[
            {
                "match": "^ONE",
                "steps": [
                    {"tool_calls": [called("crash_once", text="x")], **USED},
                    {"text": "one", **USED},
                ],
            },
            {"steps": [{"tool_calls": [task("ONE")]}, {"text": "all done"}]},
        ]
    )
    stores = Stores.in_memory()
    first = executor(model, tmp_path, tools=[crash_once], stores=stores)
    assert (await events_of(first))[-1].event_type == "error"
    later = await resumed(executor(model, tmp_path, tools=[crash_once], stores=stores))
    end = next(e for e in later if getattr(e, "phase", "") == "finished")
    assert end.tokens["input_tokens"] == 200


async def test_the_time_of_a_task_has_what_was_before_a_wait_for_a_person(tmp_path: Path) -> None:
    @tool
    async def slow(text: str) -> str:
        """Return the text, later."""
        await asyncio.sleep(0.3)
        return text

    slow.metadata = {"effect": "pure"}
    steps = [
        {"tool_calls": [called("slow", text="x")]},
        {"tool_calls": [called("write_file", file_path="/a.txt", content="1")]},
    ]
    model = scripted(
        scripts=[
            {"match": "^ONE", "steps": [*steps, {"text": "one"}]},
            {"steps": [{"tool_calls": [task("ONE")]}, {"text": "all done"}]},
        ]
    )
    events = await events_of(executor(model, tmp_path, tools=[slow], handler=Answering()))
    end = next(e for e in events if getattr(e, "phase", "") == "finished")
    assert end.duration_ms >= 300


def test_the_time_of_a_task_is_read_from_the_log_without_waits_and_pauses() -> None:
    def phase(at: float, name: Any, *, by: str = "boss", parent: str | None = None) -> Event:
        return SubAgentEvent(timestamp=at, subagent_id=by, phase=name, parent_id=parent)

    events: list[Event] = [
        ToolCallEvent(timestamp=0),
        phase(1, "started"),
        ToolCallEvent(timestamp=3, subagent_id="boss"),
        phase(3, "started", by="hand", parent="boss"),
        HITLRequestEvent(timestamp=5, subagent_id="hand"),
        # Another process goes on, twice.
        phase(100, "started"),
        phase(100, "started", by="hand", parent="boss"),
        ToolCallEvent(timestamp=101, subagent_id="hand"),
        phase(200, "started"),
        phase(200, "started", by="hand", parent="boss"),
        phase(202, "finished", by="hand", parent="boss"),
        StepFinishEvent(timestamp=203, subagent_id="boss"),
    ]
    assert read_worked_s(events) == {"boss": 4 + 1 + 3, "hand": 2 + 1 + 2}
