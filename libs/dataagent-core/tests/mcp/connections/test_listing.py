"""What a server lists: within limits, kept, followed when it changes, known without a start."""

import json
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from leftovers import becomes
from mcp_openers import ALICE, BOB, CountingOpener, link_of, small, text_of

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager

MakeManager = Callable[..., MCPConnectionManager]

# Lists what the code in its first argument gives for each page.
LISTER = """
import json, sys
def page(cursor): return eval(sys.argv[1])
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    match message["method"]:
        case "initialize":
            answer["result"] = {"protocolVersion": "2025-11-25", "capabilities": {},
                "serverInfo": {"name": "lister", "version": "1"}}
        case "tools/list":
            cursor = int((message.get("params") or {}).get("cursor", 0))
            tools, following = page(cursor)
            if tools is None:
                answer["error"] = {"code": -32601, "message": "no tools here"}
            else:
                answer["result"] = {"tools": [{"name": name, "description": text,
                    "inputSchema": {"type": "object"}} for name, text in tools]}
                if following is not None:
                    answer["result"]["nextCursor"] = str(following)
        case "tools/call":
            answer["result"] = {"content": [{"type": "text", "text": "called"}]}
        case _:
            answer["error"] = {"code": -32601, "message": "unknown"}
    print(json.dumps(answer), flush=True)
"""


def lister(page: str) -> MCPServerConfig:
    args = ["-I", "-S", "-c", LISTER, page]
    return MCPServerConfig(name="lister", command=sys.executable, args=args)


async def test_all_pages_are_followed(manager: MCPConnectionManager):
    server = manager.connection(
        ALICE, lister("[(f't{cursor}', 'x')], cursor + 1 if cursor < 9 else None")
    )
    assert [tool.name for tool in await server.tools()] == [f"t{number}" for number in range(10)]
    assert server.status.detail == ""


@pytest.mark.parametrize(
    ("page", "count", "note"),
    [
        ("[(f't{cursor}', 'x')], cursor + 1", 100, "more than 100 pages"),
        ("[(f't{cursor}', 'x')], cursor + 1 if cursor < 2 else 1", 3, "goes in a circle"),
        ("[(f't{n}', 'x') for n in range(1_500)], None", 1_000, "more than 1,000 tools"),
        ("[(f't{n}', 'x' * 1_000_000) for n in range(9)], None", 4, "more than 4 MB"),
        ("[('same', 'one'), ('same', 'two'), ('other', 'x')], None", 2, ""),
        ("None, None", 0, ""),
    ],
)
async def test_a_listing_has_its_limits(
    manager: MCPConnectionManager, page: str, count: int, note: str
):
    server = manager.connection(ALICE, lister(page))
    tools = await server.tools()
    assert len(tools) == len({tool.name for tool in tools}) == count
    assert note in server.status.detail
    assert bool(note) == bool(server.status.detail)
    if count:
        assert text_of(await server.call(tools[-1].name, {}, timeout_s=10)) == "called"


async def test_one_tuple_stands_for_one_listing(
    manager: MCPConnectionManager, opener: CountingOpener
):
    server = manager.connection(ALICE, small())
    tools = await server.tools()
    assert await server.tools() is tools
    assert await server.tools(fresh=True) is tools
    await manager.disconnect_user(ALICE)
    # Known from before: nothing is started for it.
    assert await manager.connection(ALICE, small()).tools() is tools
    assert len(opener.opened) == 1
    assert await server.tools(fresh=True) is tools
    assert len(opener.opened) == 2


async def test_a_change_that_the_server_tells_of_is_picked_up(manager: MCPConnectionManager):
    server = manager.connection(ALICE, small())
    before = await server.tools(fresh=True)
    await server.call("add_tool", {"name": "extra"}, timeout_s=10)
    line = link_of(server)
    await becomes(lambda: line.listed is not before)
    after = await server.tools()
    assert [tool.name for tool in after] == [*(tool.name for tool in before), "extra"]
    assert text_of(await server.call("extra", {}, timeout_s=10)) == "added extra"


