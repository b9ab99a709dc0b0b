"""What happened in a session, over REST: events, status, tool calls, under our names and S2's."""

import asyncio
from typing import Any

import pytest
from live_server import Caller, LiveServer

from dataagent_core.events import from_dict


async def ask(live: LiveServer, caller: Caller, path: str, method: str = "GET"):
    return await live.http.request(method, f"/api/v1{path}", headers=caller.headers)


async def test_events_come_in_pages_after_or_from_a_number(live: LiveServer):
    ann = await live.person()
    answer = await live.chat(ann, "look")
    url = f"/sessions/{answer['session_id']}/events"
    everything = (await ask(live, ann, url)).json()
    assert everything == {"events": answer["events"], "has_more": False}
    assert all(from_dict(event).seq == event["seq"] for event in everything["events"])
    last = answer["events"][-1]["seq"]
    for after in range(last + 2):
        page = (await ask(live, ann, f"{url}?after={after}&limit=2")).json()
        assert page["events"] == answer["events"][after : after + 2]
        assert page["has_more"] == (after + 2 < last)
        same = (await ask(live, ann, f"{url}?from_sequence={after + 1}&limit=2")).json()
        assert same == page
    both = await ask(live, ann, f"{url}?after=1&from_sequence=1")
    assert both.status_code == 422


