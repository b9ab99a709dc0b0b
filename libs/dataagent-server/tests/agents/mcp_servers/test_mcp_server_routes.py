"""MCP servers over REST: S0's and S2's end points, real servers behind them, each for themselves."""

import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from eventually import eventually
from live_server import Caller, LiveServer, open_live_server
from mcp_auth_server import AuthServer, auth_server
from mcp_openers import SMALL_SERVER

from dataagent_core.mcp.connections import ConnectionLimits
from dataagent_core.mcp.owner import Owner
from dataagent_server.common.ids import DEFAULT_TENANT
from dataagent_server.common.metrics import Metrics
from dataagent_server.composition import Edges
from dataagent_server.composition.mcp import open_mcp
from tests.server.fixtures import MakeSettings

SECRET = "s3cret-value"
FOLDER = str(Path(SMALL_SERVER).parent)


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

    async def boss(self, *commands: str) -> Caller:
        boss = await self.live.person("boss", "owner")
        # An owner of the default tenant runs the installation, and so may open folders.
        allowed = {"commands": list(commands), "read_paths": [FOLDER]}
        status, _ = await self.ask(boss, "PATCH", "/mcp/policy", allowed)
        assert status == 200
        return boss


@pytest.fixture
async def at(make_settings: MakeSettings) -> AsyncGenerator[Place]:
    async with auth_server() as other:
        settings = make_settings()
        # The operator vouches for it; a tenant could not.
        vouched = settings.model_copy(update={"web_allow_hosts": (f"127.0.0.1:{other.port}",)})
        async with open_live_server(vouched) as live:
            yield Place(live, other)


def small(name: str = "small", **env: str) -> dict[str, Any]:
    return {
        "name": name,
        "command": sys.executable,
        "args": ["-I", "-S", str(SMALL_SERVER)],
        "env": env,
        "timeout": 20,
        "read_paths": [FOLDER],
    }


@pytest.mark.requirement("F6-1")
async def test_s0s_end_points_list_add_change_and_delete_a_persons_servers(at: Place):
    await at.boss(sys.executable)
    ann, bob = await at.live.person("ann"), await at.live.person("bob")
    mine = f"/users/{ann.who.user_id}/mcp-servers"
    status, made = await at.ask(ann, "POST", mine, small(TOKEN=SECRET))
    assert (status, made["env"], made["status"]) == (201, {"TOKEN": "***"}, "disconnected")
    assert (await at.ask(ann, "POST", mine, small()))[0] == 409
    status, listed = await at.ask(ann, "GET", mine)
    assert (status, [one["name"] for one in listed]) == (200, ["small"])
    for method, path in (("GET", mine), ("POST", mine), ("DELETE", f"{mine}/small")):
        assert (await at.ask(bob, method, path, small() if method == "POST" else None))[0] == 403
    replaced = {"command": sys.executable, "args": ["x"], "env": {"TOKEN": "***"}, "version": 1}
    status, put = await at.ask(ann, "PUT", f"{mine}/small", replaced)
    assert (status, put["args"], put["timeout"], put["env"]) == (200, ["x"], 30, {"TOKEN": "***"})
    status, patched = await at.ask(ann, "PATCH", f"{mine}/small", {"disabled": True})
    assert (status, patched["disabled"], patched["args"]) == (200, True, ["x"])
    assert (await at.ask(ann, "PUT", f"{mine}/small", replaced))[0] == 409
    assert (await at.ask(ann, "PATCH", f"{mine}/small", {"env": {"NEW": "***"}}))[0] == 422
    status, gone = await at.ask(ann, "DELETE", f"{mine}/small")
    assert (status, gone) == (200, {"status": "deleted", "server_name": "small"})
    assert (await at.ask(ann, "DELETE", f"{mine}/small"))[0] == 404


