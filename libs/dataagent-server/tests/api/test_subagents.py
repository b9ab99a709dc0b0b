"""`/api/v1/subagents`, sub-agents in `/agents`, and the tenant's defaults for them."""

from functools import partial
from typing import Any

import pytest
from eventually import eventually
from live_server import Caller, LiveServer

from dataagent_core.engine.user_message import UserMessage
from dataagent_server.agents.subagents.statistics_rows import Invocation, add_invocation
from dataagent_server.runs.history.activities import rebuild_activities

BODY: dict[str, Any] = {
    "name": "sales-analyst",
    "trigger": {"description": "Answers questions about sales", "keywords": ["sales"]},
    "system_prompt": "You know the sales tables.",
    "allowed_tools": ["ls", "read_file", "crystal_ball"],
    "rules": [{"tool": "shell", "action": "deny"}],
    "temperature": 0.25,
}


async def ask(live: LiveServer, caller: Caller, method: str, path: str, **more: Any):
    return await live.http.request(method, f"/api/v1{path}", headers=caller.headers, **more)


@pytest.mark.requirement("S2-16.4-subagents")
@pytest.mark.requirement("S2-16.4-subagents-enable")
async def test_a_sub_agent_is_made_shown_switched_replaced_and_deleted(live: LiveServer):
    ada, ann = await live.person("ada", "admin"), await live.person("ann")
    made = await ask(live, ada, "POST", "/subagents", json=BODY)
    assert made.status_code == 201
    shown = made.json()
    assert (shown["temperature"], shown["max_tokens"], shown["max_iterations"]) == (0.25, 4096, 10)
    assert shown["inherited"] == ["model", "max_tokens", "top_p", "max_iterations"]
    assert (shown["model"], shown["status"], shown["version"]) == ("inherit", "active", "1.0.0")
    assert shown["rules"] == [{"tool": "shell", "resource": "**", "action": "deny"}]
    assert shown["warnings"] == [
        "'allowed_tools' names 'crystal_ball', which no tool here is called."
    ]
    path = f"/subagents/{shown['id']}"
    assert (await ask(live, ann, "GET", path)).json() == shown
    assert shown in (await ask(live, ann, "GET", "/subagents")).json()["items"]
    assert (await ask(live, ada, "POST", "/subagents", json=BODY)).status_code == 409
    assert (await ask(live, ann, "PUT", path, json=BODY)).status_code == 403
    off = await ask(live, ada, "PATCH", f"{path}/enable", json={"enabled": False})
    assert (off.json()["enabled"], off.json()["status"]) == (False, "disabled")
    replaced = await ask(live, ada, "PUT", path, json=BODY | {"display_name": "Sales"})
    assert (replaced.json()["version"], replaced.json()["enabled"]) == ("1.0.1", False)
    assert (await ask(live, ada, "DELETE", path)).status_code == 204
    assert (await ask(live, ada, "GET", path)).status_code == 404


@pytest.mark.parametrize("place", ["subagents", "agents"])
async def test_a_change_keeps_what_it_does_not_name(live: LiveServer, place: str):
    ada = await live.person("ada", "admin")
    whole: dict[str, Any] = BODY | {
        "trigger": {"description": "Sales", "examples": ["Q3?"], "keywords": ["sales"]},
        "display_name": "Sales", "model": "inherit", "color": "green", "allowed_skills": ["a"],
        "allowed_mcp_servers": ["b"], "requires_tools": ["ls"], "max_tokens": 99, "top_p": 0.5,
        "max_iterations": 3, "hidden": True, "enabled": False, "version": "2.0.0",
    }  # fmt: skip
    made = (await ask(live, ada, "POST", "/subagents", json=whole)).json()
    path = f"/{place}/{made['id']}"
    kind = {"kind": "subagent"} if place == "agents" else {}
    change = kind | {"name": "other", "trigger": {"description": "All"}, "system_prompt": "Sell."}
    # What is unset is named.
    change |= {"max_tokens": None, "allowed_tools": None, "version": None}
    changed = await ask(live, ada, "PUT", path, json=change)
    assert changed.status_code == 200, changed.text
    shown = (await ask(live, ada, "GET", f"/subagents/{made['id']}")).json()
    different = {name for name in made if shown[name] != made[name]}
    assert different == {"name", "description", "trigger", "system_prompt", "version", "warnings",
                         "max_tokens", "inherited", "allowed_tools", "updated_at"}  # fmt: skip
    assert shown["trigger"] == whole["trigger"] | {"description": "All"}


