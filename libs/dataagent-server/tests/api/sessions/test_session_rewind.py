"""`/sessions/{id}/rewind` and `/changes`: whose files go back, and when not."""

from pathlib import Path
from typing import Any

import pytest
from eventually import eventually
from live_server import Caller, LiveServer

from dataagent_server.workspaces.agent_workspace import get_user_default_workspace_path


async def workspace_of(live: LiveServer, caller: Caller) -> Path:
    store = live.services.workspaces.store
    return await get_user_default_workspace_path(store, caller.who.tenant_id, caller.who.user_id)


async def asked_to_write(live: LiveServer, caller: Caller, session_id: str) -> str:
    """Let the agent ask whether it may write a file; returns the question's id."""
    await live.chat(caller, "write it", session_id=session_id)
    answer = await live.http.get(f"/api/v1/sessions/{session_id}/requests", headers=caller.headers)
    return answer.json()["requests"][0]["interrupt_id"]


async def written(live: LiveServer, caller: Caller, session_id: str) -> str:
    """Let the agent write /a.txt; returns the message that made it."""
    request = await asked_to_write(live, caller, session_id)
    body = {"decision": {"type": "approve"}}
    answer = await live.http.post(f"/api/v1/requests/{request}", json=body, headers=caller.headers)
    assert answer.status_code == 200, answer.text
    run = await live.reached(caller, session_id, "completed")
    return f"{run.run_id}:m0"


async def rewind(live: LiveServer, caller: Caller, session_id: str, **body: Any) -> Any:
    path = f"/api/v1/sessions/{session_id}/rewind"
    return await live.http.post(path, json=body, headers=caller.headers)


@pytest.mark.requirement("F8-5-rewind-server")
async def test_what_an_agent_wrote_is_shown_and_goes_back(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    message_id = await written(live, ann, session_id)
    file = await workspace_of(live, ann) / "a.txt"
    assert file.read_text() == "hi"
    changes = f"/api/v1/sessions/{session_id}/changes"
    shown = (await live.http.get(changes, headers=ann.headers)).json()
    [change] = shown["files"]
    assert (change["path"], change["operation"], change["why"]) == ("/a.txt", "write", None)
    assert "+hi" in change["diff"]
    answer = await rewind(live, ann, session_id, message_id=message_id)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "message_id": message_id, "restored": [], "removed": ["/a.txt"], "kept": [], "notices": [],
    }  # fmt: skip
    assert not file.exists()
    assert (await live.http.get(changes, headers=ann.headers)).json()["files"] == []
    events = await live.http.get(f"/api/v1/sessions/{session_id}/events", headers=ann.headers)
    last = events.json()["events"][-1]
    assert (last["event_type"], last["operation"], last["run_id"]) == (
        "file_operation", "delete", "",
    )  # fmt: skip


@pytest.mark.requirement("F8-5-rewind-server")
async def test_a_rewind_is_refused_while_a_run_waits(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    await asked_to_write(live, ann, session_id)
    answer = await rewind(live, ann, session_id)
    assert (answer.status_code, answer.json()["error_code"]) == (409, "SESSION_BUSY")


async def test_a_file_somebody_uploaded_since_is_listed_and_left(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    await written(live, ann, session_id)
    file = await workspace_of(live, ann) / "a.txt"
    file.write_text("by ann")
    answer = await rewind(live, ann, session_id)
    assert answer.json()["kept"] == [{"path": "/a.txt", "why": "changed", "detail": ""}]
    assert file.read_text() == "by ann"


@pytest.mark.requirement("F8-5-rewind-server")
async def test_only_its_owner_may_take_a_session_back(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    await written(live, ann, session_id)
    bob, boss = await live.person("bob"), await live.person("boss", "admin")
    stranger = await live.person("eve", tenant_id=await live.tenant("elsewhere"))
    changes = f"/api/v1/sessions/{session_id}/changes"
    for caller, status in ((bob, 403), (boss, 403), (stranger, 404)):
        assert (await rewind(live, caller, session_id)).status_code == status
    for caller, status in ((bob, 403), (boss, 200), (stranger, 404)):
        found = await live.http.get(changes, headers=caller.headers)
        assert found.status_code == status
    assert (await workspace_of(live, ann) / "a.txt").exists()


async def test_a_message_nobody_sent_is_404_and_no_id_is_422(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    assert (await rewind(live, ann, session_id, message_id="nobody:m0")).status_code == 404
    assert (await rewind(live, ann, session_id)).status_code == 404
    assert (await rewind(live, ann, session_id, message_id="../x")).status_code == 422


async def test_the_room_of_what_went_is_given_back(live: LiveServer):
    ann = await live.person()
    session_id = await live.session(ann)
    await written(live, ann, session_id)

    async def used() -> int:
        answer = await live.http.get("/api/v1/workspaces", headers=ann.headers)
        [workspace] = answer.json()["items"]
        return workspace["current_file_count"]

    before = await used()
    await rewind(live, ann, session_id)

    async def one_less() -> bool:
        return await used() == before - 1

    await eventually(one_less)