@pytest.mark.requirement("S2-16.4-mcp")
@pytest.mark.requirement("F6-3")
async def test_a_program_is_started_in_the_sandbox_listed_and_gone_when_deleted(at: Place):
    boss = await at.boss(sys.executable)
    assert (await at.ask(boss, "POST", "/mcp/servers?scope=tenant", small()))[0] == 201
    ann = await at.live.person("ann")
    status, told = await at.ask(ann, "POST", "/mcp/servers/small/test")
    assert (status, told["status"]) == (200, "connected"), told
    assert told["tools"] > 5
    status, tools = await at.ask(ann, "GET", "/mcp/servers/small/tools")
    assert status == 200
    assert "echo" in {tool["name"] for tool in tools["tools"]}
    # How it is depends on who asks: a connection is one person's.
    assert (await at.ask(ann, "GET", "/mcp/servers/small"))[1]["status"] == "connected"
    assert (await at.ask(boss, "GET", "/mcp/servers/small"))[1]["status"] == "disconnected"
    metrics = (await at.live.http.get("/metrics")).text
    assert 'dataagent_mcp_connections{transport="stdio"} 1.0' in metrics
    assert (await at.ask(ann, "DELETE", "/mcp/servers/small"))[0] == 403
    assert (await at.ask(boss, "DELETE", "/mcp/servers/small"))[0] == 204
    owner = Owner(ann.who.tenant_id, ann.who.user_id)
    assert await at.live.services.mcp.manager.health_check(owner) == {}
    metrics = (await at.live.http.get("/metrics")).text
    assert 'dataagent_mcp_connections{transport="stdio"} 0.0' in metrics


async def test_what_a_persons_own_program_kept_goes_with_it(at: Place):
    boss = await at.boss(sys.executable)
    assert (await at.ask(boss, "POST", "/mcp/servers", small()))[0] == 201
    status, told = await at.ask(boss, "POST", "/mcp/servers/small/test")
    assert (status, told["status"]) == (200, "connected"), told
    homes = at.live.services.mcp.homes
    assert list(homes.iterdir()) != []
    assert (await at.ask(boss, "DELETE", "/mcp/servers/small"))[0] == 204
    assert list(homes.iterdir()) == []


async def test_a_command_that_is_taken_back_is_not_started_any_more(at: Place):
    boss = await at.boss(sys.executable)
    await at.ask(boss, "POST", "/mcp/servers", small())
    await at.ask(boss, "PATCH", "/mcp/policy", {"commands": []})
    status, told = await at.ask(boss, "POST", "/mcp/servers/small/test")
    assert (status, told["status"]) == (200, "error")
    assert "no program is allowed here" in told["detail"]
    status, told = await at.ask(boss, "GET", "/mcp/servers/small/tools")
    assert (status, told["error_code"]) == (409, "CONFLICT")
    metrics = (await at.live.http.get("/metrics")).text
    assert 'dataagent_mcp_failures_total{transport="stdio"}' in metrics


@pytest.mark.requirement("F6-5")
async def test_each_person_signs_in_at_a_shared_server_for_themselves(at: Place):
    boss = await at.boss()
    shared = {"name": "notes", "url": at.other.url()}
    assert (await at.ask(boss, "POST", "/mcp/servers?scope=tenant", shared))[0] == 201
    ann, bob = await at.live.person("ann"), await at.live.person("bob")
    assert (await at.ask(ann, "POST", "/mcp/servers/notes/test"))[1]["status"] == "needs_auth"
    status, begun = await at.ask(ann, "POST", "/mcp/servers/notes/login")
    assert status == 200
    back = await at.other.visited(begun["authorization_url"], "ann-at-notes")
    assert "/api/v1/mcp/oauth/callback?" in back
    page = await at.live.http.get(back)
    assert (page.status_code, "notes" in page.text) == (200, True)
    assert page.headers["content-type"].startswith("text/html")
    # Once.
    assert (await at.live.http.get(back)).status_code == 422
    assert (await at.ask(ann, "POST", "/mcp/servers/notes/test"))[1]["status"] == "connected"
    assert (await at.ask(bob, "POST", "/mcp/servers/notes/test"))[1]["status"] == "needs_auth"
    status, out = await at.ask(ann, "POST", "/mcp/servers/notes/logout")
    assert (status, out) == (200, {"revoked": True})
    assert (await at.ask(ann, "POST", "/mcp/servers/notes/test"))[1]["status"] == "needs_auth"


