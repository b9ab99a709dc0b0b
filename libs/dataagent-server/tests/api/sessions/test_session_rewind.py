"""`/sessions/{id}/rewind` and `/changes`: whose files go back, and when not."""

from pathlib import Path
from typing import Any

import pytest
from talking import Caller, Talk
from waiting import eventually

from dataagent_server.workspaces.agent_workspace import get_user_default_workspace_path


async def workspace_of(talk: Talk, caller: Caller) -> Path:
    store = talk.services.workspaces.store
    return await get_user_default_workspace_path(store, caller.who.tenant_id, caller.who.user_id)


async def asked_to_write(talk: Talk, caller: Caller, session_id: str) -> str:
    """Let the agent ask whether it may write a file; returns the question's id."""
    await talk.chat(caller, "write it", session_id=session_id)
    answer = await talk.http.get(f"/api/v1/sessions/{session_id}/requests", headers=caller.headers)
    return answer.json()["requests"][0]["interrupt_id"]


async def written(talk: Talk, caller: Caller, session_id: str) -> str:
    """Let the agent write /a.txt; returns the message that made it."""
    request = await asked_to_write(talk, caller, session_id)
    body = {"decision": {"type": "approve"}}
    answer = await talk.http.post(f"/api/v1/requests/{request}", json=body, headers=caller.headers)
    assert answer.status_code == 200, answer.text
    run = await talk.reached(caller, session_id, "completed")
    return f"{run.run_id}:m0"


async def rewind(talk: Talk, caller: Caller, session_id: str, **body: Any) -> Any:
    path = f"/api/v1/sessions/{session_id}/rewind"
    return await talk.http.post(path, json=body, headers=caller.headers)


@pytest.mark.requirement("F8-5-rewind-server")
async def test_what_an_agent_wrote_is_shown_and_goes_back(talk: Talk):
    ann = await talk.person()
    session_id = await talk.session(ann)
    message_id = await written(talk, ann, session_id)
    file = await workspace_of(talk, ann) / "a.txt"
    assert file.read_text() == "hi"
    changes = f"/api/v1/sessions/{session_id}/changes"
    shown = (await talk.http.get(changes, headers=ann.headers)).json()
    [change] = shown["files"]
    assert (change["path"], change["operation"], change["why"]) == ("/a.txt", "write", None)
    assert "+hi" in change["diff"]
    answer = await rewind(talk, ann, session_id, message_id=message_id)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "message_id": message_id, "restored": [], "removed": ["/a.txt"], "kept": [], "notices": [],
    }  # fmt: skip
    assert not file.exists()
    assert (await talk.http.get(changes, headers=ann.headers)).json()["files"] == []
    events = await talk.http.get(f"/api/v1/sessions/{session_id}/events", headers=ann.headers)
    last = events.json()["events"][-1]
    assert (last["event_type"], last["operation"], last["run_id"]) == (
        "file_operation", "delete", "",
    )  # fmt: skip


@pytest.mark.requirement("F8-5-rewind-server")
async def test_a_rewind_is_refused_while_a_run_waits(talk: Talk):
    ann = await talk.person()
    session_id = await talk.session(ann)
    await asked_to_write(talk, ann, session_id)
    answer = await rewind(talk, ann, session_id)
    assert (answer.status_code, answer.json()["error_code"]) == (409, "SESSION_BUSY")


async def test_a_file_somebody_uploaded_since_is_listed_and_left(talk: Talk):
    ann = await talk.person()
    session_id = await talk.session(ann)
    await written(talk, ann, session_id)
    file = await workspace_of(talk, ann) / "a.txt"
    file.write_text("by ann")
    answer = await rewind(talk, ann, session_id)
    assert answer.json()["kept"] == [{"path": "/a.txt", "why": "changed", "detail": ""}]
    assert file.read_text() == "by ann"


@pytest.mark.requirement("F8-5-rewind-server")
async def test_only_its_owner_may_take_a_session_back(talk: Talk):
    ann = await talk.person()
    session_id = await talk.session(ann)
    await written(talk, ann, session_id)
    bob, boss = await talk.person("bob"), await talk.person("boss", "admin")
    stranger = await talk.person("eve", tenant_id=await talk.tenant("elsewhere"))
    changes = f"/api/v1/sessions/{session_id}/changes"
    for caller, status in ((bob, 403), (boss, 403), (stranger, 404)):
        assert (await rewind(talk, caller, session_id)).status_code == status
    for caller, status in ((bob, 403), (boss, 200), (stranger, 404)):
        found = await talk.http.get(changes, headers=caller.headers)
        assert found.status_code == status
    assert (await workspace_of(talk, ann) / "a.txt").exists()


async def test_a_message_nobody_sent_is_404_and_no_id_is_422(talk: Talk):
    ann = await talk.person()
    session_id = await talk.session(ann)
    assert (await rewind(talk, ann, session_id, message_id="nobody:m0")).status_code == 404
    assert (await rewind(talk, ann, session_id)).status_code == 404
    assert (await rewind(talk, ann, session_id, message_id="../x")).status_code == 422


async def test_the_room_of_what_went_is_given_back(talk: Talk):
    ann = await talk.person()
    session_id = await talk.session(ann)
    await written(talk, ann, session_id)

    async def used() -> int:
        answer = await talk.http.get("/api/v1/workspaces", headers=ann.headers)
        [workspace] = answer.json()["items"]
        return workspace["current_file_count"]

    before = await used()
    await rewind(talk, ann, session_id)

    async def one_less() -> bool:
        return await used() == before - 1

    await eventually(one_less)
