"""Models over REST: the list, a tenant's figures, the test of an endpoint, a project's default."""

from typing import Any

import pytest
from live_server import Caller, LiveServer, open_live_server

from dataagent_core.testing import Script, ScriptedEndpoint
from tests.server.fixtures import MakeSettings

MODELS = "/api/v1/models"
CALLS_THE_TOOL = [{"tool_calls": [{"name": "note_color", "args": {"color": "blue"}}]}]
SCRIPT = Script.model_validate({"scripts": [{"steps": CALLS_THE_TOOL}]})


async def models(live: LiveServer, who: Caller) -> dict[str, dict[str, Any]]:
    answer = await live.http.get(MODELS, headers=who.headers)
    assert answer.status_code == 200, answer.text
    return {one["model"]: one for one in answer.json()["models"]}


async def put(live: LiveServer, who: Caller, **body: Any) -> Any:
    return await live.http.put(MODELS, json=body, headers=who.headers)


async def give_key(live: LiveServer, who: Caller, provider: str = "openai", **body: Any) -> None:
    path = f"/api/v1/model-credentials/{provider}"
    body = {"key": "sk-0123456789abcdef", **body}
    answer = await live.http.put(path, json=body, headers=who.headers)
    assert answer.status_code == 200, answer.text


async def test_the_list_has_the_default_the_tenants_providers_and_what_is_known_of_them(
    live: LiveServer,
):
    boss = await live.person("boss", "owner", await live.tenant("acme"))
    ann = await live.person("ann", "viewer", boss.who.tenant_id)
    assert [one["is_default"] for one in (await models(live, ann)).values()] == [True, False]
    await give_key(live, boss, default_model="gpt-4o")
    (first, *_) = (found := await models(live, ann)).values()
    assert (first["model"], first["is_default"]) == ("openai:gpt-4o", True)
    assert first["context_length"] == 128_000
    assert first["sources"]["context_length"] == "catalogue"
    assert first["input_cost_per_1m"] > 0
    assert found["demo:demo"]["input_cost_per_1m"] is None
    assert found["demo:demo"]["sources"]["input_cost_per_1m"] == "unknown"
    told = (await live.http.get(MODELS, headers=ann.headers)).json()["providers"]
    assert {one["name"]: one["by"] for one in told if one["by"]} == {
        "openai": "tenant",
        "ollama": "operator",
    }


async def test_a_scripts_place_on_the_server_is_not_told(live: LiveServer):
    ann = await live.person("ann", "viewer", await live.tenant("acme"))
    assert "scripted:script.json" in await models(live, ann)


async def test_a_tenants_figures_are_its_own_and_go_away_again(live: LiveServer):
    boss = await live.person("boss", "owner", await live.tenant("acme"))
    other = await live.person("eve", "owner", await live.tenant("other"))
    await give_key(live, boss)
    said = {"model": "openai:our-own", "context_length": 9_000, "input_cost_per_1m": 1.5}
    answer = await put(live, boss, **said)
    assert answer.status_code == 200, answer.text
    found = (await models(live, boss))["openai:our-own"]
    assert (found["context_length"], found["input_cost_per_1m"]) == (9_000, 1.5)
    assert found["output_cost_per_1m"] is None
    assert found["sources"] == {
        "context_length": "tenant",
        "max_output_tokens": "assumed",
        "input_cost_per_1m": "tenant",
        "output_cost_per_1m": "unknown",
    }
    assert "openai:our-own" not in await models(live, other)
    gone = f"{MODELS}?model=openai:our-own"
    assert (await live.http.delete(gone, headers=other.headers)).status_code == 404
    assert (await live.http.delete(gone, headers=boss.headers)).status_code == 204
    assert (await live.http.delete(gone, headers=boss.headers)).status_code == 404
    assert "openai:our-own" not in await models(live, boss)
    log = (await live.http.get("/api/v1/audit?action=model.*", headers=boss.headers)).json()
    assert [entry["action"] for entry in log["items"]] == ["model.delete", "model.change"]


async def test_prices_on_the_operators_key_are_the_operators(live: LiveServer):
    boss = await live.person("boss", "owner", await live.tenant("acme"))
    refused = await put(live, boss, model="openai:gpt-4o", input_cost_per_1m=0)
    assert refused.status_code == 422
    assert "operator" in refused.json()["message"]
    await give_key(live, boss)
    assert (await put(live, boss, model="openai:gpt-4o", input_cost_per_1m=0)).status_code == 200
    gone = await live.http.delete("/api/v1/model-credentials/openai", headers=boss.headers)
    assert gone.status_code == 204
    assert (await models(live, boss))["openai:gpt-4o"]["input_cost_per_1m"] > 0
    operator = await live.person("operator", "owner")
    assert (await put(live, operator, model="openai:x", input_cost_per_1m=0)).status_code == 200


