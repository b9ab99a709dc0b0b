"""Runs and workspaces over HTTP: S4's properties 2 and 3, and that the quota and deletion hold."""

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from workspace_calls import Caller, caller, code
from workspace_installation import names

from dataagent_core.ids import new_id
from dataagent_server.identity.auth.principal import Role
from tests.server.fixtures import MakeApi

NOTE = "/outputs/note.txt"


def call(tool: str, **arguments: object) -> dict[str, Any]:
    return {"tool_calls": [{"name": tool, "args": arguments}]}


SCRIPT: dict[str, Any] = {
    "scripts": [
        {"match": "look", "steps": [call("ls", path="/"), {"text": "looked"}]},
        {
            "match": "write",
            "steps": [call("write_file", file_path=NOTE, content="x" * 600), {"text": "written"}],
        },
        {
            "match": "command",
            "steps": [call("shell", command="echo here > outputs/note.txt"), {"text": "ran"}],
        },
    ]
}


@pytest.fixture
async def server(make_api: MakeApi, tmp_path: Path) -> AsyncGenerator[httpx.AsyncClient]:
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT))
    async with make_api(rate_limit_per_minute="0", model=f"scripted:{script}") as client:
        yield client


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "home/workspaces"


async def chat(person: Caller, message: str, session: str | None = None) -> list[str]:
    """Let the person's agent do something; give what its tools answered."""
    body = {"message": message, "mode": "auto"} | ({"session_id": session} if session else {})
    answer = await person.client.post("/api/v1/chat", json=body, headers={"X-API-Key": person.key})
    assert answer.status_code == 200, answer.text
    assert answer.json()["status"] == "done"
    events = answer.json()["events"]
    return [str(event["result"]) for event in events if event["event_type"] == "tool_result"]


async def last_session(person: Caller) -> str | None:
    """Give the person's last session, if they have one."""
    answer = await person.client.get("/api/v1/sessions", headers={"X-API-Key": person.key})
    found = answer.json()["items"]
    return found[0]["session_id"] if found else None


async def spaces(person: Caller) -> list[dict[str, Any]]:
    return (await person.ask("GET", "")).json()["items"]


async def note(person: Caller, space: dict[str, Any]) -> bytes | None:
    """Read the file the agent writes, in one workspace; `None` where it is not."""
    answer = await person.get(space["workspace_id"], NOTE)
    if answer.status_code == 404:
        return None
    assert answer.status_code == 200, answer.text
    return answer.content


@pytest.mark.requirement("S4-2")
@given(role=st.sampled_from(["member", "admin", "owner"]), at_once=st.integers(1, 3))
async def test_s4_2_whoever_runs_an_agent_has_a_default_workspace_before_the_run_completes(
    server: httpx.AsyncClient, base: Path, role: Role, at_once: int
):
    ann = await caller(server, f"ann-{new_id()}", role)
    assert await spaces(ann) == []
    looked = await asyncio.gather(*(chat(ann, "look around") for _ in range(at_once)))
    # The agent itself saw it, so it was there while the run was under way.
    for (listed,) in looked:
        assert all(folder in listed for folder in ("files/", "outputs/", "uploads/"))
    (only,) = await spaces(ann)
    assert only["is_default"]
    assert names(base / only["workspace_id"]) == ["files", "outputs", "uploads"]


@pytest.fixture
async def ann(server: httpx.AsyncClient) -> Caller:
    return await caller(server, "ann")


@pytest.fixture
async def three_spaces(ann: Caller) -> list[dict[str, Any]]:
    return [await ann.create(name=str(number)) for number in range(3)]


@pytest.mark.requirement("S4-3")
@given(chosen=st.integers(0, 2), again=st.booleans())
async def test_s4_3_an_agent_works_in_its_users_default_workspace(
    ann: Caller, three_spaces: list[dict[str, Any]], chosen: int, again: bool
):
    for space in three_spaces:
        one = f"/{space['workspace_id']}"
        await ann.ask("DELETE", f"{one}/files", params={"path": NOTE})
    # A session that goes on follows its user to another default, like a new one.
    session = await last_session(ann) if again else None
    default = three_spaces[chosen]["workspace_id"]
    assert (await ann.ask("POST", f"/{default}/set-default")).status_code == 200
    await chat(ann, "write it", session)
    for number, space in enumerate(three_spaces):
        assert await note(ann, space) == (b"x" * 600 if number == chosen else None)


async def test_two_users_agents_work_in_two_workspaces(server: httpx.AsyncClient, ann: Caller):
    bob = await caller(server, "bob")
    for person in (ann, bob):
        await chat(person, "write it")
    (hers,), (his,) = await spaces(ann), await spaces(bob)
    assert hers["workspace_id"] != his["workspace_id"]
    assert [one["current_size_bytes"] for one in (hers, his)] == [600, 600]
    assert code(await bob.get(hers["workspace_id"], NOTE))[0] == 403


async def test_a_command_starts_in_the_default_workspace(ann: Caller):
    await chat(ann, "run the command")
    (only,) = await spaces(ann)
    assert await note(ann, only) == b"here\n"


@pytest.mark.requirement("S0-53")
async def test_an_agents_write_beyond_the_quota_is_refused_and_nothing_is_counted(ann: Caller):
    space = await ann.create(max_size_bytes=599)
    await ann.ask("POST", f"/{space['workspace_id']}/set-default")
    (refused,) = await chat(ann, "write it")
    assert "room for 599 bytes" in refused
    assert await note(ann, space) is None
    (after,) = await spaces(ann)
    assert (after["current_size_bytes"], after["current_file_count"]) == (0, 0)
    await ann.ask("PATCH", f"/{space['workspace_id']}", json={"max_size_bytes": 600})
    await chat(ann, "write it")
    assert await note(ann, space) == b"x" * 600


async def test_a_deleted_workspace_is_gone_from_the_disk_and_another_takes_its_place(
    server: httpx.AsyncClient, base: Path, ann: Caller
):
    bob = await caller(server, "bob")
    for person in (ann, bob):
        await chat(person, "write it")
    (hers,), (his,) = await spaces(ann), await spaces(bob)
    assert code(await bob.ask("DELETE", f"/{hers['workspace_id']}"))[0] == 403
    assert (await ann.ask("DELETE", f"/{hers['workspace_id']}")).status_code == 204
    assert not (base / hers["workspace_id"]).exists()
    assert await note(bob, his) == b"x" * 600
    await chat(ann, "look around")
    (fresh,) = await spaces(ann)
    assert fresh["workspace_id"] != hers["workspace_id"]
    assert await note(ann, fresh) is None
