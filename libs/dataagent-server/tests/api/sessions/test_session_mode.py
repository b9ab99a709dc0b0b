"""A session's mode over REST: switched, shown, followed by the run that is under way."""

from typing import Any

import pytest
from live_server import Caller, LiveServer, hear, hear_until, open_live_server, say

from dataagent_core.tools.conversation.plan_proposal import ACCEPT_AND_GO, KEEP_PLANNING
from tests.server.fixtures import MakeSettings


async def ask(live: LiveServer, caller: Caller, method: str, path: str, **more: Any) -> Any:
    answer = await live.http.request(method, f"/api/v1{path}", headers=caller.headers, **more)
    assert answer.status_code < 300, answer.text
    return answer.json()


async def switch(live: LiveServer, caller: Caller, session_id: str, mode: str) -> Any:
    return await ask(live, caller, "PUT", f"/sessions/{session_id}/mode", json={"mode": mode})


async def switches(live: LiveServer, caller: Caller, session_id: str) -> list[tuple[str, str]]:
    events = (await ask(live, caller, "GET", f"/sessions/{session_id}/events"))["events"]
    return [(e["mode"], e["by"]) for e in events if e["event_type"] == "mode_changed"]


def types(answer: dict[str, Any]) -> list[str]:
    return [event["event_type"] for event in answer["events"]]


def results(answer: dict[str, Any]) -> list[str]:
    return [str(e["result"]) for e in answer["events"] if e["event_type"] == "tool_result"]


