"""Whoever is alone on their own server starts MCP programs after one yes; with others, nobody does."""

import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from live_server import Caller, LiveServer, open_live_server
from mcp_openers import SMALL_SERVER

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.owner import Owner
from dataagent_server.agents.mcp_servers.limits import POLICY_ENTRIES_MAX
from dataagent_server.agents.mcp_servers.mcp_server import ServerScope
from dataagent_server.agents.mcp_servers.tenant_opener import with_workspace
from dataagent_server.common.ids import DEFAULT_ADMIN, DEFAULT_TENANT
from dataagent_server.identity.auth.principal import Principal, operator
from tests.server.fixtures import MakeSettings

FOLDER = str(Path(SMALL_SERVER).parent)
MINE = f"/users/{DEFAULT_ADMIN}/mcp-servers"


@dataclass
class Alone:
    """A fresh server and its owner, nobody else."""

    live: LiveServer
    owner: Caller

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        answer = await self.live.http.request(
            method, f"/api/v1{path}", json=body, headers=self.owner.headers
        )
        return answer.status_code, answer.json() if answer.content else None

    async def chat(self) -> dict[str, Any]:
        return await self.live.chat(self.owner, "call the small server")

    async def answer(self, asked: dict[str, Any], decision: dict[str, Any]) -> list[dict[str, Any]]:
        """Answer what a run waits for, and give all its events once it waits again or is over."""
        session, last = asked["session_id"], asked["events"][-1]
        path = f"/requests/{last['interrupt_id']}"
        assert (await self.ask("POST", path, {"decision": decision}))[0] == 200
        states = ("waiting_approval", "completed", "failed", "cancelled")
        await self.live.reached(self.owner, session, *states)
        return await self.events(session)

    async def events(self, session: str) -> list[dict[str, Any]]:
        return (await self.ask("GET", f"/sessions/{session}/events"))[1]["events"]


@pytest.fixture
async def alone(make_settings: MakeSettings, database_url: str) -> AsyncGenerator[Alone]:
    async with open_live_server(make_settings(database_url=database_url)) as live:
        keys = live.services.people.keys
        made = await keys.create(operator(DEFAULT_TENANT), "first", user_id=DEFAULT_ADMIN)
        who = Principal(DEFAULT_TENANT, DEFAULT_ADMIN, "owner")
        yield Alone(live, Caller(who, made.secret))


def small(*more: str) -> dict[str, Any]:
    args = ["-I", "-S", str(SMALL_SERVER), *more]
    return {"name": "small", "command": sys.executable, "args": args, "read_paths": [FOLDER]}


def questions(events: list[dict[str, Any]]) -> list[str]:
    asked = [event for event in events if event["event_type"] == "hitl_request"]
    return [event["action_requests"][0]["name"] for event in asked]


@pytest.mark.requirement("F16-B5-mcp-personal")
async def test_s0s_example_is_stored_and_asked_about_once(alone: Alone):
    assert (await alone.ask("POST", MINE, small()))[0] == 201
    first = await alone.chat()
    request = first["events"][-1]["action_requests"][0]
    assert (first["status"], request["name"]) == ("waiting", "start_mcp_program")
    assert request["args"]["command"].startswith(sys.executable)
    assert request["args"]["read_paths"] == [FOLDER]
    assert (request["args"]["network"], request["args"]["env"]) == ("full", [])
    events = await alone.answer(first, {"type": "approve"})
    # From here on it is as with any tool: its calls are asked about, its start is not.
    assert questions(events) == ["start_mcp_program", "mcp__local_small__echo"]
    approved = {"session_id": first["session_id"], "events": [events[-1]]}
    events = await alone.answer(approved, {"type": "approve"})
    (result,) = [event for event in events if event["event_type"] == "tool_result"]
    assert "from far away" in str(result["result"])
    assert questions((await alone.chat())["events"]) == ["mcp__local_small__echo"]


@pytest.mark.requirement("F16-B5-mcp-personal")
async def test_a_program_without_a_yes_is_left_out_and_the_run_goes_on(alone: Alone):
    await alone.ask("POST", MINE, small())
    status, told = await alone.ask("POST", "/mcp/servers/small/test")
    assert (status, told["status"]) == (200, "error")
    assert "not allowed yet" in told["detail"]
    asked = await alone.chat()
    events = await alone.answer(asked, {"type": "respond", "message": "not now"})
    (warning,) = [event for event in events if event["event_type"] == "warning"]
    assert "not allowed yet" in warning["message"]
    assert events[-1]["reason"] == "completed"


