"""`POST /api/v1/chat`: a message goes in, and what came of it comes out."""

import asyncio
from typing import Any

import httpx
import pytest
from live_server import Caller, LiveServer, open_live_server, text_in

from tests.server.fixtures import MakeSettings


async def post(live: LiveServer, caller: Caller, key: str | None = None, **body: Any):
    headers = caller.headers | ({"Idempotency-Key": key} if key else {})
    return await live.http.post("/api/v1/chat", json=body, headers=headers)


async def test_a_message_opens_a_session_and_is_answered(live: LiveServer):
    ann = await live.person()
    answer = await live.chat(ann, "hi\nthere")
    assert answer["status"] == "done"
    events = answer["events"]
    assert (events[0]["event_type"], events[-1]["event_type"]) == ("start", "done")
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert text_in(events) == "hello there"
    shown = await live.http.get(f"/api/v1/sessions/{answer['session_id']}", headers=ann.headers)
    assert shown.json()["title"] == "hi there"
    assert shown.json()["last_seq"] == events[-1]["seq"]


async def test_a_second_message_answers_with_its_own_events_only(live: LiveServer):
    ann = await live.person()
    first = await live.chat(ann)
    second = await live.chat(ann, session_id=first["session_id"])
    assert {event["run_id"] for event in second["events"]} == {second["run_id"]}
    assert second["events"][0]["seq"] == first["events"][-1]["seq"] + 1


async def test_a_run_that_asks_is_waiting_and_goes_on_when_answered(live: LiveServer):
    ann = await live.person()
    answer = await live.chat(ann, "write it")
    assert answer["status"] == "waiting"
    asked = answer["events"][-1]
    assert asked["event_type"] == "hitl_request"
    session = f"/api/v1/sessions/{answer['session_id']}"
    listed = (await live.http.get(f"{session}/requests", headers=ann.headers)).json()
    assert [one["interrupt_id"] for one in listed["requests"]] == [asked["interrupt_id"]]
    url = f"/api/v1/requests/{asked['interrupt_id']}"
    yes = {"decision": {"type": "approve"}}
    answered = await live.http.post(url, json=yes, headers=ann.headers)
    assert answered.json()["status"] == "answered"
    await live.reached(ann, answer["session_id"], "completed")
    again = await live.http.post(url, json=yes, headers=ann.headers)
    assert (again.status_code, again.json()["error_code"]) == (409, "CONFLICT")
    assert (await live.http.get(f"{session}/requests", headers=ann.headers)).json() == {
        "requests": []
    }


@pytest.mark.parametrize("decision", [{}, {"type": "maybe"}, {"type": "answer"}, {"type": "edit"}])
async def test_an_answer_that_does_not_fit_changes_nothing(
    live: LiveServer, decision: dict[str, Any]
):
    ann = await live.person()
    answer = await live.chat(ann, "write it")
    url = f"/api/v1/requests/{answer['events'][-1]['interrupt_id']}"
    refused = await live.http.post(url, json={"decision": decision}, headers=ann.headers)
    assert (refused.status_code, refused.json()["error_code"]) == (422, "VALIDATION_ERROR")
    run = await live.run_of(ann, answer["session_id"])
    assert run.status == "waiting_approval"


async def test_a_failed_run_is_told_like_any_other(live: LiveServer):
    ann = await live.person()
    answer = await live.chat(ann, "fail")
    assert answer["status"] == "done"
    assert answer["events"][-1]["reason"] == "error"
    run = await live.http.get(f"/api/v1/runs/{answer['run_id']}", headers=ann.headers)
    assert run.json()["status"] == "failed"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"message": ""}, 422),
        ({"message": "  \n "}, 422),
        ({"message": "\x00"}, 422),
        ({"message": "x" * 400_001}, 422),
        ({"message": 5}, 422),
        ({"message": "hi", "session_id": "../etc"}, 422),
        ({"message": "hi", "session_id": "unknown"}, 404),
        ({"message": "hi", "assistant_id": "unknown"}, 404),
        ({"message": "hi", "project_id": "unknown"}, 404),
    ],
)
async def test_what_cannot_be_said_makes_nothing(
    live: LiveServer, body: dict[str, Any], status: int
):
    ann = await live.person()
    answer = await post(live, ann, **body)
    assert answer.status_code == status
    assert set(answer.json()) == {"error_code", "message", "details", "request_id"}
    listed = await live.http.get("/api/v1/sessions", headers=ann.headers)
    assert listed.json()["items"] == []


async def test_half_a_character_is_refused(live: LiveServer):
    ann = await live.person()
    headers = ann.headers | {"content-type": "application/json"}
    body = b'{"message": "\\ud800"}'
    answer = await live.http.post("/api/v1/chat", content=body, headers=headers)
    assert answer.status_code in (200, 422)


async def test_a_repeated_request_starts_nothing_and_gets_the_same_answer(live: LiveServer):
    ann = await live.person()
    first = await post(live, ann, "one", message="hi")
    second = await post(live, ann, "one", message="hi")
    assert first.json() == second.json()
    listed = await live.http.get("/api/v1/sessions", headers=ann.headers)
    assert len(listed.json()["items"]) == 1