@pytest.mark.requirement("F6-1")
async def test_a_key_in_a_shared_servers_address_is_in_nothing_that_members_are_told(at: Place):
    boss = await at.boss()
    # Written differently from how it is compared: the key must not show in either spelling.
    url = at.other.url().replace("http:", "HTTP:") + f"?key={SECRET}"
    body = {"name": "notes", "url": url}
    assert (await at.ask(boss, "POST", "/mcp/servers?scope=tenant", body))[0] == 201
    ann = await at.live.person("ann")
    told = [await at.ask(ann, "POST", "/mcp/servers/notes/test")]
    at.other.does.publishes_resource = False
    status, begun = await at.ask(ann, "POST", "/mcp/servers/notes/login")
    assert status == 200
    back = await at.other.visited(begun["authorization_url"], "ann")
    assert (await at.live.http.get(back)).status_code == 200
    told += [(status, begun), await at.ask(ann, "POST", "/mcp/servers/notes/test")]
    assert told[-1][1]["status"] == "connected"
    at.other.does.publishes_resource = True
    at.other.does.resource_says = {"resource": "https://elsewhere.example/mcp"}
    told.append(await at.ask(ann, "POST", "/mcp/servers/notes/login"))
    assert "elsewhere.example" in told[-1][1]["message"]
    assert SECRET not in str(told)


@pytest.mark.requirement("F6-5")
async def test_a_sign_in_that_a_browser_began_ends_in_that_persons_browser_alone(at: Place):
    boss = await at.boss()
    ann = await at.live.person("ann")
    shared = {"name": "notes", "url": at.other.url()}
    await at.ask(boss, "POST", "/mcp/servers?scope=tenant", shared)
    begun, cookie = await _begin_in_a_browser(at, ann)
    back = await at.other.visited(begun, "ann")
    stranger = await at.live.http.get(back)
    assert (stranger.status_code, "somebody else" in stranger.text) == (403, True)
    somebody = await at.live.http.get(back, headers=boss.headers)
    assert somebody.status_code == 403
    mine = await at.live.http.get(back, headers={"Cookie": cookie})
    assert mine.status_code == 200
    assert (await at.ask(ann, "POST", "/mcp/servers/notes/test"))[1]["status"] == "connected"


async def _begin_in_a_browser(at: Place, ann: Caller) -> tuple[str, str]:
    people = at.live.services.people
    token = await people.sign_in.sign_in_token(ann.who, ann.who.user_id)
    http = at.live.http
    me = (await http.post("/api/v1/auth/sign-in", json={"token": token})).json()
    cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    answer = await http.post(
        "/api/v1/mcp/servers/notes/login",
        headers={"X-CSRF-Token": me["csrf_token"], "Origin": str(http.base_url).rstrip("/")},
    )
    assert answer.status_code == 200, answer.text
    http.cookies.clear()
    return answer.json()["authorization_url"], cookie


async def test_a_sign_in_that_nobody_began_is_refused_and_never_shows_its_words(at: Place):
    page = await at.live.http.get(
        "/api/v1/mcp/oauth/callback?state=x&code=y&error=<script>alert(1)</script>"
    )
    assert page.status_code == 422
    assert "<script>" not in page.text
    assert "no-store" in page.headers["cache-control"]


async def test_our_client_document_is_there_with_a_public_https_address(
    at: Place, make_settings: MakeSettings
):
    assert (await at.live.http.get("/api/v1/mcp/oauth/client.json")).status_code == 404
    async with open_live_server(make_settings(public_url="https://agent.example/")) as live:
        told = (await live.http.get("/api/v1/mcp/oauth/client.json")).json()
    assert told["client_id"] == "https://agent.example/api/v1/mcp/oauth/client.json"
    assert told["redirect_uris"] == ["https://agent.example/api/v1/mcp/oauth/callback"]


async def test_a_tenant_cannot_have_this_machine_dialled(at: Place):
    boss = await at.boss()
    for url in ("http://127.0.0.1:9/mcp", "https://localhost/mcp", "ws://[::1]:9/mcp"):
        status, told = await at.ask(boss, "POST", "/mcp/servers", {"name": "x", "url": url})
        assert (status, told["error_code"]) == (422, "VALIDATION_ERROR"), url


