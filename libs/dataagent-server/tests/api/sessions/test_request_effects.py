"""`/requests/{id}/effect` and `/requests?mine=true`: what would change, and for whom it rings."""

from pathlib import Path
from typing import Any

import pytest
from live_server import Caller, LiveServer

from dataagent_core.config.limits import DIFF_FILE_BYTES_MAX
from dataagent_server.runs.file_effects import FileEffect, file_effect
from dataagent_server.runs.run_row import RunRow
from dataagent_server.workspaces.agent_workspace import get_user_default_workspace_path


async def asked_to_write(live: LiveServer, caller: Caller, session_id: str = "x") -> str:
    """Let the agent ask whether it may write "hi" into /a.txt; returns the question's id."""
    await live.session(caller, session_id=session_id)
    await live.chat(caller, "write", session_id=session_id)
    await live.reached(caller, session_id, "waiting_approval")
    path = f"/api/v1/sessions/{session_id}/requests"
    asked = (await live.http.get(path, headers=caller.headers)).json()
    return asked["requests"][0]["interrupt_id"]


async def workspace_of(live: LiveServer, caller: Caller) -> Path:
    store = live.services.workspaces.store
    return await get_user_default_workspace_path(store, caller.who.tenant_id, caller.who.user_id)


async def effect(live: LiveServer, caller: Caller, question: str) -> Any:
    path = f"/api/v1/requests/{question}/effect"
    return await live.http.get(path, headers=caller.headers)


async def share(live: LiveServer, owner: Caller, other: Caller, permission: str) -> Any:
    path = f"/api/v1/sessions/x/shares/{other.who.user_id}"
    return await live.http.put(path, json={"permission": permission}, headers=owner.headers)


async def waiting(live: LiveServer, caller: Caller, query: str = "?mine=true") -> list[str]:
    answer = await live.http.get(f"/api/v1/requests{query}", headers=caller.headers)
    return [one["session_id"] for one in answer.json()["requests"]]


