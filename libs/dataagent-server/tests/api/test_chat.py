"""`POST /api/v1/chat`: a message goes in, and what came of it comes out."""

import asyncio
from typing import Any

import httpx
import pytest
from talking import Caller, Talk, talking, text_in

from tests.server.fixtures import MakeSettings


async def post(talk: Talk, caller: Caller, key: str | None = None, **body: Any):
    headers = caller.headers | ({"Idempotency-Key": key} if key else {})
    return await talk.http.post("/api/v1/chat", json=body, headers=headers)


async def test_a_message_opens_a_session_and_is_answered(talk: Talk):
    ann = await talk.person()
    answer = await talk.chat(ann, "hi\nthere")
    assert answer["status"] == "done"
    events = answer["events"]
    assert (events[0]["event_type"], events[-1]["event_type"]) == ("start", "done")
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert text_in(events) == "hello there"
    shown = await talk.http.get(f"/api/v1/sessions/{answer['session_id']}", headers=ann.headers)
    assert shown.json()["title"] == "hi there"
    assert shown.json()["last_seq"] == events[-1]["seq"]


async def test_a_second_message_answers_with_its_own_events_only(talk: Talk):
    ann = await talk.person()
    first = await talk.chat(ann)
    second = await talk.chat(ann, session_id=first["session_id"])
    assert {event["run_id"] for event in second["events"]} == {second["run_id"]}
    assert second["events"][0]["seq"] == first["events"][-1]["seq"] + 1


async def test_a_run_that_asks_is_waiting_and_goes_on_when_answered(talk: Talk):
    ann = await talk.person()
    answer = await talk.chat(ann, "write it")
    assert answer["status"] == "waiting"
    asked = answer["events"][-1]
    assert asked["event_type"] == "hitl_request"
    session = f"/api/v1/sessions/{answer['session_id']}"
    listed = (await talk.http.get(f"{session}/requests", headers=ann.headers)).json()
    assert [one["interrupt_id"] for one in listed["requests"]] == [asked["interrupt_id"]]
    url = f"/api/v1/requests/{asked['interrupt_id']}"
    yes = {"decision": {"type": "approve"}}
    answered = await talk.http.post(url, json=yes, headers=ann.headers)
    assert answered.json()["status"] == "answered"
    await talk.reached(ann, answer["session_id"], "completed")
    again = await talk.http.post(url, json=yes, headers=ann.headers)
    assert (again.status_code, again.json()["error_code"]) == (409, "CONFLICT")
    assert (await talk.http.get(f"{session}/requests", headers=ann.headers)).json() == {
        "requests": []
    }


@pytest.mark.parametrize("decision", [{}, {"type": "maybe"}, {"type": "answer"}, {"type": "edit"}])
async def test_an_answer_that_does_not_fit_changes_nothing(talk: Talk, decision: dict[str, Any]):
    ann = await talk.person()
    answer = await talk.chat(ann, "write it")
    url = f"/api/v1/requests/{answer['events'][-1]['interrupt_id']}"
    refused = await talk.http.post(url, json={"decision": decision}, headers=ann.headers)
    assert (refused.status_code, refused.json()["error_code"]) == (422, "VALIDATION_ERROR")
    run = await talk.run_of(ann, answer["session_id"])
    assert run.status == "waiting_approval"


async def test_a_failed_run_is_told_like_any_other(talk: Talk):
    ann = await talk.person()
    answer = await talk.chat(ann, "fail")
    assert answer["status"] == "done"
    assert answer["events"][-1]["reason"] == "error"
    run = await talk.http.get(f"/api/v1/runs/{answer['run_id']}", headers=ann.headers)
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
async def test_what_cannot_be_said_makes_nothing(talk: Talk, body: dict[str, Any], status: int):
    ann = await talk.person()
    answer = await post(talk, ann, **body)
    assert answer.status_code == status
    assert set(answer.json()) == {"error_code", "message", "details", "request_id"}
    listed = await talk.http.get("/api/v1/sessions", headers=ann.headers)
    assert listed.json()["items"] == []


async def test_half_a_character_is_refused(talk: Talk):
    ann = await talk.person()
    headers = ann.headers | {"content-type": "application/json"}
    body = b'{"message": "\\ud800"}'
    answer = await talk.http.post("/api/v1/chat", content=body, headers=headers)
    assert answer.status_code in (200, 422)


async def test_a_repeated_request_starts_nothing_and_gets_the_same_answer(talk: Talk):
    ann = await talk.person()
    first = await post(talk, ann, "one", message="hi")
    second = await post(talk, ann, "one", message="hi")
    assert first.json() == second.json()
    listed = await talk.http.get("/api/v1/sessions", headers=ann.headers)
    assert len(listed.json()["items"]) == 1


