"""S2's execution history: `GET /agent/conversations/{id}/execution`, and the calls in it."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from live_server import WRITE, Caller, LiveServer, open_live_server
from projected_log import projected_log

from dataagent_core.events import StepEndEvent, StepStartEvent, ThoughtEvent, ToolCallEvent
from dataagent_core.planning import PlanStep, WorkPlan
from dataagent_core.session import NO_RUN, Intent, Outcome
from dataagent_core.tools.pipeline.outcome import pack_value
from dataagent_server.sessions.tool_records import TOOL_OUTPUT_BYTES_MAX, TOOL_PAYLOADS_BYTES_MAX
from tests.server.fixtures import MakeSettings


@pytest.fixture
async def live(make_settings: MakeSettings, database_url: str) -> AsyncGenerator[LiveServer]:
    """The server on a database that a test chooses."""
    async with open_live_server(make_settings(database_url=database_url)) as running:
        yield running


async def get(live: LiveServer, caller: Caller, path: str) -> dict[str, Any]:
    answer = await live.http.get(f"/api/v1{path}", headers=caller.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def tool_calls(
    live: LiveServer, caller: Caller, session_id: str, query: str = ""
) -> list[dict[str, Any]]:
    path = f"/sessions/{session_id}/tool-executions{query}"
    return (await get(live, caller, path))["tool_executions"]


@pytest.mark.every_database
@pytest.mark.requirement("S2-14.2-execution")
async def test_every_run_is_listed_with_what_came_of_it(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    ended = await live.chat(ann, "hi", session_id=session_id)
    failed = await live.chat(ann, "fail", session_id=session_id)
    waits = await live.chat(ann, "write", session_id=session_id)
    path = f"/agent/conversations/{session_id}/execution"
    whole = await get(live, ann, path)
    done, broken, waiting = whole["items"]
    assert [one["id"] for one in whole["items"]] == [
        one["run_id"] for one in (ended, failed, waits)
    ]
    for one in whole["items"]:
        assert one["id"] == one["run_id"] == one["trace_id"]
        assert one["conversation_id"] == one["session_id"] == session_id
        assert (one["agent_type"], one["plan_steps"]) == ("assistant", None)
        assert (one["steps_completed"], one["steps_failed"]) == (0, 0)
    answer = {"reason": "completed", "content": "hello there", "format": "markdown"}
    assert (done["status"], done["result"]) == ("completed", answer)
    assert done["total_duration_ms"] >= 0
    assert (broken["status"], broken["result"]["reason"]) == ("failed", "error")
    assert (waiting["status"], waiting["result"]) == ("waiting_approval", None)
    assert waiting["total_duration_ms"] is None
    stood = await get(live, ann, f"/sessions/{session_id}/checkpoints?run_id={waits['run_id']}")
    assert waiting["checkpoint_id"] == stood["checkpoints"][-1]["checkpoint_id"]
    first = await get(live, ann, f"{path}?limit=2")
    rest = await get(live, ann, f"{path}?limit=2&after={first['next']}")
    assert first["items"] + rest["items"] == whole["items"]
    assert rest["next"] is None
    shown = await get(live, ann, f"/runs/{ended['run_id']}")
    assert shown.items() <= done.items()
    assert shown["result"] == answer


@pytest.mark.every_database
async def test_a_copied_run_keeps_its_result_under_a_trace_of_its_own(live: LiveServer):
    ann = await live.person()
    session_id = (await live.chat(ann, "hi"))["session_id"]
    forked = await live.http.post(
        f"/api/v1/sessions/{session_id}/fork", json={}, headers=ann.headers
    )
    copy = forked.json()["session"]["session_id"]
    (old,) = (await get(live, ann, f"/agent/conversations/{session_id}/execution"))["items"]
    (new,) = (await get(live, ann, f"/agent/conversations/{copy}/execution"))["items"]
    assert new["result"] == old["result"] is not None
    assert new["trace_id"] == new["run_id"] != old["run_id"]


@pytest.mark.every_database
@pytest.mark.requirement("S2-11.7-records")
async def test_calls_are_numbered_by_the_turn_that_made_them(live: LiveServer):
    ann = await live.person()
    session_id = (await live.chat(ann, "todo"))["session_id"]
    calls = await tool_calls(live, ann, session_id)
    assert [call["step_number"] for call in calls] == [1, 2]
    assert [call["tool_input"]["todos"][0]["status"] for call in calls] == [
        "in_progress", "completed",
    ]  # fmt: skip
    # The page knows the turns of the calls before it.
    assert await tool_calls(live, ann, session_id, "?after=1") == calls[1:]


@pytest.mark.requirement("S2-11.7-records")
@pytest.mark.requirement("F16-B6-step-number")
async def test_a_call_has_the_step_number_that_its_question_has(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    url = f"/api/v1/sessions/{session_id}/mode"
    await live.http.put(url, json={"mode": "auto"}, headers=ann.headers)
    asked = await live.chat(ann, "delegate", session_id=session_id)
    assert (asked["events"][-1]["kind"], asked["events"][-1]["step_number"]) == ("decision", 2)
    calls = await tool_calls(live, ann, session_id)
    # The sub-agent's turns are counted within its task.
    assert [(call["tool_name"], call["step_number"]) for call in calls] == [
        ("task", 1), ("ls", 1), ("ask_decision", 2),
    ]  # fmt: skip


async def journalled(live: LiveServer, caller: Caller, *texts: str) -> str:
    """Make a session with calls that gave these results."""
    log = live.services.runs.stores_of(caller.who.tenant_id).log
    session_id = await live.session(caller)
    for number, text in enumerate(texts):
        call_id = f"c{number}"
        payload = pack_value(ToolMessage(content=text, tool_call_id=call_id))
        done = Outcome(call_key=f"m:{call_id}", tool_name="t", payload=payload, receipt="{}")
        await log.append(session_id, NO_RUN, [], [done])
    return session_id


@pytest.mark.requirement("S2-11.7-records")
async def test_a_long_output_is_cut_to_its_bytes_and_says_so(live: LiveServer):
    ann = await live.person()
    session_id = await journalled(live, ann, "é" * TOOL_OUTPUT_BYTES_MAX, "short")
    long, short = await tool_calls(live, ann, session_id)
    kept, _, notice = long["tool_output"].partition("\n")
    assert kept == "é" * (TOOL_OUTPUT_BYTES_MAX // 2)
    assert notice == f"... ({TOOL_OUTPUT_BYTES_MAX} more bytes not shown)"
    assert short["tool_output"] == "short"


@pytest.mark.requirement("S2-11.7-records")
async def test_a_page_reads_results_up_to_a_size_and_leaves_out_what_is_larger(live: LiveServer):
    ann = await live.person()
    most = "x" * (TOOL_PAYLOADS_BYTES_MAX - 1_000)
    session_id = await journalled(live, ann, most, "y" * 2_000, most + "z" * 2_000, "last")
    shown: list[str] = []
    for at, has_more in enumerate((True, True, True, False)):
        page = await get(live, ann, f"/sessions/{session_id}/tool-executions?after={at}")
        (call,) = page["tool_executions"]
        assert (call["position"], call["status"], page["has_more"]) == (at + 1, "success", has_more)
        shown.append(call["tool_output"])
    assert shown[1::2] == ["y" * 2_000, "last"]
    assert shown[2].startswith("... (1677")
    assert shown[2].endswith(" more bytes not shown)")


@pytest.mark.every_database
@pytest.mark.requirement("S2-14.2-execution")
async def test_a_run_is_listed_with_its_thoughts_and_its_plan(live: LiveServer):
    ann = await live.person()
    chat = await live.chat(ann, "write")
    run_id = chat["run_id"]
    steps = [PlanStep(step_number=number, description="x") for number in (1, 2)]
    plan = WorkPlan(id=run_id, conversation_id="", steps=tuple(steps), stage="plan", round=1)
    log = projected_log(live.services, ann.who.tenant_id)
    told = [
        ThoughtEvent(content="old work", level="work", is_final=True),
        ThoughtEvent(content='the "level":"task"', level="work", is_final=True),
        ThoughtEvent(content='the "level":"work"', is_final=True),
        ThoughtEvent(content="in pieces", level="work"),
        plan.to_event("made"),
        StepStartEvent(step_number=1, plan_id=run_id),
        StepEndEvent(step_number=1, plan_id=run_id, status="failed", success=False),
        StepStartEvent(step_number=2, plan_id=run_id),
    ]
    await log.append(chat["session_id"], run_id, told)
    path = f"/agent/conversations/{chat['session_id']}/execution"
    (shown,) = (await get(live, ann, path))["items"]
    assert shown["work_level_thought"] == 'the "level":"task"'
    assert shown["task_level_thought"] == 'the "level":"work"'
    assert [step["status"] for step in shown["plan_steps"]] == ["failed", "in_progress"]
    assert (shown["current_step_index"], shown["steps_completed"], shown["steps_failed"]) == (
        1,
        0,
        1,
    )
    assert (shown["plan_status"], shown["plan_version"]) == ("in_progress", 1)
    assert (shown["plan_stage"], shown["plan_round"]) == ("plan", 1)


async def test_a_refused_call_has_its_input_and_the_reason_and_took_no_time(live: LiveServer):
    ann = await live.person()
    asked = await live.chat(ann, "write it")
    url = f"/api/v1/requests/{asked['events'][-1]['interrupt_id']}"
    decision = {"type": "respond", "message": "not there, please"}
    await live.http.post(url, json={"decision": decision}, headers=ann.headers)
    await live.reached(ann, asked["session_id"], "completed")
    (call,) = await tool_calls(live, ann, asked["session_id"])
    assert (call["status"], call["duration_ms"], call["step_number"]) == ("error", None, 1)
    assert call["tool_input"] == WRITE["args"]
    assert "not there, please" in call["tool_output"]


@pytest.mark.every_database
async def test_a_call_under_way_has_its_input_and_no_output(live: LiveServer):
    ann = await live.person()
    key = "m1:" + "c" * 300
    log = live.services.runs.stores_of(ann.who.tenant_id).log
    session_id = await live.session(ann)
    begun = ToolCallEvent(
        event_id=f"call:{NO_RUN}:{key}:1", tool_name="ls", tool_args={"path": "/"}, tool_call_id="c"
    )
    intent = Intent(call_key=key, tool_name="ls", args_hash="0")
    await log.append(session_id, NO_RUN, [begun], [intent])
    (call,) = await tool_calls(live, ann, session_id)
    assert (call["status"], call["tool_output"], call["duration_ms"]) == ("running", None, None)
    assert call["tool_input"] == {"path": "/"}
