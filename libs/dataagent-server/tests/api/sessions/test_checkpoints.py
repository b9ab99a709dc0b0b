"""Where a session's runs stood, over REST and under S2's name."""

from live_server import LiveServer


async def test_markers_are_listed_in_pages_and_shown_on_the_status(live: LiveServer):
    ann = await live.person()
    answer = await live.chat(ann, "look around")
    base = f"/api/v1/sessions/{answer['session_id']}"
    alias = f"/api/v1/agent/conversations/{answer['session_id']}"

    async def get(path: str):
        found = await live.http.get(path, headers=ann.headers)
        assert found.status_code == 200, found.text
        return found.json()

    whole = await get(f"{base}/checkpoints")
    assert [c["checkpoint_type"] for c in whole["checkpoints"]] == [
        "llm_complete", "tool_start", "tool_complete",
        "step_complete", "llm_complete", "step_complete",
    ]  # fmt: skip
    assert whole["has_more"] is False
    first = await get(f"{base}/checkpoints?limit=4")
    rest = await get(f"{base}/checkpoints?after=4")
    assert first["has_more"] is True
    assert first["checkpoints"] + rest["checkpoints"] == whole["checkpoints"]
    assert await get(f"{alias}/checkpoints") == whole
    assert (await get(f"{base}/execution-status"))["last_checkpoint"] is None
    waiting = await live.chat(ann, "write it")
    status = await get(f"/api/v1/sessions/{waiting['session_id']}/execution-status")
    assert status["last_checkpoint"]["checkpoint_type"] == "llm_complete"


async def test_a_colleague_and_a_stranger_see_no_markers(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob")
    eve = await live.person("eve", tenant_id=await live.tenant("elsewhere"))
    session_id = (await live.chat(ann, "look"))["session_id"]
    for who, status in ((bob, 403), (eve, 404)):
        path = f"/api/v1/sessions/{session_id}/checkpoints"
        assert (await live.http.get(path, headers=who.headers)).status_code == status
