"""Whole sessions over REST: forked, searched, exported and imported."""

import asyncio
import io
import json
import zipfile
from typing import Any

import pytest
from live_server import Caller, LiveServer
from projected_log import add_plan
from sqlalchemy import select

from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.db.tables.runs import human_requests


async def ask(live: LiveServer, caller: Caller, method: str, path: str, **more: Any):
    headers = caller.headers | more.pop("headers", {})
    return await live.http.request(method, f"/api/v1{path}", headers=headers, **more)


async def said(live: LiveServer, caller: Caller, session_id: str) -> list[str]:
    answer = await ask(live, caller, "GET", f"/sessions/{session_id}/messages")
    return [one["content"] for one in answer.json()["messages"]]


async def message_ids(live: LiveServer, caller: Caller, session_id: str) -> list[str]:
    answer = await ask(live, caller, "GET", f"/sessions/{session_id}/messages")
    return [one["message_id"] for one in answer.json()["messages"]]


async def two_turns(live: LiveServer, caller: Caller) -> str:
    session_id = await live.session(caller)
    for message in ("look at May", "再看五月"):
        await live.chat(caller, message, session_id=session_id)
    return session_id


async def taken(live: LiveServer, caller: Caller, data: bytes, **more: Any):
    headers = {"content-type": more.pop("content_type", "application/zip")}
    return await ask(
        live, caller, "POST", "/sessions/import", content=data, headers=headers, **more
    )


@pytest.mark.requirement("F8-fork")
async def test_a_fork_has_its_own_runs_and_goes_on_by_itself(live: LiveServer):
    ann = await live.person()
    session_id = await two_turns(live, ann)
    second = (await message_ids(live, ann, session_id))[2]
    before = await said(live, ann, session_id)
    answer = await ask(
        live, ann, "POST", f"/sessions/{session_id}/fork", json={"message_id": second}
    )
    assert answer.status_code == 201, answer.text
    made = answer.json()
    new = made["session"]["session_id"]
    assert (made["runs"], made["left_unfinished"], made["session"]["title"]) == (
        1,
        False,
        "look at May",
    )
    assert await said(live, ann, new) == ["look at May", "looked"]
    runs = (await ask(live, ann, "GET", f"/sessions/{new}/runs")).json()["items"]
    assert [(run["status"], run["token_usage"]) for run in runs] == [("completed", None)]
    await live.chat(ann, "look again", session_id=new)
    assert await said(live, ann, new) == ["look at May", "looked", "look again", "looked"]
    assert await said(live, ann, session_id) == before
    used = (await ask(live, ann, "GET", f"/usage?session_id={new}")).json()
    whole = (await ask(live, ann, "GET", f"/usage?session_id={session_id}")).json()
    assert calls(used) < calls(whole)
    assert (await ask(live, ann, "DELETE", f"/sessions/{new}")).status_code == 204
    checkpoints = live.services.runs.checkpoints
    for run in runs:
        assert await checkpoints.aget_tuple({"configurable": {"thread_id": run["run_id"]}}) is None


def calls(usage: Any) -> int:
    return sum(one["calls"] for one in usage["usage"])


async def test_a_question_of_the_original_cannot_be_answered_twice(live: LiveServer):
    ann = await live.person()
    waiting = await live.chat(ann, "write it")
    session_id = waiting["session_id"]
    interrupt = waiting["events"][-1]["interrupt_id"]
    forked = await ask(live, ann, "POST", f"/sessions/{session_id}/fork", json={})
    assert forked.json()["left_unfinished"] is True
    assert forked.json()["runs"] == 0
    answered = await ask(
        live, ann, "POST", f"/requests/{interrupt}", json={"decision": {"type": "approve"}}
    )
    assert answered.status_code == 200
    await live.reached(ann, session_id, "completed")
    again = (await ask(live, ann, "POST", f"/sessions/{session_id}/fork", json={})).json()
    assert again["runs"] == 1
    requests = await live.services.database.read(
        lambda c: c.execute(select(human_requests.c.session_id)).scalars().all()
    )
    assert set(requests) == {session_id}