async def test_the_collection_of_agents_has_both_kinds(live: LiveServer):
    ada = await live.person("ada", "admin")
    made = await ask(live, ada, "POST", "/agents", json=BODY | {"kind": "subagent"})
    assert made.status_code == 201
    shown = made.json()
    assert (shown["kind"], shown["name"]) == ("subagent", "sales-analyst")
    path = f"/agents/{shown['agent_id']}"
    assert (await ask(live, ada, "GET", path)).json() == shown
    listed = (await ask(live, ada, "GET", "/agents")).json()["items"]
    assert (listed[0]["kind"], listed[-1]) == ("assistant", shown)
    changed = await ask(live, ada, "PUT", path, json=BODY | {"kind": "subagent", "hidden": True})
    assert changed.json()["subagent"]["hidden"] is True
    for method in ("PUT", "PATCH"):
        refused = await ask(live, ada, method, path, json={"name": "Mine"})
        assert (refused.status_code, refused.json()["error_code"]) == (409, "CONFLICT")
    assert (await ask(live, ada, "DELETE", path)).status_code == 204
    assert (await ask(live, ada, "GET", path)).status_code == 404


async def test_what_cannot_be_used_is_refused(live: LiveServer):
    ada = await live.person("ada", "admin")
    for odd in (
        {"name": "Not a name"},
        {"temperature": 2.5},
        {"max_tokens": 0},
        {"max_iterations": 0},
        {"model": "scripted:x"},
        {"color": "plaid"},
        {"trigger": {"description": ""}},
        {"system_prompt": ""},
        {"no_such_field": 1},
    ):
        refused = await ask(live, ada, "POST", "/subagents", json=BODY | odd)
        assert refused.status_code == 422, odd
    missing = BODY | {"project_id": "nowhere"}
    assert (await ask(live, ada, "POST", "/subagents", json=missing)).status_code == 404


async def test_the_tenants_defaults_are_everybodys_to_see_and_admins_to_change(live: LiveServer):
    ada, ann = await live.person("ada", "admin"), await live.person("ann")
    path = "/tenant/agent-config"
    made = (await ask(live, ada, "POST", "/subagents", json=BODY)).json()
    config = {"temperature": 1.5, "max_tokens": 99, "max_depth": 3}
    changed = await ask(live, ada, "PUT", path, json=config)
    assert changed.status_code == 200
    assert (await ask(live, ann, "GET", path)).json() == changed.json()
    assert (changed.json()["max_tokens"], changed.json()["model"]) == (99, None)
    shown = (await ask(live, ada, "GET", f"/subagents/{made['id']}")).json()
    assert (shown["max_tokens"], shown["temperature"]) == (99, 0.25)
    assert (await ask(live, ann, "PUT", path, json=config)).status_code == 403
    assert (await ask(live, ada, "PUT", path, json={"max_depth": 9})).status_code == 422