async def test_a_tool_that_is_not_what_the_caller_knows_is_not_called(
    manager: MCPConnectionManager, tmp_path: Path
):
    words = tmp_path / "words"
    words.write_text("harmless")
    server = manager.connection(ALICE, lister(f"[('t', open({str(words)!r}).read())], None"))
    (known,) = await server.tools()
    assert text_of(await server.call("t", {}, timeout_s=10, expected=known)) == "called"
    await manager.disconnect_user(ALICE)
    words.write_text("harmful")
    assert await server.tools() == (known,)
    with pytest.raises(MCPServerError, match="changed its tool 't' since it was listed"):
        await server.call("t", {}, timeout_s=10, expected=known)
    (now,) = await server.tools()
    assert now.description == "harmful"
    assert text_of(await server.call("t", {}, timeout_s=10, expected=now)) == "called"


async def test_a_tool_that_vanished_is_a_clear_error(manager: MCPConnectionManager, tmp_path: Path):
    names = tmp_path / "names"
    names.write_text("old")
    server = manager.connection(ALICE, lister(f"[(open({str(names)!r}).read(), '')], None"))
    await server.tools()
    await manager.disconnect_user(ALICE)
    names.write_text("new")
    with pytest.raises(MCPServerError, match=r"has no tool 'old' \(any more\). It has: new"):
        await server.call("old", {}, timeout_s=10)


async def test_a_listing_on_disk_outlives_the_process_and_is_its_owners_alone(
    make_manager: MakeManager, opener: CountingOpener, tmp_path: Path
):
    folder = tmp_path / "listings"
    first = make_manager(listings_folder=folder)
    tools = await first.connection(ALICE, small(SECRET="x")).tools()
    second = make_manager(listings_folder=folder)
    server = second.connection(ALICE, small(SECRET="x"))
    assert await server.tools() == tools
    assert len(opener.opened) == 1
    # Another secret or another person is another server.
    await second.connection(ALICE, small(SECRET="y")).tools()
    await second.connection(BOB, small(SECRET="x")).tools()
    assert len(opener.opened) == 3
    files = list(folder.iterdir())
    assert len(files) == 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("content", ["", "{", "[]", json.dumps({"tools": [{"name": 7}]})])
async def test_a_listing_on_disk_that_is_nonsense_is_asked_for_again(
    make_manager: MakeManager, opener: CountingOpener, tmp_path: Path, content: str
):
    first = make_manager(listings_folder=tmp_path / "listings")
    tools = await first.connection(ALICE, small()).tools()
    (file,) = (tmp_path / "listings").iterdir()
    file.write_text(content)
    second = make_manager(listings_folder=tmp_path / "listings")
    assert await second.connection(ALICE, small()).tools() == tools
    assert len(opener.opened) == 2


async def test_the_oldest_listings_on_disk_make_room(
    make_manager: MakeManager, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dataagent_core.mcp.connections.listing_cache.MCP_LISTING_FILES_MAX", 2)
    folder = tmp_path / "listings"
    manager = make_manager(listings_folder=folder)
    written: list[set[Path]] = []
    for number in range(4):
        await manager.connection(ALICE, small(N=f"{number}")).tools()
        for age, file in enumerate(sorted(folder.iterdir(), key=lambda one: one.stat().st_mtime)):
            os.utime(file, (age, age))
        written.append(set(folder.iterdir()))
    assert [len(files) for files in written] == [1, 2, 2, 2]
    assert written[1].isdisjoint(written[3])


async def test_a_folder_that_cannot_be_written_costs_only_the_keeping(
    make_manager: MakeManager, tmp_path: Path
):
    (tmp_path / "file").write_text("in the way")
    manager = make_manager(listings_folder=tmp_path / "file")
    assert await manager.connection(ALICE, small()).tools()
