"""A server within the process, its manager, and what agents share of both."""

from collections.abc import AsyncGenerator

import pytest
from mcp_offering import Offering, managed

from dataagent_core.mcp.access import MCPAccess


@pytest.fixture
def offering() -> Offering:
    return Offering()


@pytest.fixture
async def access(offering: Offering) -> AsyncGenerator[MCPAccess]:
    async with managed(offering) as manager:
        made = MCPAccess(manager)
        yield made
        await made.held.aclose()