@pytest.mark.every_database
@pytest.mark.requirement("F8-4-server")
async def test_a_switch_is_an_event_that_readers_see_and_the_session_shows(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    assert (await ask(live, ann, "GET", f"/sessions/{session_id}"))["mode"] == "ask"
    async with live.socket(session_id, ann) as socket:
        told = await switch(live, ann, session_id, "plan")
        frame = await hear(socket)
    assert told == {"session_id": session_id, "mode": "plan"}
    assert (frame["event_type"], frame["seq"]) == ("mode_changed", 1)
    assert frame["data"] == {"mode": "plan", "by": ann.who.user_id}
    assert (await ask(live, ann, "GET", f"/sessions/{session_id}"))["mode"] == "plan"
    # Asked for once more, it is no switch.
    await switch(live, ann, session_id, "plan")
    await switch(live, ann, session_id, "auto")
    me = ann.who.user_id
    assert await switches(live, ann, session_id) == [("plan", me), ("auto", me)]
    listed = await ask(live, ann, "GET", "/sessions")
    assert [one["mode"] for one in listed["items"]] == [None]


@pytest.mark.requirement("F8-4-server")
@pytest.mark.parametrize(
    ("mode", "status", "asked"), [("ask", "waiting", 1), ("plan", "done", 0), ("auto", "done", 0)]
)
async def test_each_mode_does_with_a_write_what_it_says(
    live: LiveServer, mode: str, status: str, asked: int
):
    ann = await live.person()
    session_id = await live.session(ann)
    await switch(live, ann, session_id, mode)
    answer = await live.chat(ann, "write it", session_id=session_id)
    assert answer["events"][0]["mode"] == mode
    assert answer["status"] == status
    assert types(answer).count("hitl_request") == asked
    if mode == "plan":
        assert "plan mode" in results(answer)[0]
    if mode == "auto":
        assert "file_operation" in types(answer)


@pytest.mark.every_database
@pytest.mark.requirement("F8-4-server")
async def test_a_switch_while_a_run_waits_holds_when_it_goes_on(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    async with live.socket(session_id, ann) as socket:
        await say(socket, "chat", message="write it")
        waiting = (await hear_until(socket, "hitl_request"))[-1]["data"]["interrupt_id"]
        await switch(live, ann, session_id, "plan")
        await say(socket, "hitl_decision", interrupt_id=waiting, decision={"type": "approve"})
        frames = await hear_until(socket, "done")
    (result,) = [f["data"]["result"] for f in frames if f["event_type"] == "tool_result"]
    assert "plan mode" in str(result)


@pytest.mark.requirement("F8-4-server")
@pytest.mark.parametrize("url", ["/chat", "/agent/chat", "websocket"])
async def test_a_message_may_bring_the_mode_along(live: LiveServer, url: str):
    ann = await live.person()
    session_id = await live.session(ann)
    named = "conversation_id" if url == "/agent/chat" else "session_id"
    body = {"message": "write it", "mode": "plan", named: session_id}
    if url == "websocket":
        async with live.socket(session_id, ann) as socket:
            await say(socket, "chat", message="write it", mode="plan")
            await hear_until(socket, "done")
    else:
        sent = await live.http.post(f"/api/v1{url}", json=body, headers=ann.headers)
        assert sent.status_code == 200
    events = (await ask(live, ann, "GET", f"/sessions/{session_id}/events"))["events"]
    assert [e["event_type"] for e in events][:2] == ["mode_changed", "start"]
    assert events[1]["mode"] == "plan"
    assert [e["event_type"] for e in events].count("hitl_request") == 0


@pytest.mark.every_database
async def test_a_new_session_begins_in_the_mode_its_first_message_brings(live: LiveServer):
    ann = await live.person()
    answer = await live.chat(ann, "write it", mode="auto")
    assert (answer["status"], answer["events"][0]["mode"]) == ("done", "auto")
    assert await switches(live, ann, answer["session_id"]) == [("auto", ann.who.user_id)]


@pytest.mark.every_database
@pytest.mark.requirement("F8-4-server")
async def test_an_accepted_plan_is_carried_out_on_each_database(
    make_settings: MakeSettings, database_url: str
):
    async with open_live_server(make_settings(database_url=database_url)) as live:
        ann = await live.person()
        waiting = await live.chat(ann, "propose it", mode="plan")
        session_id = waiting["session_id"]
        question = waiting["events"][-1]
        assert (question["kind"], question["question_type"]) == ("decision", "plan")
        async with live.socket(session_id, ann) as socket:
            decision = {"type": "answer", "answer": ACCEPT_AND_GO}
            await say(
                socket, "hitl_decision", interrupt_id=question["interrupt_id"], decision=decision
            )
            frames = await hear_until(socket, "done")
        kinds = [frame["event_type"] for frame in frames]
        assert kinds.index("mode_changed") < kinds.index("file_operation")
        me = ann.who.user_id
        assert await switches(live, ann, session_id) == [("plan", me), ("auto", me)]
        assert (await ask(live, ann, "GET", f"/sessions/{session_id}"))["mode"] == "auto"


@pytest.mark.every_database
async def test_a_plan_that_is_not_accepted_changes_nothing(live: LiveServer):
    ann = await live.person()
    waiting = await live.chat(ann, "propose it", mode="plan")
    session_id, asked = waiting["session_id"], waiting["events"][-1]["interrupt_id"]
    async with live.socket(session_id, ann) as socket:
        decision = {"type": "answer", "answer": KEEP_PLANNING}
        await say(socket, "hitl_decision", interrupt_id=asked, decision=decision)
        frames = await hear_until(socket, "done")
    assert "file_operation" not in [frame["event_type"] for frame in frames]
    assert (await ask(live, ann, "GET", f"/sessions/{session_id}"))["mode"] == "plan"


@pytest.mark.every_database
async def test_a_run_that_was_cancelled_before_it_began_tells_the_mode_too(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    await switch(live, ann, session_id, "plan")
    async with live.socket(session_id, ann) as socket:
        await say(socket, "chat", message="slow")
        await hear_until(socket, "text")
        await say(socket, "chat", message="never begun")
        await live.reached(ann, session_id, "queued")
        runs = (await ask(live, ann, "GET", f"/sessions/{session_id}/runs"))["items"]
        for run in reversed(runs):
            await ask(live, ann, "POST", f"/runs/{run['run_id']}/cancel")
        await hear_until(socket, "done")
        await hear_until(socket, "done")
    events = (await ask(live, ann, "GET", f"/sessions/{session_id}/events"))["events"]
    starts = [e for e in events if e["event_type"] == "start"]
    assert [e["mode"] for e in starts] == ["plan", "plan"]
    assert "" in [e["model"] for e in starts]


@pytest.mark.parametrize(
    "body", [{}, {"mode": "yolo"}, {"mode": None}, {"mode": "plan", "by": "bob"}, []]
)
async def test_what_is_no_mode_is_refused(live: LiveServer, body: Any):
    ann = await live.person()
    session_id = await live.session(ann)
    url = f"/api/v1/sessions/{session_id}/mode"
    refused = await live.http.put(url, json=body, headers=ann.headers)
    assert refused.status_code == 422
    assert await switches(live, ann, session_id) == []


@pytest.mark.every_database
async def test_the_switch_is_on_the_audits_record(live: LiveServer):
    ann, root = await live.person(), await live.person("root", "admin")
    session_id = await live.session(ann)
    await switch(live, ann, session_id, "auto")
    entries = (await ask(live, root, "GET", "/audit"))["items"]
    (entry,) = [one for one in entries if one["action"] == "session.mode"]
    assert entry["resource"] == f"session:{session_id}"
    assert entry["detail"] == {"mode": "auto"}
