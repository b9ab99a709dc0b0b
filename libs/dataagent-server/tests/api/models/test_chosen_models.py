"""The model of a run: chosen with a message, remembered by the session, or the default."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from talking import SCRIPT, Caller, Talk, hear, hear_until, say, talking

from dataagent_core.testing import Script, ScriptedEndpoint
from dataagent_server.settings import ServerSettings
from tests.server.fixtures import MakeSettings


@dataclass
class House:
    """A tenant with an endpoint of its own that offers the models `one` and `two`."""

    talk: Talk
    endpoint: ScriptedEndpoint
    boss: Caller
    ann: Caller

    @property
    def called(self) -> list[str]:
        return [asked.body["model"] for asked in self.endpoint.requests]

    async def ask(self, method: str, path: str, who: Caller | None = None, **more: Any) -> Any:
        headers = (who or self.boss).headers
        answer = await self.talk.http.request(method, f"/api/v1{path}", headers=headers, **more)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    async def refused(self, who: Caller, model: str, **more: Any) -> tuple[int, str]:
        body = {"message": "hi", "model": model, **more}
        answer = await self.talk.http.post("/api/v1/chat", json=body, headers=who.headers)
        return answer.status_code, answer.json()["message"]


@asynccontextmanager
async def opened(settings: ServerSettings) -> AsyncGenerator[House]:
    with ScriptedEndpoint(Script.model_validate(SCRIPT)) as endpoint:
        host = endpoint.root_url.removeprefix("http://")
        async with talking(settings.model_copy(update={"web_allow_hosts": (host,)})) as talk:
            boss = await talk.person("boss", "owner", await talk.tenant("acme"))
            house = House(
                talk, endpoint, boss, await talk.person("ann", "member", boss.who.tenant_id)
            )
            key = {"key": "sk-0123456789abcdef", "base_url": endpoint.base_url}
            await house.ask("PUT", "/model-credentials/openai", json=key)
            for name in ("one", "two"):
                await house.ask("PUT", "/models", json={"model": f"openai:{name}"})
            yield house


@pytest.fixture
async def house(make_settings: MakeSettings) -> AsyncGenerator[House]:
    async with opened(make_settings()) as one:
        yield one


@pytest.mark.requirement("F9-2-models")
async def test_the_chosen_model_is_called_and_remembered_until_another_is_chosen(house: House):
    talk, ann = house.talk, house.ann
    told = await talk.chat(ann, "hi", model="openai:one")
    here = {"session_id": told["session_id"]}
    await talk.chat(ann, "hi", **here)
    await talk.chat(ann, "hi", model="openai:two", **here)
    await talk.chat(ann, "hi", **here)
    assert house.called == ["one", "one", "two", "two"]
    session = await house.ask("GET", f"/sessions/{told['session_id']}", ann)
    assert session["model"] == "openai:two"
    runs = await house.ask("GET", f"/sessions/{told['session_id']}/runs", ann)
    models = [run["model"] for run in runs["items"]]
    assert models == ["openai:one", "openai:one", "openai:two", "openai:two"]
    fork = await house.ask("POST", f"/sessions/{told['session_id']}/fork", ann, json={})
    assert fork["session"]["model"] == "openai:two"
    await talk.chat(ann, "hi", model="", **here)
    await talk.chat(ann, "hi", **here)
    assert len(house.called) == 4
    assert (await house.ask("GET", f"/sessions/{told['session_id']}", ann))["model"] is None


@pytest.mark.requirement("F9-2-models")
async def test_the_websocket_and_the_stream_take_a_model(house: House):
    talk, ann = house.talk, house.ann
    session_id = await talk.session(ann)
    async with talk.socket(session_id, ann) as socket:
        await say(socket, "chat", message="hi", model="openai:one")
        await hear_until(socket, "done")
        await say(socket, "chat", message="hi", model="openai:nowhere")
        frame = await hear(socket)
        assert frame["event_type"] == "error"
        assert frame["data"]["code"] == "VALIDATION_ERROR"
        assert "not among the models" in frame["data"]["error"]
    body = {"message": "hi", "conversation_id": session_id, "model": "openai:two"}
    streamed = await talk.http.post("/api/v1/agent/chat", json=body, headers=ann.headers)
    assert streamed.status_code == 200
    assert house.called == ["one", "two"]


@pytest.mark.requirement("F9-2-models")
async def test_a_run_that_waited_goes_on_with_its_model(house: House):
    talk, ann = house.talk, house.ann
    told = await talk.chat(ann, "write", model="openai:one")
    assert told["status"] == "waiting"
    here = told["session_id"]
    async with talk.socket(here, ann, f"?after={told['events'][-1]['seq']}") as socket:
        await say(socket, "chat", message="hi", model="openai:two")
        run = await talk.run_of(ann, here)
        while run.model != "openai:two":
            run = await talk.run_of(ann, here)
        await house.ask("DELETE", "/models", params={"model": "openai:one"})
        (asked,) = [e for e in told["events"] if e["event_type"] == "hitl_request"]
        await say(
            socket,
            "hitl_decision",
            interrupt_id=asked["interrupt_id"],
            decision={"type": "approve"},
        )
        await hear_until(socket, "done")
        await hear_until(socket, "done")
    assert house.called == ["one", "one", "two"]


@pytest.mark.requirement("F9-2-models")
async def test_what_is_not_offered_is_refused_and_nothing_is_begun(house: House):
    ann = house.ann
    for hostile in (
        "openai:nowhere",
        "scripted:script.json",
        "nobody:x",
        "nameless",
        "openai:a\u202eb",
    ):
        status, text = await house.refused(ann, hostile)
        assert (status, bool(text)) == (422, True), hostile
    await house.ask("PUT", "/models", json={"model": "deepseek:far"})
    far = await house.ask("GET", "/models", ann)
    usable = {one["model"]: one["is_usable"] for one in far["models"]}
    assert (usable["deepseek:far"], usable["openai:one"]) == (False, True)
    status, text = await house.refused(ann, "deepseek:far")
    assert status == 409
    assert "nobody has given its provider a key" in text
    assert (await house.ask("GET", "/sessions", ann))["items"] == []
    assert house.called == []


@pytest.mark.requirement("F9-2-models")
async def test_another_tenants_models_are_neither_offered_nor_usable(house: House):
    eve = await house.talk.person("eve", "owner", await house.talk.tenant("other"))
    offered = {one["model"] for one in (await house.ask("GET", "/models", eve))["models"]}
    assert not any(name.startswith("openai:") for name in offered)
    status, text = await house.refused(eve, "openai:one")
    assert status == 422
    assert "not among the models" in text
    assert house.called == []


@pytest.mark.requirement("F9-2-models")
async def test_a_remembered_model_that_is_offered_no_more_is_said_so(house: House):
    told = await house.talk.chat(house.ann, "hi", model="openai:one")
    here = told["session_id"]
    await house.ask("DELETE", "/models", params={"model": "openai:one"})
    body = {"message": "hi", "session_id": here}
    answer = await house.talk.http.post("/api/v1/chat", json=body, headers=house.ann.headers)
    assert answer.status_code == 422
    assert "openai:one" in answer.json()["message"]
    await house.talk.chat(house.ann, "hi", session_id=here, model="openai:two")
    assert house.called == ["one", "two"]


@pytest.mark.requirement("F9-2-models")
async def test_the_default_is_the_assistants_then_the_projects_then_the_tenants(house: House):
    talk, ann = house.talk, house.ann
    plain = await house.ask("POST", "/agents", ann, json={"name": "Plain"})
    named = await house.ask("POST", "/agents", ann, json={"name": "N", "model": "openai:one"})
    wished = {"name": "P", "default_model": "openai:two"}
    project = (await house.ask("POST", "/projects", json=wished))["project_id"]

    async def default(agent: dict[str, Any], project_id: str | None = None) -> str | None:
        query = {"assistant_id": agent["assistant_id"], "project_id": project_id}
        given = {name: value for name, value in query.items() if value}
        return (await house.ask("GET", "/models", ann, params=given))["default"]

    assert await default(named, project) == "openai:one"
    assert await default(plain, project) == "openai:two"
    assert await default(plain) == "scripted:script.json"
    for agent, where in ((named, project), (plain, project), (plain, None)):
        query = {"assistant_id": agent["assistant_id"]} | ({"project_id": where} if where else {})
        await talk.chat(ann, "hi", **query)
    assert house.called == ["one", "two"]
    await talk.chat(ann, "hi", model="openai:two", assistant_id=named["assistant_id"])
    assert house.called == ["one", "two", "two"]
    missing = {"assistant_id": "nobody"}
    answer = await talk.http.get("/api/v1/models", params=missing, headers=ann.headers)
    assert answer.status_code == 404