async def test_requests_repeated_at_the_same_moment_start_one_run(live: LiveServer):
    ann = await live.person()
    answers = await asyncio.gather(*(post(live, ann, "one", message="hi") for _ in range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["run_id"] for answer in answers}) == 1
    runs = await live.http.get("/api/v1/runs", headers=ann.headers)
    assert len(runs.json()["items"]) == 1


async def test_a_repetition_after_an_answer_is_still_told_what_was_told_first(live: LiveServer):
    ann = await live.person()
    first = (await post(live, ann, "one", message="write it")).json()
    url = f"/api/v1/requests/{first['events'][-1]['interrupt_id']}"
    await live.http.post(url, json={"decision": {"type": "approve"}}, headers=ann.headers)
    await live.reached(ann, first["session_id"], "completed")
    assert (await post(live, ann, "one", message="write it")).json() == first


async def test_one_key_serves_one_request_of_one_person(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob")
    first = await post(live, ann, "one", message="hi")
    other = await post(live, ann, "one", message="other")
    theirs = await post(live, bob, "one", message="hi")
    assert (other.status_code, other.json()["error_code"]) == (422, "VALIDATION_ERROR")
    assert theirs.json()["run_id"] != first.json()["run_id"]


async def test_a_refused_request_does_not_use_its_key_up(live: LiveServer):
    ann = await live.person()
    session_id = "mine"
    assert (await post(live, ann, "one", message="hi", session_id=session_id)).status_code == 404
    await live.session(ann, session_id=session_id)
    assert (await post(live, ann, "one", message="hi", session_id=session_id)).status_code == 200


@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "é"])
async def test_a_key_that_cannot_be_kept_is_refused(live: LiveServer, key: str):
    ann = await live.person()
    headers = httpx.Headers(ann.headers | {"Idempotency-Key": key}, encoding="latin-1")
    answer = await live.http.post("/api/v1/chat", json={"message": "hi"}, headers=headers)
    assert answer.status_code == 422


async def test_a_run_is_cancelled_by_its_session_or_its_id(live: LiveServer):
    ann = await live.person()
    for by in ("session", "run"):
        session_id = await live.session(ann)
        waiting = asyncio.create_task(live.chat(ann, "slow", session_id=session_id))
        run = await live.reached(ann, session_id, "running")
        url = f"chat/{session_id}" if by == "session" else f"runs/{run.run_id}"
        told = await live.http.post(f"/api/v1/{url}/cancel", headers=ann.headers)
        assert told.json() == {
            "status": "cancelled",
            "session_id": session_id,
            "run_id": run.run_id,
        }
        done = (await waiting)["events"][-1]
        assert (done["cancelled"], done["reason"]) == (True, "user_cancelled")
        again = await live.http.post(f"/api/v1/{url}/cancel", headers=ann.headers)
        assert (again.status_code, again.json()["error_code"]) == (404, "NOT_FOUND")


async def test_messages_queue_up_to_a_limit(make_settings: MakeSettings):
    async with open_live_server(make_settings(max_queued_per_session="1")) as live:
        ann = await live.person()
        session_id = await live.session(ann)
        chats = [asyncio.create_task(live.chat(ann, "slow", session_id=session_id))]
        await live.reached(ann, session_id, "running")
        chats.append(asyncio.create_task(live.chat(ann, "hi", session_id=session_id)))
        await live.reached(ann, session_id, "queued")
        busy = await post(live, ann, message="hi", session_id=session_id)
        assert (busy.status_code, busy.json()["error_code"]) == (409, "SESSION_BUSY")
        await live.http.post(f"/api/v1/chat/{session_id}/cancel", headers=ann.headers)
        cancelled, queued = await asyncio.gather(*chats)
        assert cancelled["events"][-1]["cancelled"] is True
        assert text_in(queued["events"]) == "hello there"


async def test_who_waits_is_told_when_the_server_stops_or_it_takes_too_long(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch
):
    ann = await live.person()
    session_id = await live.session(ann)
    monkeypatch.setattr("dataagent_server.api.chat.wait_for_run.CHAT_WAIT_S", 0.2)
    late = await post(live, ann, message="slow", session_id=session_id)
    run = await live.run_of(ann, session_id)
    assert (late.status_code, late.json()["error_code"]) == (504, "TIMEOUT")
    assert late.json()["details"] == {"session_id": session_id, "run_id": run.run_id}
    assert run.status in ("queued", "running")
    monkeypatch.setattr("dataagent_server.api.chat.wait_for_run.CHAT_WAIT_S", 60)
    waiting = asyncio.create_task(post(live, ann, message="hi", session_id=session_id))
    await live.reached(ann, session_id, "queued")
    live.services.stopping.set()
    stopped = await waiting
    assert (stopped.status_code, stopped.json()["error_code"]) == (503, "OVERLOADED")
