"""How a session's window is spent, over REST, and making the history shorter by hand."""

from typing import Any

import pytest
from talking import Caller, Talk

LONG = "Tell me about the orders of this customer, please. " * 30


async def asked(talk: Talk, who: Caller, method: str, path: str, **sent: Any) -> Any:
    headers = who.headers | sent.pop("headers", {})
    answer = await talk.http.request(method, f"/api/v1{path}", headers=headers, **sent)
    return answer.status_code, answer.json()


async def talked(talk: Talk, who: Caller, turns: int = 5) -> str:
    session_id = await talk.session(who)
    for n in range(turns):
        await talk.chat(who, f"{n}. {LONG}", session_id=session_id)
    return session_id


async def events(talk: Talk, who: Caller, session_id: str) -> list[dict[str, Any]]:
    status, page = await asked(talk, who, "GET", f"/sessions/{session_id}/events")
    assert status == 200, page
    return page["events"]


@pytest.mark.requirement("F7-9")
async def test_the_report_says_what_each_part_of_the_last_request_cost(talk: Talk) -> None:
    ann = await talk.person()
    session_id = await talk.session(ann)
    path = f"/sessions/{session_id}/context"
    assert await asked(talk, ann, "GET", path) == (
        200,
        {"session_id": session_id, "report": None},
    )
    await talk.chat(ann, "look", session_id=session_id)
    status, body = await asked(talk, ann, "GET", path)
    report = body["report"]
    assert status == 200
    assert min(report["system"], report["tools"], report["history"], report["results"]) > 0
    parts = ("system", "tools", "skills", "memory", "summary", "history", "results")
    assert report["estimated_tokens"] == sum(report[part] for part in parts)
    assert report["window_tokens"] > report["token_budget"] > 0
    assert report["reported_tokens"] > 0
    assert report["cached_share"] == 0.0


@pytest.mark.requirement("F7-9")
async def test_a_person_makes_the_history_shorter_and_the_log_says_so(talk: Talk) -> None:
    ann = await talk.person()
    session_id = await talked(talk, ann)
    _, before = await asked(talk, ann, "GET", f"/sessions/{session_id}/context")
    keep = "the customer's name"
    path = f"/sessions/{session_id}/compact"
    status, body = await asked(talk, ann, "POST", path, json={"keep": keep})
    assert (status, body["status"]) == (202, "compacting")
    run = await talk.reached(ann, session_id, "completed")
    assert run.run_id == body["run_id"]
    told = [e for e in await events(talk, ann, session_id) if e["run_id"] == run.run_id]
    assert (told[0]["event_type"], told[-1]["event_type"]) == ("start", "done")
    (compressed,) = [e for e in told if e["event_type"] == "context_compressed"]
    assert compressed["compression_strategy"] == "summarize"
    assert compressed["summary"] == "hello there"
    assert keep in [pin["text"] for pin in compressed["pins"]]
    await talk.chat(ann, "And now?", session_id=session_id)
    _, after = await asked(talk, ann, "GET", f"/sessions/{session_id}/context")
    assert after["report"]["summary"] > 0
    assert after["report"]["estimated_tokens"] < before["report"]["estimated_tokens"]


async def test_where_there_is_nothing_to_win_the_log_says_that(talk: Talk) -> None:
    ann = await talk.person()
    session_id = await talked(talk, ann, 1)
    status, _ = await asked(talk, ann, "POST", f"/sessions/{session_id}/compact")
    assert status == 202
    await talk.reached(ann, session_id, "completed")
    codes = [e.get("code") for e in await events(talk, ann, session_id)]
    assert "NOTHING_TO_COMPACT" in codes


@pytest.mark.requirement("F7-9")
async def test_while_a_run_is_under_way_it_is_a_conflict(talk: Talk) -> None:
    ann = await talk.person()
    session_id = await talk.session(ann)
    # Waits for somebody to approve the write.
    assert (await talk.chat(ann, "write it", session_id=session_id))["status"] == "waiting"
    status, body = await asked(talk, ann, "POST", f"/sessions/{session_id}/compact")
    assert (status, body["error_code"]) == (409, "SESSION_BUSY")
    assert len((await asked(talk, ann, "GET", f"/sessions/{session_id}/runs"))[1]["items"]) == 1


@pytest.mark.requirement("F7-9")
async def test_only_whoever_may_use_a_session_may_do_either(talk: Talk) -> None:
    ann, bob = await talk.person(), await talk.person("bob")
    stranger = await talk.person("eve", tenant_id=await talk.tenant("elsewhere"))
    session_id = await talked(talk, ann, 1)
    for who, expected in ((bob, 403), (stranger, 404)):
        for method, name in (("GET", "context"), ("POST", "compact")):
            status, _ = await asked(talk, who, method, f"/sessions/{session_id}/{name}")
            assert status == expected, (method, name)
    assert (await asked(talk, ann, "POST", "/sessions/missing/compact"))[0] == 404
    assert (await asked(talk, ann, "GET", "/sessions/missing/context"))[0] == 404


async def test_the_same_request_under_the_same_key_is_done_once(talk: Talk) -> None:
    ann = await talk.person()
    session_id = await talked(talk, ann, 3)
    key = {"Idempotency-Key": "once"}
    path = f"/sessions/{session_id}/compact"
    first = await asked(talk, ann, "POST", path, headers=key)
    await talk.reached(ann, session_id, "completed")
    assert await asked(talk, ann, "POST", path, headers=key) == first
    runs = (await asked(talk, ann, "GET", f"/sessions/{session_id}/runs"))[1]["items"]
    assert len(runs) == 4


@pytest.mark.parametrize(
    "body", [{"keep": "x" * 2_000}, {"keep": 1}, {"keep": "a\x00"}, {"other": "x"}]
)
async def test_what_makes_no_sense_is_refused(talk: Talk, body: dict[str, Any]) -> None:
    ann = await talk.person()
    session_id = await talk.session(ann)
    status, _ = await asked(talk, ann, "POST", f"/sessions/{session_id}/compact", json=body)
    assert status == 422


async def test_one_that_waits_for_its_turn_can_be_withdrawn(talk: Talk) -> None:
    ann = await talk.person()
    session_id = await talked(talk, ann, 3)
    _, body = await asked(talk, ann, "POST", f"/sessions/{session_id}/compact")
    await talk.http.post(f"/api/v1/runs/{body['run_id']}/cancel", headers=ann.headers)
    run = await talk.reached(ann, session_id, "completed", "cancelled")
    assert run.run_id == body["run_id"]
    assert (await talk.chat(ann, "And now?", session_id=session_id))["status"] == "done"
