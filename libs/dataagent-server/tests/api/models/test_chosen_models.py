"""The model of a run: chosen with a message, remembered by the session, or the default."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from live_server import SCRIPT, Caller, LiveServer, hear, hear_until, open_live_server, say

from dataagent_core.testing import Script, ScriptedEndpoint
from dataagent_server.settings import ServerSettings
from tests.server.fixtures import MakeSettings


@dataclass
class Installation:
    """A tenant with an endpoint of its own that offers the models `one` and `two`."""

    live: LiveServer
    endpoint: ScriptedEndpoint
    boss: Caller
    ann: Caller

    @property
    def called(self) -> list[str]:
        return [asked.body["model"] for asked in self.endpoint.requests]

    async def ask(self, method: str, path: str, who: Caller | None = None, **more: Any) -> Any:
        headers = (who or self.boss).headers
        answer = await self.live.http.request(method, f"/api/v1{path}", headers=headers, **more)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    async def refused(self, who: Caller, model: str, **more: Any) -> tuple[int, str]:
        body = {"message": "hi", "model": model, **more}
        answer = await self.live.http.post("/api/v1/chat", json=body, headers=who.headers)
        return answer.status_code, answer.json()["message"]


@asynccontextmanager
async def opened(settings: ServerSettings) -> AsyncGenerator[Installation]:
    with ScriptedEndpoint(Script.model_validate(SCRIPT)) as endpoint:
        host = endpoint.root_url.removeprefix("http://")
        async with open_live_server(
            settings.model_copy(update={"web_allow_hosts": (host,)})
        ) as live:
            boss = await live.person("boss", "owner", await live.tenant("acme"))
            installation = Installation(
                live, endpoint, boss, await live.person("ann", "member", boss.who.tenant_id)
            )
            key = {"key": "sk-0123456789abcdef", "base_url": endpoint.base_url}
            await installation.ask("PUT", "/model-credentials/openai", json=key)
            for name in ("one", "two"):
                await installation.ask("PUT", "/models", json={"model": f"openai:{name}"})
            yield installation


@pytest.fixture
async def installation(make_settings: MakeSettings) -> AsyncGenerator[Installation]:
    async with opened(make_settings()) as one:
        yield one


@pytest.mark.requirement("F9-2-models")
async def test_the_chosen_model_is_called_and_remembered_until_another_is_chosen(
    installation: Installation,
):
    live, ann = installation.live, installation.ann
    told = await live.chat(ann, "hi", model="openai:one")
    here = {"session_id": told["session_id"]}
    await live.chat(ann, "hi", **here)
    await live.chat(ann, "hi", model="openai:two", **here)
    await live.chat(ann, "hi", **here)
    assert installation.called == ["one", "one", "two", "two"]
    session = await installation.ask("GET", f"/sessions/{told['session_id']}", ann)
    assert session["model"] == "openai:two"
    runs = await installation.ask("GET", f"/sessions/{told['session_id']}/runs", ann)
    models = [run["model"] for run in runs["items"]]
    assert models == ["openai:one", "openai:one", "openai:two", "openai:two"]
    fork = await installation.ask("POST", f"/sessions/{told['session_id']}/fork", ann, json={})
    assert fork["session"]["model"] == "openai:two"
    await live.chat(ann, "hi", model="", **here)
    await live.chat(ann, "hi", **here)
    assert len(installation.called) == 4
    assert (await installation.ask("GET", f"/sessions/{told['session_id']}", ann))["model"] is None


@pytest.mark.requirement("F9-2-models")
async def test_the_websocket_and_the_stream_take_a_model(installation: Installation):
    live, ann = installation.live, installation.ann
    session_id = await live.session(ann)
    async with live.socket(session_id, ann) as socket:
        await say(socket, "chat", message="hi", model="openai:one")
        await hear_until(socket, "done")
        await say(socket, "chat", message="hi", model="openai:nowhere")
        frame = await hear(socket)
        assert frame["event_type"] == "error"
        assert frame["data"]["code"] == "VALIDATION_ERROR"
        assert "not among the models" in frame["data"]["error"]
    body = {"message": "hi", "conversation_id": session_id, "model": "openai:two"}
    streamed = await live.http.post("/api/v1/agent/chat", json=body, headers=ann.headers)
    assert streamed.status_code == 200
    assert installation.called == ["one", "two"]


@pytest.mark.requirement("F9-2-models")
async def test_a_run_that_waited_goes_on_with_its_model(installation: Installation):
    live, ann = installation.live, installation.ann
    told = await live.chat(ann, "write", model="openai:one")
    assert told["status"] == "waiting"
    here = told["session_id"]
    async with live.socket(here, ann, f"?after={told['events'][-1]['seq']}") as socket:
        await say(socket, "chat", message="hi", model="openai:two")
        run = await live.run_of(ann, here)
        while run.model != "openai:two":
            run = await live.run_of(ann, here)
        await installation.ask("DELETE", "/models", params={"model": "openai:one"})
        (asked,) = [e for e in told["events"] if e["event_type"] == "hitl_request"]
        await say(
            socket,
            "hitl_decision",
            interrupt_id=asked["interrupt_id"],
            decision={"type": "approve"},
        )
        await hear_until(socket, "done")
        await hear_until(socket, "done")
    assert installation.called == ["one", "one", "two"]


@pytest.mark.requirement("F9-2-models")
async def test_what_is_not_offered_is_refused_and_nothing_is_begun(installation: Installation):
    ann = installation.ann
    for hostile in (
        "openai:nowhere",
        "scripted:script.json",
        "nobody:x",
        "nameless",
        "openai:a\u202eb",
    ):
        status, text = await installation.refused(ann, hostile)
        assert (status, bool(text)) == (422, True), hostile
    await installation.ask("PUT", "/models", json={"model": "deepseek:far"})
    far = await installation.ask("GET", "/models", ann)
    usable = {one["model"]: one["is_usable"] for one in far["models"]}
    assert (usable["deepseek:far"], usable["openai:one"]) == (False, True)
    status, text = await installation.refused(ann, "deepseek:far")
    assert status == 409
    assert "nobody has given its provider a key" in text
    assert (await installation.ask("GET", "/sessions", ann))["items"] == []
    assert installation.called == []


@pytest.mark.requirement("F9-2-models")
async def test_another_tenants_models_are_neither_offered_nor_usable(installation: Installation):
    eve = await installation.live.person("eve", "owner", await installation.live.tenant("other"))
    offered = {one["model"] for one in (await installation.ask("GET", "/models", eve))["models"]}
    assert not any(name.startswith("openai:") for name in offered)
    status, text = await installation.refused(eve, "openai:one")
    assert status == 422
    assert "not among the models" in text
    assert installation.called == []


@pytest.mark.requirement("F9-2-models")
async def test_a_remembered_model_that_is_offered_no_more_is_said_so(installation: Installation):
    told = await installation.live.chat(installation.ann, "hi", model="openai:one")
    here = told["session_id"]
    await installation.ask("DELETE", "/models", params={"model": "openai:one"})
    body = {"message": "hi", "session_id": here}
    answer = await installation.live.http.post(
        "/api/v1/chat", json=body, headers=installation.ann.headers
    )
    assert answer.status_code == 422
    assert "openai:one" in answer.json()["message"]
    await installation.live.chat(installation.ann, "hi", session_id=here, model="openai:two")
    assert installation.called == ["one", "two"]


@pytest.mark.requirement("F9-2-models")
async def test_the_default_is_the_assistants_then_the_projects_then_the_tenants(
    installation: Installation,
):
    live, ann = installation.live, installation.ann
    plain = await installation.ask("POST", "/agents", ann, json={"name": "Plain"})
    named = await installation.ask(
        "POST", "/agents", ann, json={"name": "N", "model": "openai:one"}
    )
    wished = {"name": "P", "default_model": "openai:two"}
    project = (await installation.ask("POST", "/projects", json=wished))["project_id"]

    async def default(agent: dict[str, Any], project_id: str | None = None) -> str | None:
        query = {"assistant_id": agent["assistant_id"], "project_id": project_id}
        given = {name: value for name, value in query.items() if value}
        return (await installation.ask("GET", "/models", ann, params=given))["default"]

    assert await default(named, project) == "openai:one"
    assert await default(plain, project) == "openai:two"
    assert await default(plain) == "scripted:script.json"
    for agent, where in ((named, project), (plain, project), (plain, None)):
        query = {"assistant_id": agent["assistant_id"]} | ({"project_id": where} if where else {})
        await live.chat(ann, "hi", **query)
    assert installation.called == ["one", "two"]
    await live.chat(ann, "hi", model="openai:two", assistant_id=named["assistant_id"])
    assert installation.called == ["one", "two", "two"]
    missing = {"assistant_id": "nobody"}
    answer = await live.http.get("/api/v1/models", params=missing, headers=ann.headers)
    assert answer.status_code == 404
