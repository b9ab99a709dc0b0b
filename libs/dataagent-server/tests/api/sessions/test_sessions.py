"""Sessions over REST: made, listed, found, renamed, moved, deleted with everything in them."""

import asyncio
from typing import Any

import pytest
from live_server import Caller, LiveServer
from sqlalchemy import func, select

from dataagent_server.db.tables import metadata


async def ask(live: LiveServer, caller: Caller, method: str, path: str, **more: Any):
    return await live.http.request(method, f"/api/v1{path}", headers=caller.headers, **more)


async def test_a_session_is_made_shown_renamed_and_deleted(live: LiveServer):
    ann = await live.person()
    made = await ask(live, ann, "POST", "/sessions", json={"session_id": "mine", "title": "One"})
    assert made.status_code == 201
    assert made.json()["user_id"] == ann.who.user_id
    assert made.json()["assistant_id"] == "default"
    shown = await ask(live, ann, "GET", "/sessions/mine")
    assert shown.json() == made.json()
    renamed = await ask(live, ann, "PATCH", "/sessions/mine", json={"title": "  Two "})
    assert renamed.json()["title"] == "Two"
    unnamed = await ask(live, ann, "PATCH", "/sessions/mine", json={"title": None})
    assert unnamed.json()["title"] is None
    assert (await ask(live, ann, "DELETE", "/sessions/mine")).status_code == 204
    assert (await ask(live, ann, "GET", "/sessions/mine")).status_code == 404
    assert (await ask(live, ann, "DELETE", "/sessions/mine")).status_code == 404


async def test_an_id_that_is_taken_is_a_conflict(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob")
    await live.session(ann, session_id="mine")
    for caller in (ann, bob):
        again = await ask(live, caller, "POST", "/sessions", json={"session_id": "mine"})
        assert (again.status_code, again.json()["error_code"]) == (409, "CONFLICT")


async def test_a_repeated_creation_makes_one_session(live: LiveServer):
    ann = await live.person()
    headers = ann.headers | {"Idempotency-Key": "one"}
    answers = await asyncio.gather(
        *(live.http.post("/api/v1/sessions", json={}, headers=headers) for _ in range(6))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["session_id"] for answer in answers}) == 1
    listed = await ask(live, ann, "GET", "/sessions")
    assert len(listed.json()["items"]) == 1


async def test_sessions_are_listed_in_pages_and_found_by_title(live: LiveServer):
    ann = await live.person()
    for number in range(5):
        await live.session(ann, session_id=f"s{number}", title=f"Über {number} 100%")
    seen: list[str] = []
    after = ""
    while True:
        page = (await ask(live, ann, "GET", f"/sessions?limit=2{after}")).json()
        seen += [one["session_id"] for one in page["items"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert seen == [f"s{number}" for number in range(4, -1, -1)]

    async def found(text: str) -> list[str]:
        page = await ask(live, ann, "GET", "/sessions", params={"q": text})
        return [one["session_id"] for one in page.json()["items"]]

    assert await found("über 3") == ["s3"]
    assert await found("100%") == seen
    assert await found("1_0") == []
    assert await found("\x00nothing") == []


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "after=x", "limit=a", "user_id=a%00b"])
async def test_a_list_that_cannot_be_is_refused(live: LiveServer, query: str):
    ann = await live.person()
    answer = await ask(live, ann, "GET", f"/sessions?{query}")
    assert answer.status_code == 422


async def test_a_session_moves_into_a_project_that_exists(live: LiveServer):
    ann = await live.person()
    project = await live.services.people.projects.create(ann.who, "Sales")
    await live.session(ann, session_id="mine")
    nowhere = await ask(live, ann, "PATCH", "/sessions/mine", json={"project_id": "nowhere"})
    assert nowhere.status_code == 404
    url = f"/sessions?project_id={project.project_id}"
    assert (await ask(live, ann, "GET", url)).json()["items"] == []
    body = {"project_id": project.project_id}
    assert (await ask(live, ann, "PATCH", "/sessions/mine", json=body)).json()[
        "project_id"
    ] == project.project_id
    assert len((await ask(live, ann, "GET", url)).json()["items"]) == 1


async def test_a_session_under_work_is_deleted_only_after_its_cancel(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    waiting = asyncio.create_task(live.chat(ann, "slow", session_id=session_id))
    await live.reached(ann, session_id, "running")
    refused = await ask(live, ann, "DELETE", f"/sessions/{session_id}")
    assert (refused.status_code, refused.json()["error_code"]) == (409, "CONFLICT")
    await ask(live, ann, "POST", f"/chat/{session_id}/cancel")
    await waiting
    assert (await ask(live, ann, "DELETE", f"/sessions/{session_id}")).status_code == 204


async def test_nothing_of_a_deleted_session_is_left(live: LiveServer):
    ann = await live.person()
    kept = (await live.chat(ann, "look"))["session_id"]
    gone = (await live.chat(ann, "look"))["session_id"]
    answer = await live.chat(ann, "write it", session_id=gone)
    url = f"/requests/{answer['events'][-1]['interrupt_id']}"
    await ask(live, ann, "POST", url, json={"decision": {"type": "approve"}})
    await live.reached(ann, gone, "completed")
    run_ids = [run["run_id"] for run in (await ask(live, ann, "GET", "/runs")).json()["items"]]
    assert (await ask(live, ann, "DELETE", f"/sessions/{gone}")).status_code == 204

    def count(connection: Any) -> dict[str, int]:
        tables = [t for t in metadata.sorted_tables if "session_id" in t.c]
        return {
            table.name: connection.execute(
                select(func.count()).select_from(table).where(table.c.session_id == gone)
            ).scalar_one()
            for table in tables
        }

    left = await live.services.database.read(count)
    assert {"sessions", "messages", "agent_executions", "human_requests"} <= set(left)
    assert not any(left.values()), left
    checkpoints = live.services.runs.stores_of(ann.who.tenant_id).checkpoints
    threads = [await checkpoints.aget_tuple({"configurable": {"thread_id": r}}) for r in run_ids]
    assert sum(thread is not None for thread in threads) == 1
    assert (await ask(live, ann, "GET", f"/sessions/{kept}/messages")).json()["messages"]


async def test_s0_45_46_messages_are_kept_in_order_and_come_in_pages(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    for number in range(3):
        await live.chat(ann, f"message {number}", session_id=session_id)

    async def page(query: str = "") -> dict[str, Any]:
        return (await ask(live, ann, "GET", f"/sessions/{session_id}/messages{query}")).json()

    everything = (await page())["messages"]
    said = [(one["role"], one["content"]) for one in everything]
    expected = [(f"message {n}", "hello there") for n in range(3)]
    assert said == [pair for a, b in expected for pair in (("user", a), ("assistant", b))]
    for limit in range(1, 7):
        for offset in range(8):
            part = await page(f"?limit={limit}&offset={offset}")
            assert part["messages"] == everything[offset : offset + limit]
            assert part["has_more"] == (offset + limit < len(everything))
    refused = await ask(live, ann, "GET", f"/sessions/{session_id}/messages?limit=0")
    assert refused.status_code == 422
