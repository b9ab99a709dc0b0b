"""`/api/v1/agents`: assistants of a tenant."""

from pathlib import Path
from typing import Any

import pytest
from live_server import Caller, LiveServer, open_live_server
from vendor import Vendor
from vendor_packages import install_modal

from tests.server.fixtures import MakeSettings


async def ask(live: LiveServer, caller: Caller, method: str, path: str = "", **more: Any):
    return await live.http.request(method, f"/api/v1/agents{path}", headers=caller.headers, **more)


async def test_there_is_always_one_and_it_stays_as_it_is(live: LiveServer):
    admin = await live.person(role="admin")
    (built_in,) = (await ask(live, admin, "GET", "?kind=assistant")).json()["items"]
    assert (built_in["agent_id"], built_in["kind"], built_in["built_in"]) == (
        "default",
        "assistant",
        True,
    )
    assert (await ask(live, admin, "GET", "/default")).json() == built_in
    mine = {"json": {"name": "Mine"}}
    for method, more in (("PATCH", mine), ("PUT", mine), ("DELETE", {})):
        assert (await ask(live, admin, method, "/default", **more)).status_code == 409
    taken = await ask(live, admin, "POST", json={"agent_id": "default", "name": "Mine"})
    assert taken.status_code == 409


@pytest.mark.requirement("S2-14.3-agents")
async def test_an_agent_is_made_changed_used_and_deleted(live: LiveServer):
    ann = await live.person()
    body = {"agent_id": "sales", "name": "Sales", "options": {"enable_shell": False}}
    made = await ask(live, ann, "POST", json=body)
    assert made.status_code == 201
    assert made.json()["options"]["enable_shell"] is False
    assert (await ask(live, ann, "POST", json=body)).status_code == 409
    changed = await ask(live, ann, "PATCH", "/sales", json={"description": "Knows sales"})
    assert (changed.json()["name"], changed.json()["description"]) == ("Sales", "Knows sales")
    assert (await ask(live, ann, "GET", "/sales")).json() == changed.json()
    answer = await live.chat(ann, assistant_id="sales")
    assert answer["events"][0]["assistant_id"] == "sales"
    await ask(live, ann, "PATCH", "/sales", json={"is_active": False})
    off = await live.http.post(
        "/api/v1/chat", json={"message": "hi", "assistant_id": "sales"}, headers=ann.headers
    )
    assert (off.status_code, off.json()["error_code"]) == (409, "CONFLICT")
    assert (await ask(live, ann, "DELETE", "/sales")).status_code == 204
    assert (await ask(live, ann, "GET", "/sales")).status_code == 404


@pytest.mark.requirement("S2-14.3-PUT")
async def test_a_replaced_agent_is_what_was_sent_and_nothing_of_before(live: LiveServer):
    ann = await live.person()
    before = {"name": "Sales", "system_prompt": "Be brief.", "model": "openai:gpt-5"}
    body = before | {"agent_id": "sales", "options": {"enable_shell": False}}
    made = (await ask(live, ann, "POST", json=body)).json()
    await ask(live, ann, "PATCH", "/sales", json={"is_active": False})
    replaced = await ask(live, ann, "PUT", "/sales", json={"name": "All", "description": "Any"})
    assert replaced.status_code == 200
    told = replaced.json()
    assert (told["name"], told["description"], told["is_active"]) == ("All", "Any", True)
    assert (told["model"], told["system_prompt"]) == (None, None)
    assert set(told["options"].values()) == {None}
    assert (told["owner_id"], told["created_at"]) == (made["owner_id"], made["created_at"])
    assert (await ask(live, ann, "GET", "/sales")).json() == told
    # It replaces what is there: making one is POST's.
    assert (await ask(live, ann, "PUT", "/other", json={"name": "All"})).status_code == 404
    for wrong in ({}, {"description": "Any"}, {"name": "A", "agent_id": "other"}):
        assert (await ask(live, ann, "PUT", "/sales", json=wrong)).status_code == 422


async def test_an_assistant_chooses_the_loop_of_its_runs(live: LiveServer):
    ann = await live.person()
    config_of = live.services.assistants.config_of
    body = {"agent_id": "sales", "name": "Sales", "options": {"loop": "staged"}}
    made = (await ask(live, ann, "POST", json=body)).json()
    assert made["options"]["loop"] == "staged"
    assert (await config_of(ann.who.tenant_id, "sales")).loop == "staged"
    await ask(live, ann, "PATCH", "/sales", json={"options": {}})
    assert (await config_of(ann.who.tenant_id, "sales")).loop == "react"


@pytest.mark.requirement("S2-14.3-list")
async def test_agents_are_listed_by_kind_and_in_pages(live: LiveServer):
    ann = await live.person()
    for number in range(3):
        await ask(live, ann, "POST", json={"agent_id": f"a{number}", "name": "A"})
    shown = (await ask(live, ann, "GET", "?kind=subagent")).json()["items"]
    assert all(one["kind"] == "subagent" for one in shown)
    first = (await ask(live, ann, "GET", "?kind=assistant&limit=2")).json()
    rest = (await ask(live, ann, "GET", f"?kind=assistant&limit=2&after={first['next']}")).json()
    names = [one["agent_id"] for one in [*first["items"], *rest["items"]]]
    assert names == ["default", "a0", "a1", "a2"]
    assert (await ask(live, ann, "GET", "?kind=robot")).status_code == 422


