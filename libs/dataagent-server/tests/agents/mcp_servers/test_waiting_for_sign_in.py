"""A run that waits until its person has signed in at an MCP server."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest
from live_server import Caller, LiveServer, open_live_server
from mcp_auth_server import AuthServer, auth_server

from tests.server.fixtures import MakeSettings


@dataclass
class Place:
    """The server, asked by people."""

    live: LiveServer
    other: AuthServer

    async def ask(self, who: Caller, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        answer = await self.live.http.request(
            method, f"/api/v1{path}", json=body, headers=who.headers
        )
        return answer.status_code, answer.json() if answer.content else None

    async def sign_in(self, who: Caller, address: str) -> None:
        """Visit the address, say yes at the other server, and come back."""
        page = await self.live.http.get(address, headers=who.headers)
        assert page.status_code == 303, page.text
        back = await self.other.visited(page.headers["location"], "ann-at-notes")
        assert (await self.live.http.get(back)).status_code == 200

    async def waits(self, who: Caller) -> tuple[str, Any]:
        """Let an agent call what needs more rights than there are, up to the question."""
        await self.ask(who, "POST", "/mcp/servers", {"name": "notes", "url": self.other.url()})
        _, begun = await self.ask(who, "POST", "/mcp/servers/notes/login")
        back = await self.other.visited(begun["authorization_url"], "ann-at-notes")
        assert (await self.live.http.get(back)).status_code == 200
        session = await self.live.session(who)
        body = {"message": "write it to the notes", "session_id": session}
        await self.ask(who, "POST", "/chat", body)
        (approval,) = await self.requests(who, session)
        await self.answer(who, approval, {"type": "approve"})
        await self.live.reached(who, session, "waiting_approval")
        (asked,) = await self.requests(who, session)
        return session, asked

    async def requests(self, who: Caller, session: str) -> Any:
        await self.live.reached(who, session, "waiting_approval")
        return (await self.ask(who, "GET", f"/sessions/{session}/requests"))[1]["requests"]

    async def answer(self, who: Caller, asked: Any, decision: Any) -> int:
        path = f"/requests/{asked['interrupt_id']}"
        return (await self.ask(who, "POST", path, {"decision": decision}))[0]

    async def result(self, who: Caller, session: str) -> Any:
        await self.live.reached(who, session, "completed")
        events = (await self.ask(who, "GET", f"/sessions/{session}/events"))[1]["events"]
        (result,) = [one for one in events if one["event_type"] == "tool_result"]
        return result


@pytest.fixture
async def at(make_settings: MakeSettings) -> AsyncGenerator[Place]:
    async with auth_server() as other:
        vouched = {"web_allow_hosts": (f"127.0.0.1:{other.port}",)}
        async with open_live_server(make_settings().model_copy(update=vouched)) as live:
            yield Place(live, other)


@pytest.mark.requirement("F6-oauth")
async def test_the_run_goes_on_by_itself_when_the_browser_comes_back(at: Place):
    ann = await at.live.person("ann")
    session, asked = await at.waits(ann)
    assert asked["kind"] == "oauth"
    args = asked["request"]["action_requests"][0]["args"]
    assert (args["server"], args["scopes"]) == ("notes", "read write")
    await at.sign_in(ann, args["url"])
    result = await at.result(ann, session)
    assert (result["status"], "wrote from far away" in str(result)) == ("success", True), result


async def test_nobody_but_the_runs_person_may_sign_in_for_it_or_say_that_they_have(at: Place):
    ann = await at.live.person("ann")
    boss = await at.live.person("boss", "admin")
    session, asked = await at.waits(ann)
    address = asked["request"]["action_requests"][0]["args"]["url"]
    assert (await at.live.http.get(address)).status_code == 401
    assert (await at.live.http.get(address, headers=boss.headers)).status_code == 404
    assert await at.answer(boss, asked, {"type": "answer", "answer": "done"}) == 403
    assert await at.answer(boss, asked, {"type": "skip"}) == 403
    assert await at.answer(ann, asked, {"type": "skip"}) == 200
    result = await at.result(ann, session)
    assert (result["status"], "needs the person to sign in" in str(result)) == ("error", True)


async def test_who_signs_in_with_too_few_rights_is_asked_again(at: Place):
    ann = await at.live.person("ann")
    session, asked = await at.waits(ann)
    assert await at.answer(ann, asked, {"type": "approve"}) == 200
    address = asked["request"]["action_requests"][0]["args"]["url"]
    (again,) = await at.requests(ann, session)
    args = again["request"]["action_requests"][0]["args"]
    assert (args["times_asked"], args["url"]) == (2, address)
    await at.sign_in(ann, address)
    assert (await at.result(ann, session))["status"] == "success"
