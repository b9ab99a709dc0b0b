"""Resources and prompts over a connection: paged, bounded, and only where they are declared."""

import json
import sys
from typing import Any

import pytest
from mcp_openers import ALICE, CountingOpener

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager

# Answers each method as the dictionary in its first argument says: a value, or a list of pages.
# It writes down the methods it is asked, and gives that list as the resource `asked:`.
CONTENT = """
import json, sys
says = json.loads(sys.argv[1])
asked = []
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method, params = message["method"], message.get("params") or {}
    asked.append(method)
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if method == "initialize":
        answer["result"] = {"protocolVersion": "2025-11-25", "capabilities": says["has"],
            "serverInfo": {"name": "content", "version": "1"}}
    elif method == "tools/list":
        answer["result"] = {"tools": []}
    elif params.get("uri") == "asked:":
        answer["result"] = {"contents": [{"uri": "asked:", "text": json.dumps(asked)}]}
    elif params.get("uri") == "huge:":
        answer["result"] = {"contents": [{"uri": "huge:", "text": "x" * (17 << 20)}]}
    elif params.get("uri") == "change:":
        answer["result"] = {"contents": []}
        print(json.dumps({"jsonrpc": "2.0",
            "method": "notifications/resources/list_changed"}), flush=True)
    elif method in says:
        said = says[method]
        if isinstance(said, list):
            cursor = int(params.get("cursor", 0))
            answer["result"] = dict(said[cursor % len(said)])
            if cursor + 1 < len(said) or says.get("endless"):
                answer["result"]["nextCursor"] = str(cursor + 1)
        else:
            answer["result"] = said
    else:
        answer["error"] = {"code": -32602, "message": "no such thing"}
    print(json.dumps(answer), flush=True)
"""

RESOURCES: dict[str, Any] = {"resources": {"listChanged": True}}


def content(**says: Any) -> MCPServerConfig:
    said = json.dumps({"has": RESOURCES, **says})
    return MCPServerConfig(
        name="content", command=sys.executable, args=["-I", "-S", "-c", CONTENT, said]
    )


def page(*names: str) -> dict[str, Any]:
    return {"resources": [{"uri": f"test:{name}", "name": name} for name in names]}


def templates(*names: str) -> dict[str, Any]:
    return {"resourceTemplates": [{"uriTemplate": f"{n}:{{id}}", "name": n} for n in names]}


async def asked_of(manager: MCPConnectionManager, config: MCPServerConfig) -> list[str]:
    found = await manager.connection(ALICE, config).read_resource("asked:", timeout_s=10)
    return json.loads(found.contents[0].text)  # type: ignore[union-attr]


async def test_all_pages_of_resources_and_templates_are_followed(manager: MCPConnectionManager):
    said = {
        "resources/list": [page("a", "b"), page("b", "c")],
        "resources/templates/list": [templates("t")],
    }
    listing = await manager.connection(ALICE, content(**said)).resources()
    assert [one.uri for one in listing.resources] == ["test:a", "test:b", "test:c"]
    assert [one.uri_template for one in listing.templates] == ["t:{id}"]
    assert listing.note == ""


async def test_a_listing_is_asked_once_until_the_server_says_that_it_changed(
    manager: MCPConnectionManager,
):
    config = content(**{"resources/list": [page("a")], "resources/templates/list": [templates()]})
    server = manager.connection(ALICE, config)
    for _ in range(3):
        await server.resources()
    assert (await asked_of(manager, config)).count("resources/list") == 1
    await server.read_resource("change:", timeout_s=10)
    await server.resources()
    assert (await asked_of(manager, config)).count("resources/list") == 2


@pytest.mark.parametrize(
    ("pages", "count", "note"),
    [
        ([page(*(str(n) for n in range(1_500)))], 1_000, "more than 1,000 resources"),
        ([page("a"), page("b")], 2, "more than 100 pages"),
        ([{"resources": [{"uri": "x:y"}, *page("a")["resources"]]}], 1, "left out: number 1"),
    ],
)
async def test_a_listing_of_resources_has_its_limits(
    manager: MCPConnectionManager, pages: list[Any], count: int, note: str
):
    said = {"resources/list": pages, "resources/templates/list": [templates()]}
    config = content(**said, endless=len(pages) > 1)
    listing = await manager.connection(ALICE, config).resources()
    assert len(listing.resources) == count
    assert note in listing.note


async def test_a_server_that_declares_nothing_is_asked_for_nothing(
    manager: MCPConnectionManager, opener: CountingOpener
):
    config = content(has={"resources": {}})
    without = content(has={})
    server = manager.connection(ALICE, without)
    assert (await server.resources()).resources == ()
    assert (await server.prompts()).prompts == ()
    with pytest.raises(MCPServerError, match="has no resources"):
        await server.read_resource("asked:", timeout_s=10)
    with pytest.raises(MCPServerError, match="has no prompts"):
        await server.get_prompt("p", {}, timeout_s=10)
    await manager.connection(ALICE, config).tools()
    asked = await asked_of(manager, config)
    assert [method for method in asked if not method.startswith("server/")] == [
        "initialize",
        "tools/list",
        "resources/read",
    ]


async def test_what_is_refused_wrong_or_too_large_is_a_sentence_about_the_server(
    manager: MCPConnectionManager,
):
    server = manager.connection(ALICE, content())
    with pytest.raises(MCPServerError, match=r"refused the reading of 'no:such': no such thing"):
        await server.read_resource("no:such", timeout_s=10)
    wrong = manager.connection(ALICE, content(**{"resources/read": {"contents": [{"text": 1}]}}))
    with pytest.raises(MCPServerError, match="no valid result"):
        await wrong.read_resource("test:a", timeout_s=10)
    with pytest.raises(MCPServerError, match="16 MiB"):
        await server.read_resource("huge:", timeout_s=30)
    # The next request connects again.
    assert (await asked_of(manager, content()))[-1] == "resources/read"


async def test_prompts_are_listed_and_filled_in(manager: MCPConnectionManager):
    said = {
        "has": {"prompts": {}},
        "prompts/list": [{"prompts": [{"name": "p", "arguments": [{"name": "x"}]}]}],
        "prompts/get": {
            "messages": [{"role": "user", "content": {"type": "text", "text": "Do it."}}]
        },
    }
    server = manager.connection(ALICE, content(**said))
    (prompt,) = (await server.prompts()).prompts
    assert prompt.name == "p"
    result = await server.get_prompt("p", {"x": "1"}, timeout_s=10)
    assert result.messages[0].content.text == "Do it."  # type: ignore[union-attr]