async def test_an_assistant_and_a_tenant_may_go_without_mcp(at: Place):
    boss = await at.boss()
    await at.ask(boss, "POST", "/mcp/servers", {"name": "notes", "url": at.other.url()})
    agent = {"agent_id": "plain", "name": "Plain", "options": {"enable_mcp": False}}
    assert (await at.ask(boss, "POST", "/agents", agent))[0] == 201
    await at.live.chat(boss, "hi", assistant_id="plain")
    builder = at.live.services.runs.agents._builder  # pyright: ignore[reportPrivateUsage]
    service = at.live.services.runs.service
    (listed,) = await service.history(boss.who, boss.who.user_id, before=None, limit=1)
    run = await service.run(boss.who, listed.run_id)
    assert (await builder.plan(run)).config.mcp_config is None
    config = await at.live.services.mcp.config_for(boss.who.tenant_id, boss.who.user_id, None)
    assert [one.name for one in config.servers] == ["notes"]
    off = {"limits": {"features_enabled": {"mcp": False}}}
    assert (await at.ask(boss, "PATCH", f"/tenants/{DEFAULT_TENANT}", off))[0] == 200
    config = await at.live.services.mcp.config_for(boss.who.tenant_id, boss.who.user_id, None)
    assert config.servers == []
    status, told = await at.ask(boss, "POST", "/mcp/servers/notes/test")
    assert (status, "feature 'mcp'" in told["message"]) == (403, True)


@pytest.mark.requirement("S0-50")
async def test_s0_50_connections_are_released_when_nobody_works_for_a_person_any_more(at: Place):
    boss = await at.boss(sys.executable)
    await at.ask(boss, "POST", "/mcp/servers", small())
    services, who = at.live.services, boss.who
    owner = Owner(who.tenant_id, who.user_id)
    people, edges = services.people, Edges(mcp_limits=ConnectionLimits(linger_s=0.05))
    async with open_mcp(
        services.settings, people.audit, people.cipher, services.workspaces.store,
        metrics=Metrics(), edges=edges,
    ) as mcp:  # fmt: skip
        (config,) = (await mcp.config_for(who.tenant_id, who.user_id, None)).servers
        async with mcp.hold(who.tenant_id, who.user_id):
            async with mcp.hold(who.tenant_id, who.user_id):
                assert await mcp.manager.connection(owner, config).tools()
            assert mcp.manager.status(owner, config).state == "connected"

        async def released() -> bool:
            return mcp.manager.status(owner, config).state == "disconnected"

        await eventually(released)


async def test_an_agent_uses_the_servers_of_its_person_and_asks_before(at: Place):
    boss = await at.boss(sys.executable)
    await at.ask(boss, "POST", "/mcp/servers", small())
    session = await at.live.session(boss)
    body = {"message": "call the small server", "session_id": session}
    await at.ask(boss, "POST", "/chat", body)
    await at.live.reached(boss, session, "waiting_approval")
    (asked,) = (await at.ask(boss, "GET", f"/sessions/{session}/requests"))[1]["requests"]
    assert "mcp__local_small__echo" in str(asked), asked
    decision = {"decision": {"type": "approve"}}
    assert (await at.ask(boss, "POST", f"/requests/{asked['interrupt_id']}", decision))[0] == 200
    await at.live.reached(boss, session, "completed")
    events = (await at.ask(boss, "GET", f"/sessions/{session}/events"))[1]["events"]
    (result,) = [one for one in events if one["event_type"] == "tool_result"]
    assert "from far away" in str(result), result