async def test_a_repeated_fork_makes_one_session(live: LiveServer):
    ann = await live.person()
    session_id = await two_turns(live, ann)
    headers = {"Idempotency-Key": "one"}
    answers = await asyncio.gather(
        *(
            ask(live, ann, "POST", f"/sessions/{session_id}/fork", json={}, headers=headers)
            for _ in range(4)
        )
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["session"]["session_id"] for answer in answers}) == 1
    assert len((await ask(live, ann, "GET", "/sessions")).json()["items"]) == 2


@pytest.mark.requirement("F8-search")
async def test_a_search_finds_messages_too_and_only_ones_own(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob")
    session_id = await two_turns(live, ann)
    await live.session(ann, title="五月 in a title")
    await live.session(bob, title="五月 of bob")

    async def found(caller: Caller, text: str) -> list[dict[str, Any]]:
        page = await ask(live, caller, "GET", "/sessions", params={"q": text})
        assert page.status_code == 200, page.text
        return page.json()["items"]

    items = await found(ann, "五月")
    assert [one["found"] and one["found"]["snippet"] for one in items] == [None, "再看五月"]
    assert items[1]["session_id"] == session_id
    assert [one["session_id"] for one in await found(ann, "MAY 再看")] == [session_id]
    assert len(await found(bob, "五月")) == 1
    assert await found(bob, "再看") == []
    assert (await ask(live, ann, "GET", "/sessions", params={"q": " "})).status_code == 422


@pytest.mark.requirement("F8-export")
async def test_a_session_is_downloaded_and_never_shown_as_a_page_of_ours(live: LiveServer):
    ann = await live.person()
    session_id = await two_turns(live, ann)
    for kind, part in (
        ("md", "# look at May"),
        ("html", "再看五月"),
        ("json", "dataagent.session"),
    ):
        answer = await ask(live, ann, "GET", f"/sessions/{session_id}/export?format={kind}")
        assert (answer.status_code, part in answer.text) == (200, True), answer.text
        assert answer.headers["content-disposition"].startswith("attachment;")
        assert answer.headers["content-security-policy"].startswith("sandbox")
        assert not answer.headers["content-type"].startswith("text/html")
    assert (
        await ask(live, ann, "GET", f"/sessions/{session_id}/export?format=exe")
    ).status_code == 422


@pytest.mark.requirement("F8-bundle")
async def test_a_bundle_goes_to_another_person_who_goes_on_with_it(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob")
    session_id = await two_turns(live, ann)
    bundle = await ask(live, ann, "GET", f"/sessions/{session_id}/export?format=bundle")
    assert bundle.status_code == 200
    answer = await taken(live, bob, bundle.content)
    assert answer.status_code == 201, answer.text
    made = answer.json()["session"]
    assert (made["user_id"], made["title"]) == (bob.who.user_id, "look at May")
    assert made["session_id"] != session_id
    assert await said(live, bob, made["session_id"]) == await said(live, ann, session_id)
    events = await ask(live, bob, "GET", f"/sessions/{made['session_id']}/events")
    assert events.json()["events"][0]["code"] == "SESSION_IMPORTED"
    await live.chat(bob, "look", session_id=made["session_id"])
    assert len(await said(live, bob, made["session_id"])) == 6
    again = await taken(live, ann, bundle.content)
    assert again.json()["session"]["session_id"] not in {session_id, made["session_id"]}


@pytest.mark.requirement("F8-import-hostile")
async def test_a_bundle_that_is_wrong_is_refused_and_leaves_nothing(live: LiveServer):
    ann = await live.person()
    session_id = await two_turns(live, ann)
    good = (await ask(live, ann, "GET", f"/sessions/{session_id}/export?format=bundle")).content
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}

    def zipped(**changed: bytes) -> bytes:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for name, data in {**parts, **changed}.items():
                archive.writestr(name, data)
        return file.getvalue()

    wrong = (
        b"", b"not a zip", good[:-30], zipped(**{"../up": b"x"}), zipped(**{"events.jsonl": b"{}"}),
        zipped(**{"history.json": b'{"messages": [{"type": "remove"}], "todos": []}'}),
    )  # fmt: skip
    for data in wrong:
        answer = await taken(live, ann, data)
        assert (answer.status_code, answer.json()["error_code"]) == (422, "VALIDATION_ERROR")
    assert (await taken(live, ann, good, content_type="text/plain")).status_code == 415
    assert len((await ask(live, ann, "GET", "/sessions")).json()["items"]) == 1
    scratch = live.services.settings.home / "scratch"
    assert not list(scratch.glob("tmp*"))


STEP = {"step_number": 1, "description": "x"}
PLANS: list[dict[str, Any]] = [
    {"steps": [{}]},
    {"steps": [{"step_number": "one", "description": {"a": [1]}}]},
    {"steps": [STEP | {"status": "flying"}]},
    {"steps": [STEP | {"dependencies": 7}]},
    {"steps": [STEP | {"dependencies": [1]}]},
    {"steps": [STEP | {"required_tools": {"a": 1}, "decision": "no"}]},
    {"steps": [STEP | {"description": "x" * 100_000}]},
    {"steps": [STEP | {"step_number": number} for number in range(1, 201)]},
    {"steps": [STEP], "version": 10**30},
    {"steps": [STEP], "round": -(10**30)},
    {"steps": [STEP], "interaction_pattern_id": "p" * 1_000},
    {"steps": [STEP], "timestamp": 253_402_300_799.0},
    {"steps": [STEP | {"execution_time_ms": 10**30, "result": "\ud800\0"}]},
]


@pytest.mark.requirement("F8-import-hostile")
async def test_a_plan_of_a_bundle_is_shown_only_if_it_is_one(live: LiveServer):
    ann = await live.person()
    chat = await live.chat(ann, "write it")
    session_id, run_id = chat["session_id"], chat["run_id"]
    await add_plan(live.services, ann.who.tenant_id, session_id, run_id, steps=1)
    await live.services.runs.service.cancel(ann.who, run_id)
    await live.reached(ann, session_id, "cancelled")
    good = (await ask(live, ann, "GET", f"/sessions/{session_id}/export?format=bundle")).content
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    events = [json.loads(line) for line in parts["events.jsonl"].splitlines()]
    for changed in ({}, *PLANS):
        lines = [
            json.dumps(one | (changed if one["event_type"] == "work_plan" else {}))
            for one in events
        ]
        file = _zipped(
            **{name: data.decode() for name, data in parts.items()}
            | {"events.jsonl": "\n".join(lines) + "\n"}
        )
        answer = await taken(live, ann, file)
        if answer.status_code == 422:
            continue
        assert answer.status_code == 201, (changed, answer.text)
        made = answer.json()["session"]["session_id"]
        plan = await ask(live, ann, "GET", f"/sessions/{made}/plan")
        assert plan.status_code in ({200} if not changed else {200, 404}), (changed, plan.text)
        if plan.status_code == 200:
            assert plan.json()["interaction_pattern_id"] is None
            assert plan.json()["run_id"] != run_id
        execution = await ask(live, ann, "GET", f"/agent/conversations/{made}/execution")
        assert execution.status_code == 200


async def test_somebody_elses_session_is_neither_forked_nor_exported(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob")
    viewer = await live.person("vic", "viewer")
    other = await live.person("eve", tenant_id=await live.tenant("other"))
    admin = await live.person("adm", "admin")
    session_id = await two_turns(live, ann)
    for caller, status in ((bob, 403), (other, 404), (viewer, 403)):
        fork = await ask(live, caller, "POST", f"/sessions/{session_id}/fork", json={})
        assert fork.status_code == status
        for kind in ("md", "bundle"):
            path = f"/sessions/{session_id}/export?format={kind}"
            assert (await ask(live, caller, "GET", path)).status_code == status
    # Who may read it may fork it, and has then a session of their own.
    forked = await ask(live, admin, "POST", f"/sessions/{session_id}/fork", json={})
    assert forked.json()["session"]["user_id"] == admin.who.user_id
    assert admin.who.tenant_id == DEFAULT_TENANT


def _zipped(**files: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


async def test_an_import_that_fails_names_no_file_of_the_server(live: LiveServer):
    ann = await live.person()
    whole = _zipped(manifest="{}")
    end = whole.rindex(b"PK\x05\x06")
    huge = whole[: end + 12] + (2**31 - 1).to_bytes(4, "little") + whole[end + 16 :]
    for data in (b"", b"x", b"PK\x03\x04" * 40, whole, whole[:-3], whole[20:], huge):
        answer = await taken(live, ann, data)
        assert answer.status_code == 422, answer.text
        message = answer.json()["message"]
        for place in (str(live.services.settings.home), "/tmp", "scratch", "bundle.zip"):
            assert place not in message
