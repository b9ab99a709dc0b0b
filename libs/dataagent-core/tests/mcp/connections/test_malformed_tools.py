"""One malformed tool costs a server that tool, and nothing else."""

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_openers import ALICE, text_of
from mcp_types import ListToolsResult
from mcp_types.methods import validate_server_result
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.connections.fetch_listing import ListingPages
from dataagent_core.mcp.tools import AgentServers

# Half a character, as a server that cuts texts by UTF-16 units sends it; read with a mark instead.
HALF: dict[str, Any] = {"name": "half", "inputSchema": {"type": "object"}, "title": "\ud83d"}
GOOD: dict[str, Any] = {"name": "good", "inputSchema": {"type": "object"}}

# Lists the tools in its first argument, as they are.
RAW_LISTER = """
import json, sys
tools = json.loads(sys.argv[1])
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    match message["method"]:
        case "initialize":
            answer["result"] = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "lister", "version": "1"}}
        case "tools/list":
            answer["result"] = {"tools": tools}
        case "tools/call":
            answer["result"] = {"content": [{"type": "text", "text": "called"}]}
        case _:
            answer["error"] = {"code": -32601, "message": "unknown"}
    print(json.dumps(answer), flush=True)
"""

MALFORMED: list[Any] = [
    {"name": "bad", "inputSchema": {}},
    {"name": "bad", "inputSchema": {"properties": {"a": {"type": "string"}}}},
    {"name": "bad"},
    {"name": "bad", "inputSchema": None},
    {"name": "bad", "inputSchema": []},
    {"name": "bad", "inputSchema": "object"},
    {"name": "bad", "inputSchema": True},
    {"name": "bad", "inputSchema": {"type": "array"}},
    {"name": "bad", "inputSchema": {"type": None}},
    {"name": "bad", "inputSchema": {"type": ["object", "null"]}},
    {"name": "bad", "inputSchema": {"type": "object", "properties": []}},
    {"name": "bad", "inputSchema": {"type": "object", "properties": {"a": 3}}},
    {"name": "bad", "inputSchema": {"type": "object", "required": "a"}},
    {"name": "bad", "inputSchema": {"type": "object"}, "description": {"text": "x"}},
    {"name": "bad", "inputSchema": {"type": "object"}, "annotations": "destructive"},
    {"name": "bad", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": "x"}},
    {"name": "bad", "inputSchema": {"type": "object"}, "outputSchema": {"type": "string"}},
    {"name": "bad", "inputSchema": {"type": "object"}, "outputSchema": []},
    {"name": "bad", "inputSchema": {"type": "object"}, "icons": [{}]},
    {"name": "bad", "inputSchema": {"type": "object"}, "_meta": []},
    {"name": 7, "inputSchema": {"type": "object"}},
    {"inputSchema": {"type": "object"}},
    {},
    None,
    "bad",
    [],
]


def raw(*tools: Any) -> MCPServerConfig:
    args = ["-I", "-S", "-c", RAW_LISTER, json.dumps(tools)]
    return MCPServerConfig(name="lister", command=sys.executable, args=args)


async def test_a_server_whose_list_holds_every_malformed_tool_keeps_its_good_ones(
    manager: MCPConnectionManager,
) -> None:
    server = manager.connection(ALICE, raw(*MALFORMED, HALF, GOOD))
    assert [tool.name for tool in await server.tools()] == ["half", "good"]
    assert server.status.state == "connected"
    assert "'bad'" in server.status.detail
    assert f"and {len(MALFORMED) - 5} more" in server.status.detail
    assert text_of(await server.call("good", {}, timeout_s=10)) == "called"


@pytest.mark.parametrize("value", ["1" + "0" * 5_000, "[" * 2_000 + "]" * 2_000])
async def test_a_tool_that_makes_the_whole_message_unreadable_is_left_out_by_itself(
    manager: MCPConnectionManager, value: str
) -> None:
    bad = f'{{"name":"bad","inputSchema":{{"type":"object","required":{value}}}}}'
    program = RAW_LISTER.replace(
        "json.dumps(answer)", "json.dumps(answer).replace('7', sys.argv[2])"
    )
    args = ["-I", "-S", "-c", program, json.dumps([GOOD, 7]), bad]
    config = MCPServerConfig(name="lister", command=sys.executable, args=args)
    offered = await AgentServers(manager, ALICE, MCPConfig(servers=[config])).list_offers()
    assert [tool.name for tool in offered.tools] == ["mcp__local_lister__good"]


async def test_whoever_uses_the_server_is_told_which_tool_is_left_out_and_why(
    manager: MCPConnectionManager,
) -> None:
    config = raw({"name": "scale", "description": "Scale."}, GOOD)
    offered = await AgentServers(manager, ALICE, MCPConfig(servers=[config])).list_offers()
    assert [tool.name for tool in offered.tools] == ["mcp__local_lister__good"]
    (warning,) = offered.warnings
    assert "'scale'" in warning
    assert "inputSchema" in warning


def checked(version: str, page: dict[str, Any]) -> list[str]:
    """Read a page as the SDK does."""
    validate_server_result("tools/list", version, page)
    return [tool.name for tool in ListToolsResult.model_validate(page, by_name=False).tools]


def page_of(version: str, tools: list[Any]) -> dict[str, Any]:
    modern: dict[str, Any] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    return {**(modern if version in MODERN_PROTOCOL_VERSIONS else {}), "tools": tools}


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
@pytest.mark.parametrize("bad", MALFORMED, ids=lambda tool: json.dumps(tool)[:60])
def test_each_malformed_tool_is_left_out_by_itself(version: str, bad: Any) -> None:
    pages = ListingPages()
    pages.version = version
    page = page_of(version, [GOOD, bad])
    pages.remove_malformed(page)
    assert checked(version, page)[0] == "good"
    # What a later revision allows stays; what is taken out is named.
    assert len(page["tools"]) == (1 if pages.note else 2)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "required", "$ref", "x-mcp-header", "items", "a"]
            ),
            inner | st.sampled_from(["object", "string"]),
            max_size=4,
        )
    ),
    max_leaves=8,
)
fields = st.sampled_from(
    ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons",
     "_meta", "execution", "unheard_of"]
)  # fmt: skip
tools = json_values | st.dictionaries(fields, json_values | st.just({"type": "object"}))


@given(
    version=st.sampled_from(KNOWN_PROTOCOL_VERSIONS),
    before=st.lists(tools, max_size=4),
    after=st.lists(tools, max_size=4),
)
def test_property_whatever_is_listed_beside_it_a_good_tool_stays(
    version: str, before: list[Any], after: list[Any]
) -> None:
    pages = ListingPages()
    pages.version = version
    page = page_of(version, [*before, GOOD, *after])
    pages.remove_malformed(page)
    assert "good" in checked(version, page)
    left_out = len(before) + len(after) + 1 - len(page["tools"])
    assert bool(pages.note) == bool(left_out)
