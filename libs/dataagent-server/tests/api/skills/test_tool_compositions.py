"""`/api/v1/tool-compositions`: tools that are called as one."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from live_server import LiveServer, open_live_server

from tests.server.fixtures import MakeSettings

SEQUENCE = {
    "kind": "sequential",
    "inputs": {"q": {"type": "string"}},
    "steps": [{"args": {"query": "{{input.q}}"}}],
}


@pytest.fixture
async def live(make_settings: MakeSettings) -> AsyncGenerator[LiveServer]:
    async with open_live_server(make_settings()) as running:
        yield running


async def test_one_is_made_changed_counted_and_deleted(live: LiveServer):
    admin = await live.person(role="admin")

    async def ask(method: str, path: str = "", **more: Any):
        return await live.http.request(
            method, f"/api/v1/tool-compositions{path}", headers=admin.headers, **more
        )

    body = {"name": "look_up", "tools": ["grep"], "execution_template": SEQUENCE}
    made = await ask("POST", json=body)
    assert made.status_code == 201
    place = f"/{made.json()['id']}"
    assert made.json() | body == made.json()
    assert (made.json()["usage_count"], made.json()["success_rate"]) == (0, None)
    assert (await ask("POST", json=body)).status_code == 409
    assert (await ask("POST", json=body | {"name": "two words"})).status_code == 422
    changed = await ask("PUT", place, json={"description": "Looks it up", "number": 1})
    assert (changed.json()["description"], changed.json()["number"]) == ("Looks it up", 2)
    assert (await ask("PUT", place, json={"description": "", "number": 1})).status_code == 409
    assert (await ask("GET")).json()["items"] == [changed.json()]
    assert (await ask("GET", place)).json() == changed.json()
    assert (await ask("GET", f"{place}/members")).json() == {"members": []}
    assert (await ask("DELETE", place)).status_code == 204
    assert (await ask("GET", place)).status_code == 404


async def test_executions_in_runs_add_up(live: LiveServer):
    admin = await live.person(role="admin")
    template = {
        "kind": "sequential",
        "inputs": {"place": {"type": "string"}},
        "steps": [{"args": {"path": "{{input.place}}"}}] * 2,
    }
    # The other one names a tool that no agent has: it is left out, and the run goes on.
    for name, tool in (("look_twice", "ls"), ("broken", "tool_of_nobody")):
        made = await live.http.post(
            "/api/v1/tool-compositions",
            headers=admin.headers,
            json={"name": name, "tools": [tool, tool], "execution_template": template},
        )
        assert made.status_code == 201
    for number in range(1, 4):
        session = await live.session(admin)
        await live.chat(admin, "look twice", session_id=session)
        await live.reached(admin, session, "completed")
        listed = await live.http.get("/api/v1/tool-compositions", headers=admin.headers)
        counts = {one["name"]: one["success_count"] for one in listed.json()["items"]}
        assert counts == {"look_twice": number, "broken": 0}
    listed = await live.http.get("/api/v1/tool-compositions", headers=admin.headers)
    (look,) = [one for one in listed.json()["items"] if one["name"] == "look_twice"]
    assert (look["usage_count"], look["success_rate"]) == (3, 1.0)
    path = f"/api/v1/tool-compositions/{look['id']}/members"
    (member,) = (await live.http.get(path, headers=admin.headers)).json()["members"]
    assert (member["tool"], member["calls"], member["failures"]) == ("ls", 6, 0)