@pytest.mark.requirement("F16-B5-mcp-personal")
async def test_a_server_says_that_its_program_waits_for_a_yes(alone: Alone):
    async def waits() -> bool:
        (listed,) = (await alone.ask("GET", "/mcp/servers"))[1]["items"]
        one = (await alone.ask("GET", "/mcp/servers/small"))[1]
        assert one["needs_allow"] == listed["needs_allow"]
        return listed["needs_allow"]

    _, made = await alone.ask("POST", MINE, small())
    assert made["needs_allow"]
    assert await waits()
    await alone.ask("POST", "/mcp/servers/small/allow")
    assert not await waits()
    await alone.ask("PATCH", f"{MINE}/small", {"args": small("--name", "x")["args"]})
    assert await waits()
    await alone.ask("PATCH", f"{MINE}/small", {"disabled": True})
    assert not await waits()


@pytest.mark.every_database
@pytest.mark.requirement("F16-B5-mcp-personal")
async def test_a_yes_is_for_this_program_with_these_arguments(alone: Alone):
    await alone.ask("POST", MINE, small())
    assert (await alone.ask("POST", "/mcp/servers/small/allow"))[0] == 204
    status, told = await alone.ask("POST", "/mcp/servers/small/test")
    assert (status, told["status"]) == (200, "connected"), told
    await alone.ask("PATCH", f"{MINE}/small", {"args": small("--name", "x")["args"]})
    assert (await alone.ask("POST", "/mcp/servers/small/test"))[1]["status"] == "error"
    await alone.ask("PATCH", f"{MINE}/small", {"args": small()["args"]})
    assert (await alone.ask("PATCH", "/mcp/policy", {"programs": []}))[0] == 200
    assert (await alone.ask("POST", "/mcp/servers/small/test"))[1]["status"] == "error"


@pytest.mark.every_database
@pytest.mark.requirement("F16-B5-mcp-personal")
@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"env": {"TOKEN": "secret-2"}}, {"env": ["TOKEN"], "network": "hosts"}),
        ({"network": "full", "hosts": []}, {"env": ["TOKEN"], "network": "full"}),
        ({"hosts": ["b.example"]}, {"network": "hosts", "hosts": ["b.example"]}),
    ],
    ids=str,
)
async def test_what_a_program_may_reach_and_its_variables_are_shown_and_asked_about_anew(
    alone: Alone, change: dict[str, Any], shown: dict[str, Any]
):
    reach = {"network": "hosts", "hosts": ["a.example"], "env": {"TOKEN": "secret-1"}}
    await alone.ask("POST", MINE, small() | reach)
    await alone.ask("POST", "/mcp/servers/small/allow")
    assert questions((await alone.chat())["events"]) == ["mcp__local_small__echo"]
    assert (await alone.ask("PATCH", f"{MINE}/small", change))[0] == 200
    asked = await alone.chat()
    assert questions(asked["events"]) == ["start_mcp_program"]
    request = asked["events"][-1]["action_requests"][0]
    assert shown.items() <= request["args"].items()
    assert "secret-" not in str(asked["events"])


@pytest.mark.requirement("F16-B5-mcp-personal")
async def test_a_key_that_may_only_chat_cannot_let_a_program_start(alone: Alone):
    await alone.ask("POST", MINE, small())
    _, key = await alone.ask("POST", "/keys", {"name": "chat", "scopes": ["chat"]})
    chat = Alone(alone.live, Caller(alone.owner.who, key["secret"]))
    status, told = await chat.ask("POST", "/mcp/servers/small/allow")
    assert (status, told["error_code"]) == (403, "PERMISSION_DENIED")
    asked = await chat.chat()
    path = f"/requests/{asked['events'][-1]['interrupt_id']}"
    status, told = await chat.ask("POST", path, {"decision": {"type": "approve"}})
    assert (status, told["error_code"]) == (403, "PERMISSION_DENIED")
    assert "scope 'admin'" in told["message"]
    assert (await alone.ask("GET", "/mcp/policy"))[1]["programs"] == []
    # It may still say no.
    assert questions(await chat.answer(asked, {"type": "reject"})) == ["start_mcp_program"]


