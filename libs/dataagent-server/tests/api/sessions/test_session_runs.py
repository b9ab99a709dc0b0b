"""The runs of a session over REST and under S2's name, in pages."""

from talking import Talk


async def test_runs_are_paged_and_what_waits_shows_its_message(talk: Talk):
    ann = await talk.person()
    session_id = await talk.session(ann)
    await talk.chat(ann, "write it", session_id=session_id)
    for text in ("first", "second"):
        async with talk.http.stream(
            "POST",
            "/api/v1/agent/chat",
            json={"message": text, "conversation_id": session_id},
            headers=ann.headers,
        ) as answer:
            assert answer.status_code == 200
    base = f"/api/v1/sessions/{session_id}/runs"

    async def get(path: str):
        found = await talk.http.get(path, headers=ann.headers)
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
    cancelled = await talk.http.post(f"/api/v1/runs/{last}/cancel", headers=ann.headers)
    assert cancelled.status_code == 200
    still = await get(f"{base}?only_open=true")
    assert [run["status"] for run in still["items"]] == ["waiting_approval", "queued"]
    assert (await get(f"/api/v1/runs/{still['items'][1]['run_id']}"))["queued_message"] == "first"


async def test_a_persons_runs_by_project_and_by_being_open(talk: Talk):
    ann = await talk.person(role="admin")
    made = await talk.http.post("/api/v1/projects", json={"name": "Sales"}, headers=ann.headers)
    project_id = made.json()["project_id"]
    inside = await talk.session(ann, project_id=project_id)
    await talk.chat(ann, "hi", session_id=inside)
    await talk.chat(ann, "hi")
    await talk.chat(ann, "write it", session_id=inside)

    async def get(query: str):
        found = await talk.http.get(f"/api/v1/runs{query}", headers=ann.headers)
        assert found.status_code == 200, found.text
        return found.json()["items"]

    assert len(await get("")) == 3
    there = await get(f"?project_id={project_id}")
    assert [run["session_id"] for run in there] == [inside, inside]
    open_ones = await get(f"?project_id={project_id}&only_open=true")
    assert open_ones == [there[0]]
    assert there[0]["status"] == "waiting_approval"
    bob = await talk.person("bob")
    theirs = await talk.http.get(f"/api/v1/runs?project_id={project_id}", headers=bob.headers)
    assert theirs.json()["items"] == []