@pytest.mark.parametrize("role", ["viewer", "member"])
async def test_only_admins_change_and_test(live: LiveServer, role: Any):
    who = await live.person("ann", role, await live.tenant("acme"))
    assert (await put(live, who, model="openai:x")).status_code == 403
    gone = await live.http.delete(MODELS, params={"model": "openai:x"}, headers=who.headers)
    assert gone.status_code == 403
    body = {"provider": "demo"}
    tested = await live.http.post(f"{MODELS}/test", json=body, headers=who.headers)
    assert tested.status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        {"model": "scripted:/etc/passwd"}, {"model": "nobody:x"}, {"model": "nameless"}, {"model": ""},
        {"model": "openai:a\u202eb"}, {"model": "openai:x", "context_length": 0},
        {"model": "openai:x", "input_cost_per_1m": -1}, {"model": "openai:x", "input_cost_per_1m": 1e9},
        {"model": "openai:x", "max_output_tokens": 10**12}, {"model": "openai:x", "capabilities": []},
    ],
)  # fmt: skip
async def test_hostile_values_are_refused(live: LiveServer, body: dict[str, Any]):
    boss = await live.person("boss", "owner")
    assert (await put(live, boss, **body)).status_code == 422


async def test_an_endpoint_is_asked_for_its_models_and_for_a_tool_call(make_settings: MakeSettings):
    with ScriptedEndpoint(SCRIPT) as endpoint:
        host = endpoint.root_url.removeprefix("http://")
        vouched = make_settings().model_copy(update={"web_allow_hosts": (host,)})
        async with open_live_server(vouched) as live:
            boss = await live.person("boss", "owner", await live.tenant("acme"))
            await give_key(live, boss, base_url=endpoint.base_url, default_model="mine")
            body = {"provider": "openai"}
            answer = await live.http.post(f"{MODELS}/test", json=body, headers=boss.headers)
            told = answer.json()
            assert (told["ok"], told["tools"], told["error"]) == (True, True, None)
            assert (told["model"], answer.status_code) == ("openai:mine", 200)
            assert told["models"]


async def test_an_endpoint_that_is_no_longer_vouched_for_is_not_dialled(
    make_settings: MakeSettings,
):
    with ScriptedEndpoint(SCRIPT) as endpoint:
        host = endpoint.root_url.removeprefix("http://")
        vouched = make_settings().model_copy(update={"web_allow_hosts": (host,)})
        async with open_live_server(vouched) as live:
            boss = await live.person("boss", "owner", await live.tenant("acme"))
            await give_key(live, boss, base_url=endpoint.base_url, default_model="mine")
        async with open_live_server(make_settings()) as live:
            body = {"provider": "openai"}
            answer = await live.http.post(f"{MODELS}/test", json=body, headers=boss.headers)
            assert answer.status_code == 422
            assert "web_allow_hosts" in answer.json()["message"]
        assert endpoint.requests == ()


async def test_what_goes_wrong_is_told(live: LiveServer):
    boss = await live.person("boss", "owner")
    for provider, status in (("demo", 200), ("openai", 200), ("scripted", 422), ("nobody", 422)):
        body = {"provider": provider}
        answer = await live.http.post(f"{MODELS}/test", json=body, headers=boss.headers)
        assert answer.status_code == status, answer.text
        if provider == "openai":
            assert answer.json()["ok"] is False
            assert "key" in answer.json()["error"]


async def test_a_projects_default_model_is_used_by_its_runs(live: LiveServer):
    ann = await live.person()
    made = await live.http.post(
        "/api/v1/projects", json={"name": "P", "default_model": "demo"}, headers=ann.headers
    )
    project = made.json()
    assert project["default_model"] == "demo:demo"
    answer = await live.chat(ann, "hi", project_id=project["project_id"])
    assert "hello there" not in str(answer["events"])
    path = f"/api/v1/projects/{project['project_id']}"
    for hostile in ("scripted:/etc/passwd", "nobody:x", "x"):
        body = {"default_model": hostile}
        assert (await live.http.patch(path, json=body, headers=ann.headers)).status_code == 422
    kept = await live.http.patch(path, json={"name": "Q"}, headers=ann.headers)
    assert kept.json()["default_model"] == "demo:demo"
    lifted = await live.http.patch(path, json={"default_model": ""}, headers=ann.headers)
    assert lifted.json()["default_model"] is None
    again = await live.chat(ann, "hi", project_id=project["project_id"])
    assert "hello there" in str(again["events"])
