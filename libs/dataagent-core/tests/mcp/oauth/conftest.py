"""One authorization server with its MCP server for each test."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from mcp_auth_server import AuthServer, auth_server
from mcp_people import a_store

from dataagent_core.mcp.oauth import FileTokenStore


@pytest.fixture
async def server() -> AsyncGenerator[AuthServer]:
    async with auth_server() as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> FileTokenStore:
    return a_store(tmp_path)
