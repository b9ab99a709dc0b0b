"""Workflows over REST: compiled from runs, changed as a file, stored and run."""

import asyncio
from typing import Any

import pytest
from eventually import eventually
from live_server import Caller, LiveServer, hear_until
from live_server import say as send
from patterns_live import GOAL, PATTERNS, WRITTEN, list_patterns, request
from workflows_live import FILE, ask, store, taught

AT_ONCE = 8


@pytest.mark.requirement("F21-6-rest")
@pytest.mark.every_database
async def test_a_repeated_task_is_compiled_changed_stored_run_and_deleted(live: LiveServer):
    ann = await live.person("ann")
    pattern = await taught(live, ann)
    assert (pattern["repeats"], pattern["can_compile"], pattern["may_change"]) == (3, True, True)
    assert pattern["workflow"] is None
    await ask(live, ann, "GET", pattern, status=404)
    draft = await ask(live, ann, "POST /compile", pattern)
    assert [step["tool"] for step in draft["steps"]] == ["ls"]
    assert draft["diff"].splitlines()[2].startswith("@@")
    # Nothing is stored by it, nor by a check.
    changed = await ask(live, ann, "POST /check", pattern, {"text": FILE})
    assert changed["inputs"] == [
        {"name": "day", "type": "text", "example": "monday", "is_private": False}
    ]
    await ask(live, ann, "GET", pattern, status=404)
    kept = {"text": draft["text"], "version": draft["version"]}
    stored = await ask(live, ann, "PUT", pattern, kept)
    assert stored["text"] == draft["text"]
    assert stored["version"] == draft["version"] + 1
    again = await ask(live, ann, "POST /check", pattern, {"text": draft["text"]})
    assert (again["diff"], again["version"]) == ("", stored["version"])
    # Storing what is stored changes nothing.
    kept["version"] = stored["version"]
    assert await ask(live, ann, "PUT", pattern, kept) == stored
    edited = await store(live, ann, pattern)
    assert (edited["name"], edited["goal"]) == (
        "look-around", "look into the sales folder of {{day}}",
    )  # fmt: skip
    assert edited["steps"] == [{"number": 1, "tool": "ls", "needs_model": False, "takes": []}]
    assert edited["answer_needs_model"] is False
    told = await ask(live, ann, "POST /run", pattern, {"inputs": {"day": "may"}}, status=202)
    run = await live.reached(ann, told["session_id"], "completed")
    assert (run.run_id, run.message_id) == (told["run_id"], told["message_id"])
    shown = await request(live, ann, "GET", f"/sessions/{told['session_id']}/events")
    assert "looked on may" in shown["events"][-1]["content"]
    messages = await request(live, ann, "GET", f"/sessions/{told['session_id']}/messages")
    assert messages["messages"][0]["content"] == GOAL.format(day="may")

    async def counted() -> bool:
        (now,) = await list_patterns(live, ann)
        return (now["workflow"]["name"], now["workflow"]["runs"]) == ("look-around", 1)

    await eventually(counted)
    saved = await ask(live, ann, "GET", pattern)
    assert saved["tokens_saved"] == 0  # its file does not say what the runs before took
    assert saved["handed_over"] == 0
    await ask(live, ann, "DELETE", pattern, status=204)
    await ask(live, ann, "GET", pattern, status=404)
    await ask(live, ann, "DELETE", pattern, status=404)
    root = await live.person("root", "admin")
    rows = (await request(live, root, "GET", "/audit?action=workflow.*"))["items"]
    assert [row["action"] for row in rows] == ["workflow.delete", *["workflow.store"] * 2]


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