@pytest.mark.requirement("F9-3")
async def test_everybody_who_may_answer_sees_what_is_replaced_and_nobody_else(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    adam, vera = await live.person("adam", "admin"), await live.person("vera", "viewer")
    question = await asked_to_write(live, ann)
    # Somebody else writes it meanwhile; over a file it has not read the agent may not even ask.
    (await workspace_of(live, ann) / "a.txt").write_text("three\nold\nlines\n")
    assert (await effect(live, bob, question)).status_code == 403
    assert (await share(live, ann, bob, "view")).status_code == 200
    assert (await effect(live, bob, question)).status_code == 403
    await share(live, ann, bob, "answer")
    await share(live, ann, vera, "view")
    assert (await effect(live, vera, question)).status_code == 403
    for who in (ann, bob, adam):
        file = (await effect(live, who, question)).json()["file"]
        assert (file["exists"], file["removes"], file["not_compared"]) == (True, False, None)
        assert "-old" in file["diff"]
        assert "+hi" in file["diff"]


@pytest.mark.requirement("F9-3")
async def test_a_new_file_is_one_and_an_answered_request_shows_nothing_more(live: LiveServer):
    ann = await live.person("ann")
    question = await asked_to_write(live, ann)
    file = (await effect(live, ann, question)).json()["file"]
    assert (file["exists"], file["bytes_before"], file["bytes_after"]) == (False, None, 2)
    body = {"decision": {"type": "approve"}}
    await live.http.post(f"/api/v1/requests/{question}", json=body, headers=ann.headers)
    await live.reached(ann, "x", "completed")
    assert (await effect(live, ann, question)).status_code == 409


@pytest.mark.requirement("F9-3")
async def test_what_cannot_be_compared_says_so(live: LiveServer):
    ann = await live.person("ann")
    question = await asked_to_write(live, ann)
    action, run = await live.services.runs.service.find_open_request(ann.who, question)
    assert action is not None
    home = await workspace_of(live, ann)
    (home / "large.txt").write_text("a\n" * DIFF_FILE_BYTES_MAX)
    (home / "picture.png").write_bytes(b"\x89PNG\0\0")
    (home / "folder").mkdir()
    (home / "b.txt").write_text("b\n")

    async def told(tool: str, path: str, **args: Any) -> FileEffect:
        return await _told(live, run, tool, {"file_path": path, **args})

    large = await told("write_file", "/large.txt", content="small")
    assert (large.exists, large.diff, large.not_compared) == (True, None, "too_large")
    picture = await told("write_file", "/picture.png", content="no picture")
    assert (picture.exists, picture.diff, picture.not_compared) == (True, None, "not_text")
    written = await told("write_file", "/new.txt", content="a" * (DIFF_FILE_BYTES_MAX + 1))
    assert (written.exists, written.not_compared) == (False, "too_large")
    assert (await told("write_file", "/memories/AGENTS.md", content="")).not_compared == "elsewhere"
    assert (await told("write_file", "/../out", content="")).not_compared == "unreadable"
    assert (await told("delete_file", "/folder")).not_compared == "unreadable"
    missing = await told("edit_file", "/b.txt", old_string="c", new_string="d")
    assert (missing.exists, missing.not_compared) == (True, "fails")
    assert "not found" in (missing.detail or "")
    edits = [{"old_string": "b", "new_string": "c"}, {"old_string": "c", "new_string": "d"}]
    several = await told("multi_edit", "/b.txt", edits=edits)
    assert "+d" in (several.diff or "")
    gone = await told("delete_file", "/b.txt")
    assert (gone.removes, gone.exists, gone.bytes_after) == (True, True, None)
    assert "-b" in (gone.diff or "")
    same = await told("write_file", "/b.txt", content="b\n")
    assert same.diff == ""
    cut = await told("write_file", "/new.txt", content="word\n" * 20_000)
    assert cut.diff_cut


@pytest.mark.parametrize("tool", ["shell", "mcp__acme_drive__write_file", "sql_write"])
async def test_other_calls_have_their_arguments_only(live: LiveServer, tool: str):
    ann = await live.person("ann")
    _, run = await live.services.runs.service.find_open_request(
        ann.who, await asked_to_write(live, ann)
    )
    args = {"file_path": "/a.txt", "content": "x", "url": "https://elsewhere.example/"}
    action: Any = {"name": tool, "args": args, "description": ""}
    assert await file_effect(live.services.workspaces.files, run, action) is None


@pytest.mark.requirement("F9-3")
async def test_what_rings_is_ones_own_and_what_was_shared(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    adam = await live.person("adam", "admin")
    await asked_to_write(live, ann)
    assert await waiting(live, ann) == ["x"]
    assert await waiting(live, bob) == []
    assert await waiting(live, adam) == []
    assert await waiting(live, adam, "") == ["x"]
    for other in (bob, adam):
        await share(live, ann, other, "answer")
        assert await waiting(live, other) == ["x"]


async def test_who_becomes_a_viewer_is_not_rung_for(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    owner = await live.person("olga", "owner")
    await asked_to_write(live, ann)
    await share(live, ann, bob, "answer")
    path = f"/api/v1/members/{bob.who.user_id}"
    changed = await live.http.patch(path, json={"role": "viewer"}, headers=owner.headers)
    assert changed.status_code == 200, changed.text
    assert await waiting(live, bob) == []


@pytest.mark.requirement("F9-2-share")
async def test_a_viewer_cannot_be_given_the_right_to_answer_and_is_told_why(live: LiveServer):
    ann, vera = await live.person("ann"), await live.person("vera", "viewer")
    await live.session(ann, session_id="x")
    refused = await share(live, ann, vera, "answer")
    assert refused.status_code == 409
    assert "viewers answer nothing" in refused.json()["message"]
    assert (await share(live, ann, vera, "view")).status_code == 200


async def test_everybody_of_the_tenant_knows_names_and_nobody_elses(live: LiveServer):
    vera, ann = await live.person("vera", "viewer"), await live.person("ann")
    eve = await live.person("eve", "owner", await live.tenant("other"))

    async def names(who: Caller) -> dict[str, str]:
        answer = await live.http.get("/api/v1/names?limit=100", headers=who.headers)
        assert answer.status_code == 200, answer.text
        return {one["user_id"]: one["name"] for one in answer.json()["items"]}

    seen = await names(vera)
    assert (seen[ann.who.user_id], seen[vera.who.user_id]) == ("ann", "vera")
    assert await names(eve) == {eve.who.user_id: "eve"}


async def _told(live: LiveServer, run: RunRow, tool: str, args: dict[str, Any]) -> FileEffect:
    action: Any = {"name": tool, "args": args, "description": ""}
    found = await file_effect(live.services.workspaces.files, run, action)
    assert found is not None
    return found