@pytest.mark.requirement("S2-14.3-activities")
@pytest.mark.requirement("S2-16.4-subagents-stats")
async def test_a_delegated_task_leaves_its_calls_its_report_and_statistics(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    ada = await live.person("ada", "admin")
    eve = await live.person("eve", "owner", await live.tenant("other"))
    asked = await live.chat(ann, "delegate")
    session_id, path = asked["session_id"], "/agents/general-purpose/activities"
    await live.http.post(
        f"/api/v1/requests/{asked['events'][-1]['interrupt_id']}",
        json={"decision": {"type": "approve"}},
        headers=ann.headers,
    )

    async def has_reported() -> bool:
        shown = (await ask(live, ann, "GET", path)).json()["items"]
        return any(row["output_data"].get("report") for row in shown)

    await eventually(has_reported)
    rows = (await ask(live, ann, "GET", path)).json()["items"]
    (task,) = (row for row in rows if row["type"] == "subagent")
    parts = [row for row in rows if row["type"] != "subagent"]
    assert (task["name"], task["status"]) == ("general-purpose", "completed")
    assert task["input_data"] == {"task": "look around"}
    assert "looked" in task["output_data"]["report"]
    assert task["session_id"] == session_id
    assert sorted(row["type"] for row in parts) == ["model_call", "model_call", "tool_call"]
    assert {(row["parent_activity_id"], row["status"]) for row in parts} == {
        (task["id"], "completed")
    }
    used = [row["total_tokens"] for row in parts if row["type"] == "model_call"]
    assert task["total_tokens"] == sum(used) > 0
    first = (await ask(live, ann, "GET", f"{path}?limit=3")).json()
    rest = (await ask(live, ann, "GET", f"{path}?limit=3&after={first['next']}")).json()
    assert [*first["items"], *rest["items"]] == rows
    assert (await ask(live, ada, "GET", path)).json()["items"] == rows
    assert (await ask(live, ann, "GET", "/agents/default/activities")).json()["items"] == rows
    for stranger in (bob, eve):
        assert (await ask(live, stranger, "GET", path)).json()["items"] == []
    tenant_id, database = ann.who.tenant_id, live.services.database
    await database.write(lambda c: rebuild_activities(c, tenant_id, session_id))
    assert (await ask(live, ann, "GET", path)).json()["items"] == rows
    await live.http.post(f"/api/v1/chat/{session_id}/cancel", headers=ann.headers)
    await live.reached(ann, session_id, "cancelled")
    await live.http.delete(f"/api/v1/sessions/{session_id}", headers=ann.headers)
    assert (await ask(live, ada, "GET", path)).json()["items"] == []


async def test_what_was_done_belongs_to_the_sub_agent_of_its_tier_also_after_a_new_name(
    live: LiveServer,
):
    ada = await live.person("ada", "admin")
    project = (await ask(live, ada, "POST", "/projects", json={"name": "P"})).json()["project_id"]
    bodies = [BODY, BODY | {"project_id": project}]
    ids = [(await ask(live, ada, "POST", "/subagents", json=one)).json()["id"] for one in bodies]
    message = "@sales-analyst how are you?"
    sessions = [
        (await live.chat(ada, message, **where))["session_id"]
        for where in ({}, {"project_id": project})
    ]

    async def list_tasks() -> list[list[tuple[str, str]]]:
        found = [await ask(live, ada, "GET", f"/agents/{one}/activities") for one in ids]
        return [
            [(row["session_id"], row["status"]) for row in one.json()["items"] if _is_task(row)]
            for one in found
        ]

    done = [[(session_id, "completed")] for session_id in sessions]
    assert await list_tasks() == done
    renamed = BODY | {"name": "sales-expert"}
    assert (await ask(live, ada, "PUT", f"/subagents/{ids[0]}", json=renamed)).status_code == 200
    for session_id in sessions:
        rebuild = partial(rebuild_activities, tenant_id=ada.who.tenant_id, session_id=session_id)
        await live.services.database.write(rebuild)
    assert await list_tasks() == done


async def test_what_a_deleted_sub_agent_did_is_found_by_its_id(live: LiveServer):
    ada, ann = await live.person("ada", "admin"), await live.person("ann")
    bob = await live.person("bob")
    eve = await live.person("eve", "owner", await live.tenant("other"))
    made = (await ask(live, ada, "POST", "/subagents", json=BODY)).json()["id"]
    await live.chat(ann, "@sales-analyst how are you?")
    places = (f"/agents/{made}/activities", f"/subagents/{made}/stats")
    before = [(await ask(live, ann, "GET", one)).json() for one in places]
    (task,) = (row for row in before[0]["items"] if _is_task(row))
    assert (task["metadata"]["confidence"], bool(task["metadata"]["reason"])) == (1.0, True)
    assert before[1]["total_invocations"] == 1
    assert (await ask(live, ada, "DELETE", f"/subagents/{made}")).status_code == 204
    for caller in (ann, ada):
        assert [(await ask(live, caller, "GET", one)).json() for one in places] == before
    assert (await ask(live, bob, "GET", places[0])).json()["items"] == []
    for missing in (*places, f"/agents/{made}"):
        assert (await ask(live, eve, "GET", missing)).status_code == 404
    for gone in (f"/agents/{made}", f"/subagents/{made}"):
        assert (await ask(live, ann, "GET", gone)).status_code == 404
    assert (await ask(live, ada, "GET", "/agents/nobody/activities")).status_code == 404


def _is_task(row: dict[str, Any]) -> bool:
    return row["type"] == "subagent"


@pytest.mark.parametrize("name", ["code-reviewer", "general-purpose"])
async def test_a_built_in_one_has_statistics_too(live: LiveServer, name: str):
    ann = await live.person("ann")
    one = Invocation(day="2026-11-18", succeeded=True, duration_ms=40, tokens=10, cost=0.5)
    tenant_id, path = ann.who.tenant_id, f"/subagents/{name}"
    unused = (await ask(live, ann, "GET", f"{path}/stats")).json()
    assert (unused["total_invocations"], unused["total_tokens"], unused["by_day"]) == (0, 0, [])
    await live.services.database.write(lambda c: add_invocation(c, tenant_id, name, one))
    assert (await ask(live, ann, "GET", f"{path}/stats")).json() == {
        "total_invocations": 1,
        "success_rate": 1.0,
        "avg_execution_time_ms": 40.0,
        "total_tokens": 10,
        "total_cost": 0.5,
        "by_day": [{"day": "2026-11-18", "invocations": 1, "tokens": 10, "cost": 0.5}],
    }
    if name == "code-reviewer":
        assert (await ask(live, ann, "GET", path)).json()["total_invocations"] == 1


@pytest.mark.requirement("S2-16.4-subagents-match")
async def test_the_router_says_who_would_get_a_message_and_why(live: LiveServer):
    ada = await live.person("ada", "admin")
    body = BODY | {"trigger": {"description": "Knows sales", "keywords": ["quarterly sales"]}}
    made = (await ask(live, ada, "POST", "/subagents", json=body)).json()
    path, message = "/subagents/match", {"message": "How were the quarterly sales?"}
    found = (await ask(live, ada, "POST", path, json=message)).json()
    assert (found["chosen"], found["decided_by"]) == (["sales-analyst"], "rules")
    assert made["id"] in [one["id"] for one in found["candidates"]]
    await ask(live, ada, "PATCH", f"/subagents/{made['id']}/enable", json={"enabled": False})
    found = (await ask(live, ada, "POST", path, json=message)).json()
    (off,) = (one for one in found["candidates"] if one["id"] == made["id"])
    assert "sales-analyst" not in found["chosen"]
    assert "disabled" in off["excluded"]
    nowhere = message | {"project_id": "nowhere"}
    assert (await ask(live, ada, "POST", path, json=nowhere)).status_code == 404


@pytest.mark.requirement("S2-14.3-invoke")
async def test_an_invoked_sub_agent_gets_the_task_once(live: LiveServer):
    ada = await live.person("ada", "admin")
    made = (await ask(live, ada, "POST", "/subagents", json=BODY)).json()
    path, key = f"/agents/{made['id']}/invoke", {"Idempotency-Key": "once"}
    started = [
        await live.http.post(f"/api/v1{path}", json={"message": "look"}, headers=ada.headers | key)
        for _ in range(2)
    ]
    assert [one.status_code for one in started] == [202, 202]
    assert started[0].json() == started[1].json()
    run = await live.run_of(ada, started[0].json()["session_id"])
    assert run.run_id == started[0].json()["run_id"]
    stored = await live.services.runs.service.run(ada.who, run.run_id)
    assert stored.context["subagents"]["use"] == ["sales-analyst"]
    assistant = await ask(live, ada, "POST", "/agents/default/invoke", json={"message": "hi"})
    assert assistant.status_code == 202
    await ask(live, ada, "PATCH", f"/subagents/{made['id']}/enable", json={"enabled": False})
    off = await ask(live, ada, "POST", path, json={"message": "look"})
    assert (off.status_code, off.json()["error_code"]) == (409, "CONFLICT")
    explorer = await ask(
        live, ada, "POST", "/agents/memory-explorer/invoke", json={"message": "look"}
    )
    assert explorer.status_code == 202


async def test_a_message_says_which_of_its_words_are_a_persons(live: LiveServer):
    ada = await live.person("ada", "admin")
    context = {"own_words_chars": 4, "others_words_from": "standard input"}
    body = {"message": "look\n\n@code-reviewer", "context": context}
    answer = await ask(live, ada, "POST", "/chat", json=body)
    assert answer.status_code == 200
    run = await live.run_of(ada, answer.json()["session_id"])
    stored = await live.services.runs.service.run(ada.who, run.run_id)
    assert stored.context == context
    assert UserMessage.of(stored.text, stored.context).find_named({"code-reviewer"}) == frozenset()
    for wrong in ({"own_words_chars": -1}, {"background_task": {}}):
        refused = await ask(live, ada, "POST", "/chat", json={**body, "context": wrong})
        assert refused.status_code == 422
