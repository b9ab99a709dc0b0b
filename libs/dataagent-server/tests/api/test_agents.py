"""`/api/v1/agents`: assistants of a tenant."""

from typing import Any

import pytest
from talking import Caller, Talk


async def ask(talk: Talk, caller: Caller, method: str, path: str = "", **more: Any):
    return await talk.http.request(method, f"/api/v1/agents{path}", headers=caller.headers, **more)


async def test_there_is_always_one_and_it_stays_as_it_is(talk: Talk):
    admin = await talk.person(role="admin")
    (built_in,) = (await ask(talk, admin, "GET")).json()["items"]
    assert (built_in["agent_id"], built_in["kind"], built_in["built_in"]) == (
        "default",
        "assistant",
        True,
    )
    assert (await ask(talk, admin, "GET", "/default")).json() == built_in
    mine = {"json": {"name": "Mine"}}
    for method, more in (("PATCH", mine), ("PUT", mine), ("DELETE", {})):
        assert (await ask(talk, admin, method, "/default", **more)).status_code == 409
    taken = await ask(talk, admin, "POST", json={"agent_id": "default", "name": "Mine"})
    assert taken.status_code == 409


async def test_an_agent_is_made_changed_used_and_deleted(talk: Talk):
    ann = await talk.person()
    body = {"agent_id": "sales", "name": "Sales", "options": {"enable_shell": False}}
    made = await ask(talk, ann, "POST", json=body)
    assert made.status_code == 201
    assert made.json()["options"]["enable_shell"] is False
    assert (await ask(talk, ann, "POST", json=body)).status_code == 409
    changed = await ask(talk, ann, "PATCH", "/sales", json={"description": "Knows sales"})
    assert (changed.json()["name"], changed.json()["description"]) == ("Sales", "Knows sales")
    assert (await ask(talk, ann, "GET", "/sales")).json() == changed.json()
    answer = await talk.chat(ann, assistant_id="sales")
    assert answer["events"][0]["assistant_id"] == "sales"
    await ask(talk, ann, "PATCH", "/sales", json={"is_active": False})
    off = await talk.http.post(
        "/api/v1/chat", json={"message": "hi", "assistant_id": "sales"}, headers=ann.headers
    )
    assert (off.status_code, off.json()["error_code"]) == (409, "CONFLICT")
    assert (await ask(talk, ann, "DELETE", "/sales")).status_code == 204
    assert (await ask(talk, ann, "GET", "/sales")).status_code == 404


async def test_a_replaced_agent_is_what_was_sent_and_nothing_of_before(talk: Talk):
    ann = await talk.person()
    before = {"name": "Sales", "system_prompt": "Be brief.", "model": "openai:gpt-5"}
    body = before | {"agent_id": "sales", "options": {"enable_shell": False}}
    made = (await ask(talk, ann, "POST", json=body)).json()
    await ask(talk, ann, "PATCH", "/sales", json={"is_active": False})
    replaced = await ask(talk, ann, "PUT", "/sales", json={"name": "All", "description": "Any"})
    assert replaced.status_code == 200
    told = replaced.json()
    assert (told["name"], told["description"], told["is_active"]) == ("All", "Any", True)
    assert (told["model"], told["system_prompt"]) == (None, None)
    assert set(told["options"].values()) == {None}
    assert (told["owner_id"], told["created_at"]) == (made["owner_id"], made["created_at"])
    assert (await ask(talk, ann, "GET", "/sales")).json() == told
    # It replaces what is there: making one is POST's.
    assert (await ask(talk, ann, "PUT", "/other", json={"name": "All"})).status_code == 404
    for wrong in ({}, {"description": "Any"}, {"name": "A", "agent_id": "other"}):
        assert (await ask(talk, ann, "PUT", "/sales", json=wrong)).status_code == 422


async def test_agents_are_listed_by_kind_and_in_pages(talk: Talk):
    ann = await talk.person()
    for number in range(3):
        await ask(talk, ann, "POST", json={"agent_id": f"a{number}", "name": "A"})
    assert (await ask(talk, ann, "GET", "?kind=subagent")).json()["items"] == []
    first = (await ask(talk, ann, "GET", "?kind=assistant&limit=2")).json()
    rest = (await ask(talk, ann, "GET", f"?limit=2&after={first['next']}")).json()
    names = [one["agent_id"] for one in [*first["items"], *rest["items"]]]
    assert names == ["default", "a0", "a1", "a2"]
    assert (await ask(talk, ann, "GET", "?kind=robot")).status_code == 422


async def test_only_its_maker_and_admins_change_an_agent(talk: Talk):
    ann, bob = await talk.person(), await talk.person("bob")
    admin, viewer = await talk.person("ada", "admin"), await talk.person("vic", "viewer")
    other = await talk.person("eve", "admin", await talk.tenant("other"))
    await ask(talk, ann, "POST", json={"agent_id": "sales", "name": "Sales"})
    for caller, status in ((bob, 403), (viewer, 403), (other, 404), (admin, 200)):
        for method in ("PATCH", "PUT"):
            changed = await ask(talk, caller, method, "/sales", json={"name": "Mine"})
            assert changed.status_code == status
    for caller, status in ((bob, 200), (viewer, 200), (other, 404)):
        assert (await ask(talk, caller, "GET", "/sales")).status_code == status
    assert (await ask(talk, viewer, "POST", json={"name": "Mine"})).status_code == 403
    assert (
        await ask(talk, other, "POST", json={"agent_id": "sales", "name": "X"})
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
        {"name": "A", "kind": "subagent"},
        {"name": "A", "system_prompt": "x" * 50_001},
        {"name": "A", "unknown": 1},
    ],
)
async def test_what_cannot_be_an_agent_is_refused(talk: Talk, body: dict[str, Any]):
    ann = await talk.person()
    assert (await ask(talk, ann, "POST", json=body)).status_code == 422
    assert len((await ask(talk, ann, "GET")).json()["items"]) == 1
