"""`GET /sessions/{id}/state`: S0's `SessionState`, rebuilt from the log."""

from typing import Any

from live_server import TODO, Caller, LiveServer


async def state(live: LiveServer, caller: Caller, session_id: str) -> dict[str, Any]:
    path = f"/api/v1/sessions/{session_id}/state"
    answer = await live.http.get(path, headers=caller.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_to_do_list_is_the_last_one_the_agent_wrote(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    nothing: dict[str, Any] = {
        "thread_id": session_id, "auto_approve": False, "current_todos": [],
    }  # fmt: skip
    assert await state(live, ann, session_id) == nothing
    answer = await live.chat(ann, "todo", session_id=session_id)
    written = [e["todos"] for e in answer["events"] if e["event_type"] == "todo_update"]
    assert written == [[TODO | {"status": status}] for status in ("in_progress", "completed")]
    # It outlives the run, and the next one that does not plan.
    await live.chat(ann, "hi", session_id=session_id)
    assert await state(live, ann, session_id) == nothing | {"current_todos": written[-1]}
    elsewhere = await live.session(ann)
    assert (await state(live, ann, elsewhere))["current_todos"] == []


async def test_only_a_session_in_auto_mode_approves_by_itself(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    seen: list[bool] = []
    for mode in ("plan", "auto", "ask"):
        path = f"/api/v1/sessions/{session_id}/mode"
        await live.http.put(path, json={"mode": mode}, headers=ann.headers)
        seen.append((await state(live, ann, session_id))["auto_approve"])
    assert seen == [False, True, False]