async def test_only_its_maker_and_admins_change_an_agent(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob")
    admin, viewer = await live.person("ada", "admin"), await live.person("vic", "viewer")
    other = await live.person("eve", "admin", await live.tenant("other"))
    await ask(live, ann, "POST", json={"agent_id": "sales", "name": "Sales"})
    for caller, status in ((bob, 403), (viewer, 403), (other, 404), (admin, 200)):
        for method in ("PATCH", "PUT"):
            changed = await ask(live, caller, method, "/sales", json={"name": "Mine"})
            assert changed.status_code == status
    for caller, status in ((bob, 200), (viewer, 200), (other, 404)):
        assert (await ask(live, caller, "GET", "/sales")).status_code == status
    assert (await ask(live, viewer, "POST", json={"name": "Mine"})).status_code == 403
    assert (
        await ask(live, other, "POST", json={"agent_id": "sales", "name": "X"})
    ).status_code == 201


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "x" * 201},
        {"name": "a\u202eb"},
        {"name": "A", "agent_id": "a/b"},
        {"name": "A", "options": {"auto_approve": True}},
        {"name": "A", "options": {"loop": "spiral"}},
        {"name": "A", "kind": "subagent"},
        {"name": "A", "system_prompt": "x" * 50_001},
        {"name": "A", "unknown": 1},
    ],
)
async def test_what_cannot_be_an_agent_is_refused(live: LiveServer, body: dict[str, Any]):
    ann = await live.person()
    assert (await ask(live, ann, "POST", json=body)).status_code == 422
    assert len((await ask(live, ann, "GET", "?kind=assistant")).json()["items"]) == 1


@pytest.mark.requirement("F16-B5-sandbox-policy")
async def test_an_assistant_cannot_choose_a_sandbox_the_operator_does_not_allow(live: LiveServer):
    admin = await live.person(role="admin")
    body: dict[str, Any] = {"agent_id": "far", "name": "Far", "options": {"sandbox_type": "modal"}}
    refused = await ask(live, admin, "POST", json=body)
    assert (refused.status_code, refused.json()["error_code"]) == (403, "PERMISSION_DENIED")
    assert "choose from local" in refused.json()["message"]
    near = body | {"options": {"sandbox_type": "local"}}
    assert (await ask(live, admin, "POST", json=near)).status_code == 201
    changed = await ask(live, admin, "PATCH", "/far", json={"options": body["options"]})
    assert changed.status_code == 403
    for wrong in ({"sandbox_type": "none"}, {"sandbox_id": "somebody-elses"}):
        assert (await ask(live, admin, "PATCH", "/far", json={"options": wrong})).status_code == 422


@pytest.mark.requirement("F16-B5-sandbox-type")
@pytest.mark.requirement("F16-B5-sandbox-policy")
async def test_an_assistant_works_in_the_sandbox_it_chose_while_that_is_allowed(
    make_settings: MakeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    vendor = Vendor(tmp_path / "vendor")
    install_modal(vendor, monkeypatch)
    async with open_live_server(make_settings(assistant_sandbox_types='["modal"]')) as live:
        ann = await live.person()
        body = {"agent_id": "far", "name": "Far", "options": {"sandbox_type": "modal"}}
        made = await ask(live, ann, "POST", json=body)
        assert made.json()["options"]["sandbox_type"] == "modal"
        asked = await live.chat(ann, "write", assistant_id="far")
        request = asked["events"][-1]["interrupt_id"]
        answer = {"decision": {"type": "approve"}}
        await live.http.post(f"/api/v1/requests/{request}", json=answer, headers=ann.headers)
        await live.reached(ann, asked["session_id"], "completed")
        assert (vendor.files() / "a.txt").read_text() == "hi"
        # The built-in one has not chosen, and works in the server's own.
        await live.chat(ann, "look")
        assert len(vendor.asked) == 1
    async with open_live_server(make_settings()) as live:
        told = await live.chat(ann, assistant_id="far")
        error = told["events"][-2]
        assert (error["code"], told["events"][-1]["reason"]) == ("PERMISSION_DENIED", "error")
        assert "DATAAGENT_ASSISTANT_SANDBOX_TYPES" in error["error"]


@pytest.mark.requirement("F16-B5-sandbox-type")
async def test_the_servers_own_sandbox_is_a_setting_and_assistants_cannot_leave_it(
    make_settings: MakeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    vendor = Vendor(tmp_path / "vendor")
    install_modal(vendor, monkeypatch)
    async with open_live_server(make_settings(sandbox_type="modal")) as live:
        ann = await live.person()
        await live.chat(ann, "look")
        assert vendor.asked == [("modal", None)]
        near = {"agent_id": "near", "name": "Near", "options": {"sandbox_type": "local"}}
        assert (await ask(live, ann, "POST", json=near)).status_code == 403
