"""Who gets into `/mcp`, and what they are told who do not."""

import httpx
import pytest
from mcp_talk import mcp_client
from talking import Talk, talking

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


async def asked(talk: Talk, **headers: str) -> httpx.Response:
    return await talk.http.post("/mcp", json=DISCOVER, headers=HEADERS | headers)


async def test_nobody_is_told_how_to_come_in(talk: Talk):
    answer = await asked(talk)
    assert (answer.status_code, answer.json()["error_code"]) == (401, "UNAUTHENTICATED")
    assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_a_wrong_key_is_refused(talk: Talk):
    answer = await asked(talk, **{"X-API-Key": "dak_wrong"})
    assert answer.status_code == 401


async def test_a_key_counts_in_either_header(talk: Talk):
    ann = await talk.person()
    for headers in (ann.headers, {"Authorization": f"Bearer {ann.key}"}):
        answer = await asked(talk, **headers)
        assert answer.status_code == 200, answer.text
        assert "sql_query" in answer.text


async def test_a_browser_that_is_signed_in_may_not_call_tools(talk: Talk):
    signed_in = await talk.http.post(
        "/api/v1/auth/login", json={"username": "nobody", "password": "x" * 12}
    )
    assert signed_in.status_code == 401
    answer = await asked(talk, Cookie="dataagent_session=anything")
    assert answer.status_code == 401


async def test_another_machine_s_name_is_not_answered_to(talk: Talk):
    ann = await talk.person()
    assert (await asked(talk, Host="evil.example", **ann.headers)).status_code == 421
    assert (await asked(talk, Origin="http://evil.example", **ann.headers)).status_code == 403


async def test_the_public_name_is_answered_to(make_settings: MakeSettings):
    settings = make_settings(public_url="https://data.example.com")
    async with talking(settings) as talk:
        ann = await talk.person()
        public = {"Host": "data.example.com", "Origin": "https://data.example.com"}
        answer = await asked(talk, **public, **ann.headers)
        assert answer.status_code == 200, answer.text


async def test_it_can_be_switched_off(make_settings: MakeSettings):
    async with talking(make_settings(mcp_enabled="false")) as talk:
        ann = await talk.person()
        assert (await asked(talk, **ann.headers)).status_code == 404


async def test_a_body_that_is_too_large_is_refused(make_settings: MakeSettings):
    async with talking(make_settings(max_body_bytes="2000")) as talk:
        ann = await talk.person()
        answer = await talk.http.post("/mcp", content=b"x" * 3_000, headers=HEADERS | ann.headers)
        assert (answer.status_code, answer.json()["error_code"]) == (413, "PAYLOAD_TOO_LARGE")


async def test_a_session_is_worth_nothing_with_another_key(talk: Talk):
    ann, bob = await talk.person(), await talk.person("bob")
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
    opened = await talk.http.post("/mcp", json=opening, headers=accept | ann.headers)
    session = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    stolen = await talk.http.post("/mcp", json=listing, headers=accept | session | bob.headers)
    own = await talk.http.post("/mcp", json=listing, headers=accept | session | ann.headers)
    assert (stolen.status_code, own.status_code) == (404, 200)


async def test_several_processes_keep_no_sessions(make_settings: MakeSettings):
    async with talking(make_settings(mcp_stateless="true")) as talk:
        ann = await talk.person()
        async with mcp_client(talk, ann.headers, "legacy") as client:
            answer = await client.call_tool("ls", {"path": "/"})
            assert not answer.is_error


@pytest.mark.parametrize("role", ["viewer", "member"])
async def test_a_role_decides_what_is_offered(talk: Talk, role: str):
    ann = await talk.person("ann", role)  # pyright: ignore[reportArgumentType] (a role's name)
    async with mcp_client(talk, ann.headers) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
    assert ("read_file" in names, "ask_agent" in names) == (True, role == "member")
    assert ("sql_query" in names) == (role == "member")


async def test_the_metrics_name_it_by_its_path(talk: Talk):
    ann = await talk.person()
    await asked(talk, **ann.headers)
    counted = (await talk.http.get("/metrics")).text
    assert 'method="POST",route="/mcp",status="200"' in counted
