"""Kept rules over REST, in projects, and under an operator's rules."""

from typing import Any

import pytest
from live_server import Caller, LiveServer, open_live_server

from tests.server.fixtures import MakeSettings

ALWAYS = {"decision": {"type": "approve", "scope": "always"}}


async def always(live: LiveServer, who: Caller, **where: Any) -> dict[str, Any]:
    asked = await live.chat(who, "write it", **where)
    assert asked["status"] == "waiting"
    interrupt = asked["events"][-1]["interrupt_id"]
    path = f"/api/v1/requests/{interrupt}"
    answer = await live.http.post(path, json=ALWAYS, headers=who.headers)
    assert answer.status_code == 200, answer.text
    await live.reached(who, asked["session_id"], "completed")
    return asked


async def rules(live: LiveServer, who: Caller, query: str = "") -> list[dict[str, Any]]:
    answer = await live.http.get(f"/api/v1/permissions/rules{query}", headers=who.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


async def test_an_always_is_listed_counts_in_its_project_and_is_taken_back(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob", "admin")
    eve = await live.person("eve", "owner", tenant_id=await live.tenant("elsewhere"))
    made = await live.http.post("/api/v1/projects", json={"name": "P"}, headers=ann.headers)
    project = made.json()["project_id"]
    await always(live, ann, project_id=project)
    (rule,) = await rules(live, ann)
    assert (rule["tool"], rule["resource"]) == ("write_file", "**")
    assert rule["project_id"] == project
    assert (await live.chat(ann, "write it", project_id=project))["status"] == "done"
    assert (await live.chat(ann, "write it"))["status"] == "waiting"
    assert await rules(live, bob, f"?user_id={ann.who.user_id}") == [rule]
    assert await rules(live, ann, "?project_id=other") == []
    path = f"/api/v1/permissions/rules/{rule['rule_id']}"
    assert (await live.http.delete(path, headers=eve.headers)).status_code == 404
    assert (await live.http.delete(path, headers=ann.headers)).status_code == 204
    assert (await live.http.delete(path, headers=ann.headers)).status_code == 404
    assert (await live.chat(ann, "write it", project_id=project))["status"] == "waiting"


async def test_an_operators_rule_stays_final(make_settings: MakeSettings):
    settings = make_settings()
    async with open_live_server(settings) as live:
        ann = await live.person()
        await always(live, ann)
        assert (await live.chat(ann, "write it"))["status"] == "done"
    config = '[[permissions.rules]]\naction = "ask"\ntool = "write_file"\n'
    (settings.home / "config.toml").write_text(config)
    async with open_live_server(make_settings()) as live:
        assert (await live.chat(ann, "write it"))["status"] == "waiting"


RULES = "/api/v1/permissions/rules"


async def write(live: LiveServer, who: Caller, **body: Any) -> Any:
    return await live.http.post(RULES, json=body, headers=who.headers)


async def explained(live: LiveServer, who: Caller, **body: Any) -> dict[str, Any]:
    answer = await live.http.post("/api/v1/permissions/explain", json=body, headers=who.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_written_rule_allows_and_a_deny_holds_whatever_is_allowed(live: LiveServer):
    ann = await live.person()
    assert (await write(live, ann, action="allow", tool="write_file")).status_code == 201
    assert (await live.chat(ann, "write it"))["status"] == "done"
    denied = await write(live, ann, action="deny", tool="write_file", resource="/a.txt")
    assert denied.json()["session_id"] is None
    assert (await write(live, ann, action="ask", tool="write")).status_code == 201
    assert (await write(live, ann, action="allow", tool="write_file", resource="/a.*")).is_success
    told = await live.chat(ann, "write it")
    assert told["status"] == "done"
    assert "deny write_file" in str(told["events"])
    why = await explained(live, ann, tool="write_file", resource="a.txt")
    assert (why["action"], why["rule"]["source"]) == ("deny", "person")
    listed = {(rule["action"], rule["resource"]) for rule in await rules(live, ann)}
    assert listed == {("allow", "**"), ("deny", "/a.txt"), ("ask", "**"), ("allow", "/a.*")}


async def test_who_may_write_and_take_back_whose_rules(live: LiveServer):
    tenant = await live.tenant("acme")
    ann, bob = (
        await live.person("ann", "member", tenant),
        await live.person("bob", "member", tenant),
    )
    boss = await live.person("boss", "admin", tenant)
    viewer = await live.person("vic", "viewer", tenant)
    eve = await live.person("eve", "owner", await live.tenant("elsewhere"))
    of_ann = {"action": "deny", "tool": "shell", "user_id": ann.who.user_id}
    assert (await write(live, bob, **of_ann)).status_code == 403
    assert (await write(live, viewer, action="allow", tool="shell")).status_code == 403
    assert (await write(live, eve, **of_ann)).status_code == 404
    assert (await write(live, boss, **of_ann, project_id="nothing")).status_code == 404
    made = await write(live, boss, **of_ann)
    assert made.status_code == 201
    again = await write(live, boss, **of_ann)
    assert again.json()["rule_id"] == made.json()["rule_id"]
    path = f"{RULES}/{made.json()['rule_id']}"
    assert (await live.http.delete(path, headers=ann.headers)).status_code == 403
    assert (await live.http.delete(path, headers=eve.headers)).status_code == 404
    assert (await live.http.delete(path, headers=boss.headers)).status_code == 204
    log = (await live.http.get("/api/v1/audit?action=rule.*", headers=boss.headers)).json()
    assert [entry["action"] for entry in log["items"]] == ["rule.delete", "rule.keep"]


@pytest.mark.parametrize(
    "body",
    [
        {"action": "maybe", "tool": "shell"}, {"action": "allow", "tool": ""},
        {"action": "allow", "tool": "shell", "resource": "a\x00b"},
        {"action": "allow", "tool": "shell", "resource": "a\\"}, {"action": "allow", "tool": "   "},
        {"action": "allow", "tool": "x" * 100_000}, {"action": "allow", "tool": "shell", "source": "operator"},
    ],
)  # fmt: skip
async def test_a_rule_that_cannot_be_one_is_refused(live: LiveServer, body: dict[str, Any]):
    assert (await write(live, await live.person(), **body)).status_code == 422


async def test_a_call_is_explained_part_by_part_and_for_whom_one_may_look(live: LiveServer):
    ann, bob = await live.person("ann"), await live.person("bob")
    why = await explained(live, ann, tool="shell", resource="ls && rm -rf x")
    assert (why["action"], [part["action"] for part in why["parts"]]) == ("ask", ["allow", "ask"])
    assert why["always"][0]["tool"] == "shell"
    assert (await explained(live, ann, tool="read_file", resource="/x"))["action"] == "allow"
    body = {"tool": "shell", "resource": "ls", "user_id": bob.who.user_id}
    path = "/api/v1/permissions/explain"
    assert (await live.http.post(path, json=body, headers=ann.headers)).status_code == 403


async def test_a_call_is_explained_for_people_and_projects_of_the_tenant_only(live: LiveServer):
    boss = await live.person("boss", "admin")
    eve = await live.person("eve", "owner", await live.tenant("elsewhere"))
    made = await live.http.post("/api/v1/projects", json={"name": "P"}, headers=eve.headers)
    path, call = "/api/v1/permissions/explain", {"tool": "shell", "resource": "ls"}
    for where in (
        {"user_id": eve.who.user_id}, {"user_id": "nobody"}, {"project_id": "nothing"},
        {"project_id": made.json()["project_id"]},
    ):  # fmt: skip
        answer = await live.http.post(path, json=call | where, headers=boss.headers)
        assert answer.status_code == 404, where
    assert (await explained(live, eve, **call, project_id=made.json()["project_id"]))["action"]


async def test_what_holds_for_everybody_is_shown(make_settings: MakeSettings):
    settings = make_settings()
    settings.home.mkdir(parents=True, exist_ok=True)
    config = '[[permissions.rules]]\naction = "deny"\ntool = "shell"\nresource = "rm *"\n'
    (settings.home / "config.toml").write_text(config)
    async with open_live_server(make_settings()) as live:
        boss, ann = await live.person("boss", "admin"), await live.person("ann", "viewer")
        answers = [
            await live.http.get("/api/v1/permissions/policy", headers=who.headers)
            for who in (boss, ann)
        ]
        told, policy = [answer.json() for answer in answers]
        rule = {"action": "deny", "tool": "shell", "resource": "rm *", "source": "operator"}
        assert told["operator"] == [rule]
        # Rules name paths and hosts of the installation: whom they hold back learns it by a call.
        assert (policy["operator"], policy["operator_count"]) == ([], 1)
        assert "read_file" in policy["allowed_by_default"]
        assert "write_file" in policy["groups"]["write"]
