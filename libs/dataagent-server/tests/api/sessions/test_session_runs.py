"""The runs of a session over REST and under S2's name, in pages."""

from live_server import LiveServer


async def test_runs_are_paged_and_what_waits_shows_its_message(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    await live.chat(ann, "write it", session_id=session_id)
    for text in ("first", "second"):
        async with live.http.stream(
            "POST",
            "/api/v1/agent/chat",
            json={"message": text, "conversation_id": session_id},
            headers=ann.headers,
        ) as answer:
            assert answer.status_code == 200
    base = f"/api/v1/sessions/{session_id}/runs"

    async def get(path: str):
        found = await live.http.get(path, headers=ann.headers)
        assert found.status_code == 200, found.text
        return found.json()

    whole = await get(base)
    assert [run["queued_message"] for run in whole["items"]] == [None, "first", "second"]
    page = await get(f"{base}?limit=2")
    rest = await get(f"{base}?limit=2&after={page['next']}")
    assert page["items"] + rest["items"] == whole["items"]
    assert rest["next"] is None
    assert await get(f"/api/v1/agent/conversations/{session_id}/runs") == whole
    last = whole["items"][-1]["run_id"]
    cancelled = await live.http.post(f"/api/v1/runs/{last}/cancel", headers=ann.headers)
    assert cancelled.status_code == 200
    still = await get(f"{base}?only_open=true")
    assert [run["status"] for run in still["items"]] == ["waiting_approval", "queued"]
    assert (await get(f"/api/v1/runs/{still['items'][1]['run_id']}"))["queued_message"] == "first"


async def test_a_persons_runs_by_project_and_by_being_open(live: LiveServer):
    ann = await live.person(role="admin")
    made = await live.http.post("/api/v1/projects", json={"name": "Sales"}, headers=ann.headers)
    project_id = made.json()["project_id"]
    inside = await live.session(ann, project_id=project_id)
    await live.chat(ann, "hi", session_id=inside)
    await live.chat(ann, "hi")
    await live.chat(ann, "write it", session_id=inside)

    async def get(query: str):
        found = await live.http.get(f"/api/v1/runs{query}", headers=ann.headers)
        assert found.status_code == 200, found.text
        return found.json()["items"]

    assert len(await get("")) == 3
    there = await get(f"?project_id={project_id}")
    assert [run["session_id"] for run in there] == [inside, inside]
    open_ones = await get(f"?project_id={project_id}&only_open=true")
    assert open_ones == [there[0]]
    assert there[0]["status"] == "waiting_approval"
    bob = await live.person("bob")
    theirs = await live.http.get(f"/api/v1/runs?project_id={project_id}", headers=bob.headers)
    assert theirs.json()["items"] == []
