"""Kept rules over REST, in projects, and under an operator's rules."""

from typing import Any

from talking import Caller, Talk, talking

from tests.server.fixtures import MakeSettings

ALWAYS = {"decision": {"type": "approve", "scope": "always"}}


async def always(talk: Talk, who: Caller, **where: Any) -> dict[str, Any]:
    asked = await talk.chat(who, "write it", **where)
    assert asked["status"] == "waiting"
    interrupt = asked["events"][-1]["interrupt_id"]
    path = f"/api/v1/requests/{interrupt}"
    answer = await talk.http.post(path, json=ALWAYS, headers=who.headers)
    assert answer.status_code == 200, answer.text
    await talk.reached(who, asked["session_id"], "completed")
    return asked


async def rules(talk: Talk, who: Caller, query: str = "") -> list[dict[str, Any]]:
    answer = await talk.http.get(f"/api/v1/permissions/rules{query}", headers=who.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


async def test_an_always_is_listed_counts_in_its_project_and_is_taken_back(talk: Talk):
    ann, bob = await talk.person(), await talk.person("bob", "admin")
    eve = await talk.person("eve", "owner", tenant_id=await talk.tenant("elsewhere"))
    made = await talk.http.post("/api/v1/projects", json={"name": "P"}, headers=ann.headers)
    project = made.json()["project_id"]
    await always(talk, ann, project_id=project)
    (rule,) = await rules(talk, ann)
    assert (rule["tool"], rule["resource"]) == ("write_file", "**")
    assert rule["project_id"] == project
    assert (await talk.chat(ann, "write it", project_id=project))["status"] == "done"
    assert (await talk.chat(ann, "write it"))["status"] == "waiting"
    assert await rules(talk, bob, f"?user_id={ann.who.user_id}") == [rule]
    assert await rules(talk, ann, "?project_id=other") == []
    path = f"/api/v1/permissions/rules/{rule['rule_id']}"
    assert (await talk.http.delete(path, headers=eve.headers)).status_code == 404
    assert (await talk.http.delete(path, headers=ann.headers)).status_code == 204
    assert (await talk.http.delete(path, headers=ann.headers)).status_code == 404
    assert (await talk.chat(ann, "write it", project_id=project))["status"] == "waiting"


async def test_an_operators_rule_stays_final(make_settings: MakeSettings):
    settings = make_settings()
    async with talking(settings) as talk:
        ann = await talk.person()
        await always(talk, ann)
        assert (await talk.chat(ann, "write it"))["status"] == "done"
    config = '[[permissions.rules]]\naction = "ask"\ntool = "write_file"\n'
    (settings.home / "config.toml").write_text(config)
    async with talking(make_settings()) as talk:
        assert (await talk.chat(ann, "write it"))["status"] == "waiting"
