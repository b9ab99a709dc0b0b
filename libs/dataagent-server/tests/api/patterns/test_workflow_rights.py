"""Who sees and runs a workflow: whoever may change its pattern, however the message comes."""

from typing import Any

import pytest
from live_server import Caller, LiveServer, hear_until
from live_server import say as send
from patterns_live import GOAL, PATTERNS, list_patterns, request, teach
from workflows_live import FILE, ask, store, taught


async def test_only_who_may_change_a_pattern_sees_and_runs_its_workflow(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    root, vic = await live.person("root", "admin"), await live.person("vic", "viewer")
    pattern = await taught(live, ann)
    await store(live, ann, pattern)
    for who in (bob, vic):
        # The pattern is in use: everybody sees it, without its workflow.
        (seen,) = await list_patterns(live, who)
        detail = await request(live, who, "GET", f"{PATTERNS}/{pattern['id']}")
        for one in (seen, detail):
            assert one["workflow"] is None
            assert (one["may_change"], one["can_compile"]) == (False, False)
            assert "look-around" not in str(one)
        for method, more, body in (
            ("GET", "", None),
            ("POST", "/compile", None),
            ("POST", "/check", {"text": FILE}),
            ("PUT", "", {"text": FILE, "version": 1}),
            ("DELETE", "", None),
            ("POST", "/run", {"inputs": {"day": "may"}}),
        ):
            told = await ask(live, who, f"{method} {more}", pattern, body, status=403)
            assert "look-around" not in str(told)
    assert (await ask(live, root, "GET", pattern))["name"] == "look-around"
    told = await ask(live, root, "POST /run", pattern, {"inputs": {"day": "may"}}, status=202)
    await live.reached(root, told["session_id"], "completed")
    # In somebody else's session nobody starts one.
    body = {"inputs": {"day": "may"}, "session_id": told["session_id"]}
    await ask(live, ann, "POST /run", pattern, body, status=403)


@pytest.mark.parametrize("way", ["chat", "sse", "socket"])
async def test_no_message_follows_a_workflow_of_somebody_else(live: LiveServer, way: str):
    ann, bob = await live.person("ann"), await live.person("bob")
    eve = await live.person("eve", "owner", await live.tenant("theirs"))
    pattern = await taught(live, ann)
    await store(live, ann, pattern)
    inputs = {"day": "may"}
    refused = {
        "PERMISSION_DENIED": (bob, {"workflow": pattern["id"], "inputs": inputs}),
        "NOT_FOUND": (eve, {"workflow": pattern["id"], "inputs": inputs}),
        "VALIDATION_ERROR": (ann, {"workflow": "a\x00b"}),
    }
    for code, (who, planning) in refused.items():
        assert await say(live, who, way, planning) == code
    for planning in (
        {"workflow": pattern["id"]},
        {"workflow": pattern["id"], "inputs": {"day": ""}},
        {"workflow": pattern["id"], "inputs": {"day": "a\x00b"}},
        {"workflow": pattern["id"], "inputs": inputs | {"more": 1}},
        {"inputs": inputs},
    ):
        assert await say(live, ann, way, planning) == "VALIDATION_ERROR", planning
    assert await say(live, ann, way, {"workflow": pattern["id"], "inputs": inputs}) == ""


async def say(live: LiveServer, who: Caller, way: str, planning: dict[str, Any]) -> str:
    """Send a message; return the code of the error, if it was refused."""
    session_id = await live.session(who)
    if way == "socket":
        async with live.socket(session_id, who) as socket:
            await send(socket, "chat", message="hi", planning=planning)
            last = (await hear_until(socket, "done", "error"))[-1]
        return last["data"]["code"] if last["event_type"] == "error" else ""
    path, named = ("chat", "session_id") if way == "chat" else ("agent/chat", "conversation_id")
    body = {"message": "hi", named: session_id, "planning": planning}
    answer = await live.http.post(f"/api/v1/{path}", json=body, headers=who.headers)
    if answer.status_code == 200:
        assert "looked on may" in answer.text
        return ""
    return answer.json()["error_code"]


async def test_a_run_that_waited_follows_no_workflow_of_a_pattern_that_came_later(
    live: LiveServer,
):
    ann, bob = await live.person("ann"), await live.person("bob")
    pattern = await taught(live, ann)
    await store(live, ann, pattern)
    session_id = await live.session(ann)
    waiting = await live.chat(ann, "write it", session_id=session_id)
    assert waiting["status"] == "waiting"
    body = {"inputs": {"day": "may"}, "session_id": session_id}
    queued = await ask(live, ann, "POST /run", pattern, body, status=202)
    # What has the same id is somebody else's by the time the run begins.
    await request(live, ann, "DELETE", f"{PATTERNS}/{pattern['id']}", status=204)
    again = await taught(live, bob)
    assert (again["id"], again["user_id"]) == (pattern["id"], bob.who.user_id)
    await store(live, bob, again, FILE.replace("looked on", "bobs secret"))
    await request(live, ann, "POST", f"/runs/{waiting['run_id']}/cancel", {})
    run = await live.reached(ann, session_id, "completed")
    assert run.run_id == queued["run_id"]
    events = await request(live, ann, "GET", f"/sessions/{session_id}/events")
    assert "bobs secret" not in str(events)
    assert "WORKFLOW_HANDED_OVER" in str(events)


async def test_who_has_switched_patterns_off_runs_no_workflow(live: LiveServer):
    ann = await live.person("ann")
    pattern = await taught(live, ann)
    await store(live, ann, pattern)
    switch = f"/users/{ann.who.user_id}"
    await request(live, ann, "PATCH", switch, {"learns_patterns": False})
    run = {"inputs": {"day": "may"}}
    told = await ask(live, ann, "POST /run", pattern, run, status=409)
    assert "learns_patterns" in told["message"]
    await request(live, ann, "PATCH", switch, {"learns_patterns": True})
    await ask(live, ann, "POST /run", pattern, run, status=202)


async def test_without_the_feature_a_workflow_is_seen_and_deleted_only(live: LiveServer):
    root = await live.person("root", "owner")
    acme = await live.tenant("acme")
    ann = await live.person("ann", tenant_id=acme)
    pattern = await taught(live, ann)
    await store(live, ann, pattern)
    off = {"limits": {"features_enabled": {"patterns": False}}}
    await request(live, root, "PATCH", "/tenants/acme", off)
    await ask(live, ann, "POST /run", pattern, {"inputs": {"day": "may"}}, status=403)
    await ask(live, ann, "POST /compile", pattern, status=403)
    assert (await ask(live, ann, "GET", pattern))["name"] == "look-around"
    await ask(live, ann, "DELETE", pattern, status=204)


async def test_an_offer_to_another_tenant_has_neither_workflow_nor_values(live: LiveServer):
    ann = await live.person("ann", "owner", await live.tenant("ours"))
    eve = await live.person("eve", "owner", await live.tenant("theirs"))
    pattern = await taught(live, ann)
    await store(live, ann, pattern)
    path = f"{PATTERNS}/{pattern['id']}/share"
    made = await request(live, ann, "POST", path, {"tenant_id": "theirs"}, status=201)
    accept = f"/agent/pattern-offers/{made['id']}/accept"
    copy = await request(live, eve, "POST", accept, status=201)
    assert (copy["workflow"], copy["repeats"], copy["can_compile"]) == (None, 0, False)
    for told in (made, copy):
        assert "monday" not in str(told)
        assert "look-around" not in str(told)
    await ask(live, eve, "GET", copy, status=404)
    await ask(live, eve, "GET", pattern, status=404)


async def test_the_same_key_starts_one_run(live: LiveServer):
    ann = await live.person("ann")
    pattern = await taught(live, ann)
    await store(live, ann, pattern)
    path = f"/api/v1{PATTERNS}/{pattern['id']}/workflow/run"
    headers = ann.headers | {"Idempotency-Key": "once"}
    answers = [
        await live.http.post(path, json={"inputs": {"day": "may"}}, headers=headers)
        for _ in range(2)
    ]
    assert answers[0].status_code == 202
    await ask(live, ann, "DELETE", pattern, status=204)
    answers.append(await live.http.post(path, json={"inputs": {"day": "may"}}, headers=headers))
    assert answers[0].json() == answers[1].json() == answers[2].json()
    other = await live.http.post(path, json={"inputs": {"day": "june"}}, headers=headers)
    assert other.status_code == 422


async def test_only_the_owner_is_told_that_a_workflow_can_be_made(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    await teach(live, ann, "monday", "tuesday", "wednesday", "thursday", "friday")
    told: list[list[str]] = []
    for who in (bob, ann, ann):
        asked = await live.chat(who, GOAL.format(day="may"), planning={"ask": True})
        events = await request(live, who, "GET", f"/sessions/{asked['session_id']}/events")
        matched = [one for one in events["events"] if one["event_type"] == "pattern_match"]
        told.append([one["mode"] for one in matched])
    assert told == [["offered"], ["offered", "repeated"], ["offered"]]