async def test_requests_repeated_at_the_same_moment_start_one_run(talk: Talk):
    ann = await talk.person()
    answers = await asyncio.gather(*(post(talk, ann, "one", message="hi") for _ in range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["run_id"] for answer in answers}) == 1
    runs = await talk.http.get("/api/v1/runs", headers=ann.headers)
    assert len(runs.json()["items"]) == 1


async def test_a_repetition_after_an_answer_is_still_told_what_was_told_first(talk: Talk):
    ann = await talk.person()
    first = (await post(talk, ann, "one", message="write it")).json()
    url = f"/api/v1/requests/{first['events'][-1]['interrupt_id']}"
    await talk.http.post(url, json={"decision": {"type": "approve"}}, headers=ann.headers)
    await talk.reached(ann, first["session_id"], "completed")
    assert (await post(talk, ann, "one", message="write it")).json() == first


async def test_one_key_serves_one_request_of_one_person(talk: Talk):
    ann, bob = await talk.person(), await talk.person("bob")
    first = await post(talk, ann, "one", message="hi")
    other = await post(talk, ann, "one", message="other")
    theirs = await post(talk, bob, "one", message="hi")
    assert (other.status_code, other.json()["error_code"]) == (422, "VALIDATION_ERROR")
    assert theirs.json()["run_id"] != first.json()["run_id"]


async def test_a_refused_request_does_not_use_its_key_up(talk: Talk):
    ann = await talk.person()
    session_id = "mine"
    assert (await post(talk, ann, "one", message="hi", session_id=session_id)).status_code == 404
    await talk.session(ann, session_id=session_id)
    assert (await post(talk, ann, "one", message="hi", session_id=session_id)).status_code == 200


@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "é"])
async def test_a_key_that_cannot_be_kept_is_refused(talk: Talk, key: str):
    ann = await talk.person()
    headers = httpx.Headers(ann.headers | {"Idempotency-Key": key}, encoding="latin-1")
    answer = await talk.http.post("/api/v1/chat", json={"message": "hi"}, headers=headers)
    assert answer.status_code == 422


async def test_a_run_is_cancelled_by_its_session_or_its_id(talk: Talk):
    ann = await talk.person()
    for by in ("session", "run"):
        session_id = await talk.session(ann)
        waiting = asyncio.create_task(talk.chat(ann, "slow", session_id=session_id))
        run = await talk.reached(ann, session_id, "running")
        url = f"chat/{session_id}" if by == "session" else f"runs/{run.run_id}"
        told = await talk.http.post(f"/api/v1/{url}/cancel", headers=ann.headers)
        assert told.json() == {
            "status": "cancelled",
            "session_id": session_id,
            "run_id": run.run_id,
        }
        done = (await waiting)["events"][-1]
        assert (done["cancelled"], done["reason"]) == (True, "user_cancelled")
        again = await talk.http.post(f"/api/v1/{url}/cancel", headers=ann.headers)
        assert (again.status_code, again.json()["error_code"]) == (404, "NOT_FOUND")


async def test_messages_queue_up_to_a_limit(make_settings: MakeSettings):
    async with talking(make_settings(max_queued_per_session="1")) as talk:
        ann = await talk.person()
        session_id = await talk.session(ann)
        chats = [asyncio.create_task(talk.chat(ann, "slow", session_id=session_id))]
        await talk.reached(ann, session_id, "running")
        chats.append(asyncio.create_task(talk.chat(ann, "hi", session_id=session_id)))
        await talk.reached(ann, session_id, "queued")
        busy = await post(talk, ann, message="hi", session_id=session_id)
        assert (busy.status_code, busy.json()["error_code"]) == (409, "SESSION_BUSY")
        await talk.http.post(f"/api/v1/chat/{session_id}/cancel", headers=ann.headers)
        cancelled, queued = await asyncio.gather(*chats)
        assert cancelled["events"][-1]["cancelled"] is True
        assert text_in(queued["events"]) == "hello there"


async def test_who_waits_is_told_when_the_server_stops_or_it_takes_too_long(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
):
    ann = await talk.person()
    session_id = await talk.session(ann)
    monkeypatch.setattr("dataagent_server.api.chat.wait_for_run.CHAT_WAIT_S", 0.2)
    late = await post(talk, ann, message="slow", session_id=session_id)
    run = await talk.run_of(ann, session_id)
    assert (late.status_code, late.json()["error_code"]) == (504, "TIMEOUT")
    assert late.json()["details"] == {"session_id": session_id, "run_id": run.run_id}
    assert run.status in ("queued", "running")
    monkeypatch.setattr("dataagent_server.api.chat.wait_for_run.CHAT_WAIT_S", 60)
    waiting = asyncio.create_task(post(talk, ann, message="hi", session_id=session_id))
    await talk.reached(ann, session_id, "queued")
    talk.services.stopping.set()
    stopped = await waiting
    assert (stopped.status_code, stopped.json()["error_code"]) == (503, "OVERLOADED")
