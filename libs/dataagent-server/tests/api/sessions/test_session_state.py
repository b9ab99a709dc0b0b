"""`GET /sessions/{id}/state`: S0's `SessionState`, rebuilt from the log."""

from typing import Any

from talking import TODO, Caller, Talk


async def state(talk: Talk, caller: Caller, session_id: str) -> dict[str, Any]:
    path = f"/api/v1/sessions/{session_id}/state"
    answer = await talk.http.get(path, headers=caller.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_to_do_list_is_the_last_one_the_agent_wrote(talk: Talk):
    ann = await talk.person()
    session_id = await talk.session(ann)
    nothing: dict[str, Any] = {
        "thread_id": session_id, "auto_approve": False, "current_todos": [],
    }  # fmt: skip
    assert await state(talk, ann, session_id) == nothing
    answer = await talk.chat(ann, "todo", session_id=session_id)
    written = [e["todos"] for e in answer["events"] if e["event_type"] == "todo_update"]
    assert written == [[TODO | {"status": status}] for status in ("in_progress", "completed")]
    # It outlives the run, and the next one that does not plan.
    await talk.chat(ann, "hi", session_id=session_id)
    assert await state(talk, ann, session_id) == nothing | {"current_todos": written[-1]}
    elsewhere = await talk.session(ann)
    assert (await state(talk, ann, elsewhere))["current_todos"] == []


async def test_only_a_session_in_auto_mode_approves_by_itself(talk: Talk):
    ann = await talk.person()
    session_id = await talk.session(ann)
    seen: list[bool] = []
    for mode in ("plan", "auto", "ask"):
        path = f"/api/v1/sessions/{session_id}/mode"
        await talk.http.put(path, json={"mode": mode}, headers=ann.headers)
        seen.append((await state(talk, ann, session_id))["auto_approve"])
    assert seen == [False, True, False]
