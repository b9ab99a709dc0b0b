"""Roots: a server that may see the workspace is told of it, and nobody is told of anything else."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp_offering import Offering, config, listed, text
from mcp_openers import ALICE, in_process_opener, small, text_of
from mcp_types import InputRequiredResult, ListRootsRequest

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.roots import roots_in, visible_workspace

MakeManager = Callable[..., MCPConnectionManager]


async def told(manager: MCPConnectionManager, server: MCPServerConfig) -> tuple[Any, Any]:
    """Give what the client declares and what it answers."""
    answer = await manager.connection(ALICE, server).call("roots", {}, timeout_s=20)
    declared, roots = json.loads(text_of(answer))
    return declared, roots


async def test_a_program_that_may_see_the_workspace_is_told_of_it_and_of_nothing_else(
    make_manager: MakeManager, tmp_path: Path
):
    manager = make_manager(roots_for=roots_in(tmp_path))
    declared, answer = await told(manager, replace(small(), read_paths=[str(tmp_path)]))
    assert "roots" in declared
    assert answer == {"roots": [{"uri": tmp_path.as_uri(), "name": "workspace"}]}
    declared, answer = await told(manager, small(name="other"))
    assert "roots" not in declared
    assert answer["code"] < 0


async def test_a_modern_server_is_answered_within_its_call(tmp_path: Path):
    offering = Offering()

    async def handle(_: Any, params: Any) -> Any:
        if params.input_responses is None:
            return InputRequiredResult(
                input_requests={"r": ListRootsRequest()}, request_state="asked"
            )
        return text(str(params.input_responses["r"].roots[0].uri))

    offering.handle = handle

    offering.tools = [listed("roots")]
    opener = in_process_opener(lambda _owner, _config: offering.server())
    manager = MCPConnectionManager(opener, roots_for=roots_in(tmp_path))
    try:
        server = manager.connection(ALICE, config(write_paths=[str(tmp_path)]))
        assert text_of(await server.call("roots", {}, timeout_s=20)) == tmp_path.as_uri()
    finally:
        await manager.aclose()


@pytest.mark.parametrize(
    ("declared", "sandboxed", "found"),
    [
        ([], True, None),
        ([], False, "work"),
        (["work"], True, "work"),
        (["."], True, "work"),
        (["link"], True, "link"),
        (["work/inner", "other"], True, None),
        (["wor"], True, None),
    ],
)
def test_the_workspace_is_named_as_the_program_finds_it(
    tmp_path: Path, declared: list[str], sandboxed: bool, found: str | None
):
    work = tmp_path / "work"
    for folder in (work / "inner", tmp_path / "other", tmp_path / "wor"):
        folder.mkdir(parents=True)
    (tmp_path / "link").symlink_to(work)
    server = small()
    server = replace(server, read_paths=[str(tmp_path / one) for one in declared])
    expected = None if found is None else tmp_path / found
    assert visible_workspace(work, server, sandboxed=sandboxed) == expected


def test_a_server_at_an_address_is_told_nothing(tmp_path: Path):
    server = MCPServerConfig(
        name="x", transport="http", url="https://x.example", read_paths=[str(tmp_path)]
    )
    assert visible_workspace(tmp_path, server, sandboxed=False) is None