async def test_the_events_of_one_run_are_read_page_by_page(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob")
    first = await live.chat(ann, "hi")
    session_id = first["session_id"]
    second = await live.chat(ann, "look", session_id=session_id)
    third = await live.chat(ann, "hi", session_id=session_id)
    url = f"/sessions/{session_id}/events"
    for told in (first, second, third):
        run_id = told["events"][-1]["run_id"]
        found: list[Any] = []
        after, more = 0, True
        while more:
            page = (await ask(live, ann, f"{url}?run_id={run_id}&after={after}&limit=2")).json()
            found += page["events"]
            after, more = found[-1]["seq"], page["has_more"]
        assert [one["seq"] for one in found] == [one["seq"] for one in told["events"]]
        assert {one["run_id"] for one in found} == {run_id}
    nothing = {"events": [], "has_more": False}
    assert (await ask(live, ann, f"{url}?run_id=another")).json() == nothing
    elsewhere = (await live.chat(ann, "hi"))["events"][0]["run_id"]
    assert (await ask(live, ann, f"{url}?run_id={elsewhere}")).json() == nothing
    assert (await ask(live, bob, f"{url}?run_id={run_id}")).status_code == 403


@pytest.mark.parametrize(
    "query", ["run_id=a/b", "after=-1", "limit=0", "limit=10001", "after=9223372036854775808"]
)
async def test_a_page_that_cannot_be_is_refused(live: LiveServer, query: str):
    ann = await live.person()
    session_id = await live.session(ann)
    assert (await ask(live, ann, f"/sessions/{session_id}/events?{query}")).status_code == 422


@pytest.mark.requirement("S2-14.5-events")
async def test_s2_names_show_the_same_events_in_s2_form(live: LiveServer):
    ann = await live.person()
    answer = await live.chat(ann, "look")
    url = f"/agent/conversations/{answer['session_id']}/events"
    page = (await ask(live, ann, f"{url}?from_sequence=0")).json()
    assert [one["sequence_number"] for one in page["events"]] == [
        event["seq"] for event in answer["events"]
    ]
    types = [one["event_type"] for one in page["events"]]
    assert types[0] == "start"
    assert {"act", "observe", "text_delta"} <= set(types)
    assert types[-1] == "complete"
    assert set(page["events"][0]) == {
        "id",
        "event_type",
        "event_data",
        "sequence_number",
        "created_at",
    }
    assert page["has_more"] is False


@pytest.mark.requirement("S2-5.3-states")
@pytest.mark.requirement("S2-14.5-execution-status")
async def test_the_status_says_what_is_under_way(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)

    async def status() -> dict[str, Any]:
        ours = (await ask(live, ann, f"/sessions/{session_id}/execution-status")).json()
        theirs = await ask(live, ann, f"/agent/conversations/{session_id}/execution-status")
        assert set(theirs.json()) == set(ours)
        return ours

    idle = await status()
    assert (idle["is_running"], idle["last_sequence"], idle["current_message_id"]) == (
        False,
        0,
        None,
    )
    waiting = asyncio.create_task(live.chat(ann, "slow", session_id=session_id))
    run = await live.reached(ann, session_id, "running")
    busy = await status()
    assert (busy["is_running"], busy["current_message_id"]) == (True, run.message_id)
    await ask(live, ann, f"/chat/{session_id}/cancel", "POST")
    await waiting
    asked = await live.chat(ann, "write it", session_id=session_id)
    held = await status()
    assert (held["is_running"], held["status"]) == (False, "waiting_approval")
    assert held["last_sequence"] == asked["events"][-1]["seq"]


@pytest.mark.requirement("S2-14.5-resume")
async def test_only_an_unfinished_run_is_resumed(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    for url in (f"/sessions/{session_id}", f"/agent/conversations/{session_id}"):
        assert (await ask(live, ann, f"{url}/resume", "POST")).status_code == 404
    waiting = asyncio.create_task(live.chat(ann, "slow", session_id=session_id))
    run = await live.reached(ann, session_id, "running")
    for url in (f"/sessions/{session_id}", f"/agent/conversations/{session_id}"):
        resumed = await ask(live, ann, f"{url}/resume", "POST")
        assert resumed.status_code == 202
        assert resumed.json()["run_id"] == run.run_id
    await ask(live, ann, f"/chat/{session_id}/cancel", "POST")
    await waiting
    await live.chat(ann, "write it", session_id=session_id)
    held = await ask(live, ann, f"/sessions/{session_id}/resume", "POST")
    assert (held.status_code, held.json()["error_code"]) == (409, "CONFLICT")


@pytest.mark.requirement("S2-13-tool_execution_records")
@pytest.mark.requirement("S2-14.5-tool-executions")
async def test_tool_calls_are_listed_with_their_receipts(live: LiveServer):
    ann = await live.person()
    first = await live.chat(ann, "look")
    session_id = first["session_id"]
    second = await live.chat(ann, "look", session_id=session_id)
    url = f"/sessions/{session_id}/tool-executions"
    everything = (await ask(live, ann, url)).json()
    calls = everything["tool_executions"]
    assert [(call["tool_name"], call["status"]) for call in calls] == [("ls", "success")] * 2
    assert all(call["receipt"]["result_hash"] for call in calls)
    assert all(call["started_at"] <= call["completed_at"] for call in calls)
    for call, answer in zip(calls, (first, second), strict=True):
        (result,) = [one for one in answer["events"] if one["event_type"] == "tool_result"]
        assert (call["tool_input"], call["tool_output"]) == ({"path": "/"}, result["result"])
        assert call["step_number"] == 1
        assert call["duration_ms"] >= 0
    message_id = second["events"][0]["message_id"]
    of_one = (await ask(live, ann, f"{url}?message_id={message_id}")).json()
    assert [call["run_id"] for call in of_one["tool_executions"]] == [second["run_id"]]
    page = (await ask(live, ann, f"{url}?limit=1")).json()
    assert page == {"tool_executions": calls[:1], "has_more": True}
    rest = (await ask(live, ann, f"{url}?after={calls[0]['position']}")).json()
    assert rest["tool_executions"] == calls[1:]
    theirs = await ask(live, ann, f"/agent/conversations/{session_id}/tool-executions")
    assert theirs.json() == everything


async def test_runs_are_listed_newest_first(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    made = [(await live.chat(ann, session_id=session_id))["run_id"] for _ in range(3)]
    page = (await ask(live, ann, f"/runs?user_id={ann.who.user_id}&limit=2")).json()
    assert [run["run_id"] for run in page["items"]] == made[:0:-1]
    rest = (await ask(live, ann, f"/runs?after={page['next']}")).json()
    assert [run["run_id"] for run in rest["items"]] == made[:1]
    assert rest["next"] is None
    of_session = (await ask(live, ann, f"/sessions/{session_id}/runs")).json()
    assert [run["run_id"] for run in of_session["items"]] == made
