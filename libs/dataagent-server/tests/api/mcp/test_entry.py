"""Who gets into `/mcp`, and what they are told who do not."""

import httpx
import pytest
from live_server import LiveServer, open_live_server
from mcp_client import mcp_client

from tests.server.fixtures import MakeSettings

DISCOVER = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/list",
    "params": {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    },
}
HEADERS = {
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/list",
}


async def asked(live: LiveServer, **headers: str) -> httpx.Response:
    return await live.http.post("/mcp", json=DISCOVER, headers=HEADERS | headers)


async def test_nobody_is_told_how_to_come_in(live: LiveServer):
    answer = await asked(live)
    assert (answer.status_code, answer.json()["error_code"]) == (401, "UNAUTHENTICATED")
    assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_a_wrong_key_is_refused(live: LiveServer):
    answer = await asked(live, **{"X-API-Key": "dak_wrong"})
    assert answer.status_code == 401


async def test_a_key_counts_in_either_header(live: LiveServer):
    ann = await live.person()
    for headers in (ann.headers, {"Authorization": f"Bearer {ann.key}"}):
        answer = await asked(live, **headers)
        assert answer.status_code == 200, answer.text
        assert "sql_query" in answer.text


async def test_a_browser_that_is_signed_in_may_not_call_tools(live: LiveServer):
    signed_in = await live.http.post(
        "/api/v1/auth/login", json={"username": "nobody", "password": "x" * 12}
    )
    assert signed_in.status_code == 401
    answer = await asked(live, Cookie="dataagent_session=anything")
    assert answer.status_code == 401


async def test_another_machine_s_name_is_not_answered_to(live: LiveServer):
    ann = await live.person()
    assert (await asked(live, Host="evil.example", **ann.headers)).status_code == 421
    assert (await asked(live, Origin="http://evil.example", **ann.headers)).status_code == 403


async def test_the_public_name_is_answered_to(make_settings: MakeSettings):
    settings = make_settings(public_url="https://data.example.com")
    async with open_live_server(settings) as live:
        ann = await live.person()
        public = {"Host": "data.example.com", "Origin": "https://data.example.com"}
        answer = await asked(live, **public, **ann.headers)
        assert answer.status_code == 200, answer.text


async def test_it_can_be_switched_off(make_settings: MakeSettings):
    async with open_live_server(make_settings(mcp_enabled="false")) as live:
        ann = await live.person()
        assert (await asked(live, **ann.headers)).status_code == 404


async def test_a_body_that_is_too_large_is_refused(make_settings: MakeSettings):
    async with open_live_server(make_settings(max_body_bytes="2000")) as live:
        ann = await live.person()
        answer = await live.http.post("/mcp", content=b"x" * 3_000, headers=HEADERS | ann.headers)
        assert (answer.status_code, answer.json()["error_code"]) == (413, "PAYLOAD_TOO_LARGE")


async def test_a_session_is_worth_nothing_with_another_key(live: LiveServer):
    ann, bob = await live.person(), await live.person("bob")
    opening = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    accept = {"Accept": "application/json, text/event-stream"}
    opened = await live.http.post("/mcp", json=opening, headers=accept | ann.headers)
    session = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    stolen = await live.http.post("/mcp", json=listing, headers=accept | session | bob.headers)
    own = await live.http.post("/mcp", json=listing, headers=accept | session | ann.headers)
    assert (stolen.status_code, own.status_code) == (404, 200)


async def test_several_processes_keep_no_sessions(make_settings: MakeSettings):
    async with open_live_server(make_settings(mcp_stateless="true")) as live:
        ann = await live.person()
        async with mcp_client(live, ann.headers, "legacy") as client:
            answer = await client.call_tool("ls", {"path": "/"})
            assert not answer.is_error


@pytest.mark.parametrize("role", ["viewer", "member"])
async def test_a_role_decides_what_is_offered(live: LiveServer, role: str):
    ann = await live.person("ann", role)  # pyright: ignore[reportArgumentType] (a role's name)
    async with mcp_client(live, ann.headers) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
    assert ("read_file" in names, "ask_agent" in names) == (True, role == "member")
    assert ("sql_query" in names) == (role == "member")


async def test_the_metrics_name_it_by_its_path(live: LiveServer):
    ann = await live.person()
    await asked(live, **ann.headers)
    counted = (await live.http.get("/metrics")).text
    assert 'method="POST",route="/mcp",status="200"' in counted
