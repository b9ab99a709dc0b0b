"""`/api/v1/tool-compositions`: tools that are called as one."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from live_server import LiveServer, open_live_server

from dataagent_core.tools.composition.composition_store import (
    CompositionExecution,
    MemberMeasure,
)
from dataagent_server.agents.compositions.agent_compositions import TenantCompositions
from dataagent_server.common.ids import DEFAULT_TENANT
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
    assert made.json()["is_offered"] is True
    assert (await ask("POST", "/validate", json=body)).json() == {"problems": []}
    wrong = body | {"tools": ["grep", "ls"], "fallback_alternatives": {"cat": ["ls"]}}
    told = (await ask("POST", "/validate", json=wrong)).json()["problems"]
    assert told == [
        "it has 2 tools and 1 steps; give each tool one step",
        "fallback_alternatives names 'cat', which is not among its tools",
    ]
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


@pytest.mark.requirement("S2-16.4-2.2-optimizer")
async def test_a_better_order_is_proposed_and_only_a_change_applies_it(live: LiveServer):
    admin = await live.person(role="admin")

    async def ask(method: str, path: str = "", **more: Any):
        return await live.http.request(
            method, f"/api/v1/tool-compositions{path}", headers=admin.headers, **more
        )

    steps = [{"args": {"path": "/a"}}, {"args": {"path": "/b"}}]
    body = {
        "name": "look_twice",
        "tools": ["ls", "glob"],
        "execution_template": {"kind": "sequential", "steps": steps},
    }
    made = (await ask("POST", json=body)).json()
    place = f"/{made['id']}"
    early = (await ask("POST", f"{place}/optimize")).json()
    assert (early["outcome"], early["tools"]) == ("measured_too_little", ["ls", "glob"])
    store = TenantCompositions(live.services.database, DEFAULT_TENANT)
    for _ in range(5):
        measures = tuple(
            MemberMeasure(tool=tool, succeeded=True, duration_ms=100) for tool in made["tools"]
        )
        await store.add(
            CompositionExecution(composition_id=made["id"], succeeded=True, members=measures)
        )
    proposed = (await ask("POST", f"{place}/optimize")).json()
    assert proposed["outcome"] == "better"
    assert (proposed["present_stages"], proposed["proposed_stages"]) == ([[1], [2]], [[1, 2]])
    assert (proposed["present_ms"], proposed["expected_ms"]) == (200, 100)
    assert (await ask("GET", place)).json()["number"] == made["number"]
    wanted = {key: proposed[key] for key in ("tools", "execution_template", "number")}
    changed = await ask("PUT", place, json=wanted)
    assert changed.json()["execution_template"]["steps"][1]["beside_previous"] is True
    assert (await ask("PUT", place, json=wanted)).status_code == 409
    assert (await ask("POST", f"{place}/optimize")).json()["outcome"] == "nothing_better"
    parallel = await ask(
        "POST",
        json=body | {"name": "both", "execution_template": {"kind": "parallel", "steps": steps}},
    )
    assert (await ask("POST", f"/{parallel.json()['id']}/optimize")).status_code == 422


async def test_a_viewer_reads_and_asks_but_changes_nothing(live: LiveServer):
    admin, viewer = await live.person(role="admin"), await live.person("vera", "viewer")
    place = "/api/v1/tool-compositions"
    body = {"name": "look_up", "tools": ["grep"], "execution_template": SEQUENCE}
    made = await live.http.post(place, headers=admin.headers, json=body)
    own = f"{place}/{made.json()['id']}"
    for method, path, sent in (
        ("POST", place, body | {"name": "other"}),
        ("PUT", own, {"description": "Mine"}),
        ("DELETE", own, None),
    ):
        answer = await live.http.request(method, path, headers=viewer.headers, json=sent)
        assert answer.status_code == 403, (method, answer.text)
    read = await live.http.get(own, headers=viewer.headers)
    assert read.json() == made.json()
