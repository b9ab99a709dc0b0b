"""How a session's window is spent, over REST, and making the history shorter by hand."""

from typing import Any

import pytest
from live_server import Caller, LiveServer

LONG = "Tell me about the orders of this customer, please. " * 30


async def asked(live: LiveServer, who: Caller, method: str, path: str, **sent: Any) -> Any:
    headers = who.headers | sent.pop("headers", {})
    answer = await live.http.request(method, f"/api/v1{path}", headers=headers, **sent)
    return answer.status_code, answer.json()


async def talked(live: LiveServer, who: Caller, turns: int = 5) -> str:
    session_id = await live.session(who)
    for n in range(turns):
        await live.chat(who, f"{n}. {LONG}", session_id=session_id)
    return session_id


async def events(live: LiveServer, who: Caller, session_id: str) -> list[dict[str, Any]]:
    status, page = await asked(live, who, "GET", f"/sessions/{session_id}/events")
    assert status == 200, page
    return page["events"]


@pytest.mark.requirement("F7-9")
async def test_the_report_says_what_each_part_of_the_last_request_cost(live: LiveServer) -> None:
    ann = await live.person()
    session_id = await live.session(ann)
    path = f"/sessions/{session_id}/context"
    assert await asked(live, ann, "GET", path) == (
        200,
        {"session_id": session_id, "report": None},
    )
    await live.chat(ann, "look", session_id=session_id)
    status, body = await asked(live, ann, "GET", path)
    report = body["report"]
    assert status == 200
    assert min(report["system"], report["tools"], report["history"], report["results"]) > 0
    parts = ("system", "tools", "skills", "memory", "summary", "history", "results")
    assert report["estimated_tokens"] == sum(report[part] for part in parts)
    assert report["window_tokens"] > report["token_budget"] > 0
    assert report["reported_tokens"] > 0
    assert report["cached_share"] == 0.0


@pytest.mark.requirement("F7-9")
async def test_a_person_makes_the_history_shorter_and_the_log_says_so(live: LiveServer) -> None:
    ann = await live.person()
    session_id = await talked(live, ann)
    _, before = await asked(live, ann, "GET", f"/sessions/{session_id}/context")
    keep = "the customer's name"
    path = f"/sessions/{session_id}/compact"
    status, body = await asked(live, ann, "POST", path, json={"keep": keep})
    assert (status, body["status"]) == (202, "compacting")
    run = await live.reached(ann, session_id, "completed")
    assert run.run_id == body["run_id"]
    told = [e for e in await events(live, ann, session_id) if e["run_id"] == run.run_id]
    assert (told[0]["event_type"], told[-1]["event_type"]) == ("start", "done")
    (compressed,) = [e for e in told if e["event_type"] == "context_compressed"]
    assert compressed["compression_strategy"] == "summarize"
    assert compressed["summary"] == "hello there"
    assert keep in [pin["text"] for pin in compressed["pins"]]
    await live.chat(ann, "And now?", session_id=session_id)
    _, after = await asked(live, ann, "GET", f"/sessions/{session_id}/context")
    assert after["report"]["summary"] > 0
    assert after["report"]["estimated_tokens"] < before["report"]["estimated_tokens"]


async def test_where_there_is_nothing_to_win_the_log_says_that(live: LiveServer) -> None:
    ann = await live.person()
    session_id = await talked(live, ann, 1)
    status, _ = await asked(live, ann, "POST", f"/sessions/{session_id}/compact")
    assert status == 202
    await live.reached(ann, session_id, "completed")
    codes = [e.get("code") for e in await events(live, ann, session_id)]
    assert "NOTHING_TO_COMPACT" in codes


@pytest.mark.requirement("F7-9")
async def test_while_a_run_is_under_way_it_is_a_conflict(live: LiveServer) -> None:
    ann = await live.person()
    session_id = await live.session(ann)
    # Waits for somebody to approve the write.
    assert (await live.chat(ann, "write it", session_id=session_id))["status"] == "waiting"
    status, body = await asked(live, ann, "POST", f"/sessions/{session_id}/compact")
    assert (status, body["error_code"]) == (409, "SESSION_BUSY")
    assert len((await asked(live, ann, "GET", f"/sessions/{session_id}/runs"))[1]["items"]) == 1


@pytest.mark.requirement("F7-9")
async def test_only_whoever_may_use_a_session_may_do_either(live: LiveServer) -> None:
    ann, bob = await live.person(), await live.person("bob")
    stranger = await live.person("eve", tenant_id=await live.tenant("elsewhere"))
    session_id = await talked(live, ann, 1)
    for who, expected in ((bob, 403), (stranger, 404)):
        for method, name in (("GET", "context"), ("POST", "compact")):
            status, _ = await asked(live, who, method, f"/sessions/{session_id}/{name}")
            assert status == expected, (method, name)
    assert (await asked(live, ann, "POST", "/sessions/missing/compact"))[0] == 404
    assert (await asked(live, ann, "GET", "/sessions/missing/context"))[0] == 404


async def test_the_same_request_under_the_same_key_is_done_once(live: LiveServer) -> None:
    ann = await live.person()
    session_id = await talked(live, ann, 3)
    key = {"Idempotency-Key": "once"}
    path = f"/sessions/{session_id}/compact"
    first = await asked(live, ann, "POST", path, headers=key)
    await live.reached(ann, session_id, "completed")
    assert await asked(live, ann, "POST", path, headers=key) == first
    runs = (await asked(live, ann, "GET", f"/sessions/{session_id}/runs"))[1]["items"]
    assert len(runs) == 4


@pytest.mark.parametrize(
    "body", [{"keep": "x" * 2_000}, {"keep": 1}, {"keep": "a\x00"}, {"other": "x"}]
)
async def test_what_makes_no_sense_is_refused(live: LiveServer, body: dict[str, Any]) -> None:
    ann = await live.person()
    session_id = await live.session(ann)
    status, _ = await asked(live, ann, "POST", f"/sessions/{session_id}/compact", json=body)
    assert status == 422


async def test_one_that_waits_for_its_turn_can_be_withdrawn(live: LiveServer) -> None:
    ann = await live.person()
    session_id = await talked(live, ann, 3)
    _, body = await asked(live, ann, "POST", f"/sessions/{session_id}/compact")
    await live.http.post(f"/api/v1/runs/{body['run_id']}/cancel", headers=ann.headers)
    run = await live.reached(ann, session_id, "completed", "cancelled")
    assert run.run_id == body["run_id"]
    assert (await live.chat(ann, "And now?", session_id=session_id))["status"] == "done"
