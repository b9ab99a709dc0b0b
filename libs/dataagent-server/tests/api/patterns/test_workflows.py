"""Workflows over REST: compiled from runs, changed as a file, stored and run."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from eventually import eventually
from live_server import LiveServer, open_live_server
from patterns_live import GOAL, PATTERNS, WRITTEN, list_patterns, request
from workflows_live import FILE, ask, store, taught

from tests.server.fixtures import MakeSettings

pytestmark = pytest.mark.every_database

AT_ONCE = 8


@pytest.fixture
async def live(make_settings: MakeSettings, database_url: str) -> AsyncGenerator[LiveServer]:
    settings = make_settings(rate_limit_per_minute="0", database_url=database_url)
    async with open_live_server(settings) as running:
        yield running


@pytest.mark.requirement("F21-6-rest")
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


async def test_of_many_files_at_once_one_makes_each_version(live: LiveServer):
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
