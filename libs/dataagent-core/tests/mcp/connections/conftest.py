"""A manager over real processes, and the proof that it leaves none behind."""

from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest
from leftovers import Leftovers
from mcp_openers import CountingOpener, plain_opener

from dataagent_core.mcp.connections import ConnectionLimits, MCPConnectionManager

MakeManager = Callable[..., MCPConnectionManager]


@pytest.fixture
def opener(tmp_path: Path) -> CountingOpener:
    return CountingOpener(plain_opener(tmp_path))


@pytest.fixture
async def make_manager(opener: CountingOpener) -> AsyncGenerator[MakeManager]:
    """Make managers that are closed at the end, with nothing left of them."""
    made: list[MCPConnectionManager] = []
    left = Leftovers()

    def make(limits: ConnectionLimits | None = None, **more: object) -> MCPConnectionManager:
        manager = MCPConnectionManager(opener, limits or ConnectionLimits(), **more)  # type: ignore[arg-type]
        made.append(manager)
        return manager

    yield make
    for manager in made:
        await manager.aclose()
    assert opener.open_now == 0
    await left.is_nothing()


@pytest.fixture
def manager(make_manager: MakeManager) -> MCPConnectionManager:
    return make_manager()