@pytest.mark.every_database
async def test_a_workflow_is_compiled_of_runs_alone_that_its_readers_may_see(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    root = await live.person("root", "admin")
    for who, day in ((ann, "monday"), (ann, "tuesday")):
        await live.chat(who, GOAL.format(day=day))
    bobs = [await live.chat(bob, GOAL.format(day=day)) for day in ("may", "june", "july")]

    async def learned() -> bool:
        return [one["repeats"] for one in await list_patterns(live, ann)] == [5]

    await eventually(learned)
    (pattern,) = await list_patterns(live, ann)
    assert pattern["user_id"] == ann.who.user_id
    # An admin may see all runs, but the owner reads the file.
    for who in (ann, root):
        assert [one["can_compile"] for one in await list_patterns(live, who)] == [False]
        told = await ask(live, who, "POST /compile", pattern, status=422)
        assert "3 runs of other people" in told["message"]
    session = bobs[-1]["session_id"]
    share = f"/sessions/{session}/shares/{ann.who.user_id}"
    await request(live, bob, "PUT", share, {"permission": "view"})
    assert [one["can_compile"] for one in await list_patterns(live, ann)] == [True]
    draft = await ask(live, ann, "POST /compile", pattern)
    assert "july" in draft["goal"]
    shown = await request(live, ann, "GET", f"{PATTERNS}/{pattern['id']}")
    assert [run["session_id"] for run in shown["runs"]][2:] == [None, None, session]
    # What is deleted is nowhere else.
    await request(live, bob, "DELETE", f"/sessions/{session}", status=204)
    await ask(live, ann, "POST /compile", pattern, status=422)


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


async def test_wrong_files_and_inputs_are_refused_before_anything_is_stored(live: LiveServer):
    ann = await live.person("ann")
    pattern = await taught(live, ann)
    wrong = [
        "",
        "\x00",
        "a",
        "- 1",
        "{}",
        FILE + "more: 1\n",
        FILE.replace("tool: ls", "tool: rm -rf"),
        FILE.replace("{{day}}", "{{night}}"),
        FILE.replace("looked on {{day}}", r'"\ud800"'),
        FILE.replace("example: monday", r'example: "\ud800"'),
        FILE.replace("path: /", f"path: 0x{'f' * 5_000}"),
        FILE.replace("path: /", f"path: {'[' * 500}{']' * 500}"),
        FILE.replace("path: /", f"path: {'9' * 5_000}"),
        FILE.replace("path: /", "path: .nan"),
        FILE.replace("path: /", "path: 2020-01-01"),
        FILE.replace("path: /", "path: &a [*a]"),
        FILE + "#" * 100_000,
        FILE + "#\n" * 3_000,
        FILE.replace("path: /", "path: " + "界" * 40_000),
    ]
    for text in wrong:
        told = await ask(live, ann, "POST /check", pattern, {"text": text}, status=422)
        assert told["error_code"] == "VALIDATION_ERROR"
        body = {"text": text, "version": pattern["version"]}
        await ask(live, ann, "PUT", pattern, body, status=422)
    for body in (
        {},
        {"text": FILE},
        {"text": FILE, "version": 2**70},
        {"text": None, "version": 1},
    ):
        await ask(live, ann, "PUT", pattern, body, status=422)
    await ask(live, ann, "POST /run", pattern, {"inputs": {}}, status=404)
    await store(live, ann, pattern, FILE.replace("type: text", "type: integer"))
    for inputs in (
        {},
        {"day": ""},
        {"day": None},
        {"day": True},
        {"day": []},
        {"day": "may"},
        {"day": "9" * 302},
        {"day": "1e999"},
        {"day": 1, "more": 1},
        {"a\x00": 1},
        {str(number): number for number in range(100)},
        None,
    ):
        body = {"inputs": inputs}
        await ask(live, ann, "POST /run", pattern, body, status=422)
    await store(
        live,
        ann,
        pattern,
        FILE.replace("goal: look into", r'goal: "\0').replace(
            "{{day}}\ninputs", '{{day}}"\ninputs'
        ),
    )
    await ask(live, ann, "POST /run", pattern, {"inputs": {"day": "1"}}, status=422)
    await store(live, ann, pattern, FILE.replace("type: text", "type: integer"))
    path = f"/api/v1{PATTERNS}/{pattern['id']}/workflow/run"
    for number in ("9" * 5_000, "9" * 400, "1e999", "NaN", "-Infinity"):
        raw = f'{{"inputs": {{"day": {number}}}}}'
        headers = ann.headers | {"Content-Type": "application/json"}
        answer = await live.http.post(path, content=raw, headers=headers)
        assert answer.status_code == 422, (number[:9], answer.text)
    assert len((await request(live, ann, "GET", "/runs"))["items"]) == 3


@pytest.mark.every_database
async def test_of_many_files_at_once_one_makes_each_version(unlimited_live: LiveServer):
    live = unlimited_live
    root = await live.person("root", "admin")
    pattern = await request(live, root, "POST", PATTERNS, WRITTEN, status=201)
    path = f"/api/v1{PATTERNS}/{pattern['id']}/workflow"

    async def put(number: int) -> tuple[int, Any]:
        text = FILE.replace("look-around", f"look-{number}")
        body = {"version": 1, "text": text}
        answer = await live.http.put(path, json=body, headers=root.headers)
        return answer.status_code, answer.json()

    answers = await asyncio.gather(*(put(number) for number in range(AT_ONCE)))
    (won,) = (told for status, told in answers if status == 200)
    lost = [told for status, told in answers if status == 409]
    assert len(lost) == AT_ONCE - 1
    for told in lost:
        newer = told["details"]["pattern"]
        assert (newer["version"], newer["workflow"]["name"]) == (2, won["name"])
    gone = await asyncio.gather(
        *(live.http.delete(path, headers=root.headers) for _ in range(AT_ONCE))
    )
    assert {answer.status_code for answer in gone} <= {204, 404}


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
    assert answers[0].json() == answers[1].json()
    other = await live.http.post(path, json={"inputs": {"day": "june"}}, headers=headers)
    assert other.status_code == 422


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
