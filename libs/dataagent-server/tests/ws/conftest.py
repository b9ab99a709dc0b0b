from collections.abc import AsyncGenerator

import pytest
from live_server import LiveServer, open_live_server

from tests.server.fixtures import MakeSettings


@pytest.fixture
async def live(make_settings: MakeSettings) -> AsyncGenerator[LiveServer]:
    """The server on a port of its own, with its default settings."""
    async with open_live_server(make_settings()) as running:
        yield running