@pytest.mark.requirement("F16-B5-mcp-personal")
async def test_who_allowed_a_program_is_on_record_with_their_key(alone: Alone):
    await alone.ask("POST", MINE, small())
    (key,) = (await alone.ask("GET", "/keys"))[1]["items"]
    actor = f"user:{DEFAULT_ADMIN} key:{key['key_id']}"
    await alone.ask("POST", "/mcp/servers/small/allow")
    _, page = await alone.ask("GET", "/audit?action=mcp_policy.change")
    assert [one["actor"] for one in page["items"]] == [actor]
    await alone.ask("PATCH", "/mcp/policy", {"programs": []})
    await alone.answer(await alone.chat(), {"type": "approve"})
    _, page = await alone.ask("GET", "/audit?action=mcp_server.allow")
    assert [one["actor"] for one in page["items"]] == [actor]


@pytest.mark.requirement("F16-B5-mcp-personal")
async def test_a_server_at_an_address_has_no_program_to_allow(alone: Alone):
    body = {"name": "far", "transport": "http", "url": "https://93.184.216.34/mcp"}
    assert (await alone.ask("POST", MINE, body))[0] == 201
    status, told = await alone.ask("POST", "/mcp/servers/far/allow")
    assert (status, "starts no program" in told["message"]) == (409, True)
    assert (await alone.ask("GET", "/mcp/policy"))[1]["programs"] == []


@pytest.mark.requirement("F16-B5-mcp-personal")
async def test_one_more_yes_than_are_kept_takes_the_place_of_the_oldest(alone: Alone):
    kept = [f"program {number}" for number in range(POLICY_ENTRIES_MAX)]
    policy = alone.live.services.mcp.policy
    await policy.change(alone.owner.who, {"programs": tuple(kept)})
    await alone.ask("POST", MINE, small())
    events = await alone.answer(await alone.chat(), {"type": "approve"})
    assert questions(events) == ["start_mcp_program", "mcp__local_small__echo"]
    programs = (await alone.ask("GET", "/mcp/policy"))[1]["programs"]
    assert programs[:-1] == kept[1:]
    assert programs[-1].startswith(sys.executable)


@pytest.mark.requirement("F16-B5-mcp-personal")
async def test_a_program_whose_path_has_a_space_starts_after_a_yes(alone: Alone, tmp_path: Path):
    folder = tmp_path / "my programs"
    folder.mkdir()
    program = folder / Path(sys.executable).name
    program.symlink_to(sys.executable)
    await alone.ask("POST", MINE, small() | {"command": str(program)})
    await alone.ask("POST", "/mcp/servers/small/allow")
    status, told = await alone.ask("POST", "/mcp/servers/small/test")
    assert (status, told["status"]) == (200, "connected"), told


@pytest.mark.requirement("F16-B5-mcp-personal")
async def test_with_a_second_person_only_the_policy_counts(alone: Alone):
    await alone.ask("POST", MINE, small())
    await alone.ask("POST", "/mcp/servers/small/allow")
    ann = await alone.live.person("ann")
    _, told = await alone.ask("POST", "/mcp/servers/small/test")
    assert "no program is allowed here" in told["detail"]
    assert (await alone.ask("POST", "/mcp/servers/small/allow"))[0] == 403
    assert (await alone.ask("POST", MINE, small() | {"name": "other"}))[0] == 422
    done = await alone.chat()
    assert (done["status"], questions(done["events"])) == ("done", [])
    answer = await alone.live.http.post(
        f"/api/v1/users/{ann.who.user_id}/mcp-servers", json=small(), headers=ann.headers
    )
    assert answer.status_code == 422


@pytest.mark.requirement("F16-B5-mcp-personal")
async def test_the_workspace_of_s0s_example_is_the_persons_own(alone: Alone):
    await alone.ask("POST", MINE, small("--name", "/workspace"))
    await alone.ask("POST", "/mcp/servers/small/allow")
    services = alone.live.services
    found = await services.mcp.servers.get(alone.owner.who, "small", ServerScope(DEFAULT_ADMIN))
    connection = services.mcp.manager.connection(Owner(DEFAULT_TENANT, DEFAULT_ADMIN), found.config)
    await connection.tools()
    (folder,) = (services.settings.workspaces).glob("**/files")
    await connection.call("write", {"path": f"{folder}/a.txt", "text": "hi"}, timeout_s=20)
    assert (folder / "a.txt").read_text() == "hi"


def test_the_workspace_is_declared_where_an_argument_names_it():
    config = MCPServerConfig(name="f", command="uvx", args=["mcp-server-filesystem", "/workspace"])
    changed = with_workspace(config)
    assert changed.args == ["mcp-server-filesystem", "${WORKSPACE}"]
    assert changed.write_paths == ["${WORKSPACE}"]
    other = MCPServerConfig(name="f", command="uvx", args=["/workspaces", "x/workspace"])
    assert with_workspace(other) is other