@pytest.mark.requirement("F6-4")
async def test_a_servers_request_for_the_model_waits_in_the_api_and_is_counted(at: Place):
    boss = await at.boss(sys.executable)
    await at.ask(boss, "POST", "/mcp/servers", small())
    session = await at.live.session(boss)
    await at.ask(boss, "POST", "/chat", {"message": "lend the model", "session_id": session})
    asked: list[Any] = []
    waiting: list[Any] = []

    async def asks() -> bool:
        waiting[:] = (await at.ask(boss, "GET", f"/sessions/{session}/requests"))[1]["requests"]
        return bool(waiting)

    for _ in range(2):
        await eventually(asks)
        asked.append(waiting[0]["request"]["action_requests"][0])
        path = f"/requests/{waiting[0]['interrupt_id']}"
        assert (await at.ask(boss, "POST", path, {"decision": {"type": "approve"}}))[0] == 200
    await at.live.reached(boss, session, "completed")
    assert asked[1]["name"] == "mcp__local_small__sampling/createMessage"
    assert asked[1]["args"]["messages"] == [{"role": "user", "text": "Greet me."}]
    events = (await at.ask(boss, "GET", f"/sessions/{session}/events"))[1]["events"]
    (result,) = [one for one in events if one["event_type"] == "tool_result"]
    assert "hello there" in str(result["result"]), result
    # The two of the run, and the one for the server.
    assert [one["event_type"] for one in events].count("step_finish") == 3


async def test_deleting_ones_own_server_signs_out_and_a_shared_one_signs_nobody_out(at: Place):
    boss = await at.boss()
    ann = await at.live.person("ann")
    body = {"name": "notes", "url": at.other.url()}
    owner = Owner(ann.who.tenant_id, ann.who.user_id)
    store = at.live.services.mcp.sign_ins.store
    for scope, who, kept in (("tenant", boss, True), ("user", ann, False)):
        path = f"/mcp/servers/notes?scope={scope}"
        assert (await at.ask(who, "POST", f"/mcp/servers?scope={scope}", body))[0] == 201
        begun = (await at.ask(ann, "POST", "/mcp/servers/notes/login"))[1]
        back = await at.other.visited(begun["authorization_url"], "ann")
        assert (await at.live.http.get(back)).status_code == 200
        assert (await at.ask(who, "DELETE", path))[0] == 204
        assert (await store.get_tokens(owner, at.other.url()) is not None) == kept


@pytest.mark.requirement("F6-5")
async def test_a_run_names_a_page_that_sends_its_person_on_and_nobody_else(at: Place):
    boss = await at.boss()
    body = {"name": "notes", "url": at.other.url()}
    assert (await at.ask(boss, "POST", "/mcp/servers?scope=tenant", body))[0] == 201
    ann, bob = await at.live.person("ann"), await at.live.person("bob")
    session = (await at.live.chat(ann, "hi"))["session_id"]
    run = await at.live.run_of(ann, session)
    page = at.live.services.mcp.access.sign_in_page
    assert page is not None
    path = page(run.run_id, "notes")
    http = at.live.http
    assert (await http.get(path)).status_code == 401
    assert (await http.get(path, headers=bob.headers)).status_code == 403
    # Whoever may see the run still does not sign in for its person.
    assert (await http.get(path, headers=boss.headers)).status_code == 404
    assert (await http.get(page(run.run_id, "none"), headers=ann.headers)).status_code == 404
    sent_on = await http.get(path, headers=ann.headers)
    assert sent_on.status_code == 303
    back = await at.other.visited(sent_on.headers["location"], "ann")
    assert (await http.get(back)).status_code == 200
    assert (await at.ask(ann, "POST", "/mcp/servers/notes/test"))[1]["status"] == "connected"


async def test_the_list_of_tools_has_those_of_servers_that_answer_and_a_note_for_others(at: Place):
    boss = await at.boss(sys.executable)
    await at.ask(boss, "POST", "/mcp/servers", small())
    await at.ask(
        boss, "POST", "/mcp/servers", small("broken") | {"args": ["-c", "raise SystemExit"]}
    )
    status, told = await at.ask(boss, "GET", "/tools")
    assert status == 200, told
    (echo,) = [tool for tool in told["tools"] if tool["name"] == "mcp__local_small__echo"]
    assert (echo["title"], echo["source"], echo["shown"]) == ("echo", "mcp:small", "catalogue")
    assert echo["rule"]["action"] == "ask"
    (note,) = told["notes"]
    assert "broken" in note
