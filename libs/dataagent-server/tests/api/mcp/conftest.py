from collections.abc import AsyncGenerator

import pytest
from talking import Talk, talking

from tests.server.fixtures import MakeSettings


@pytest.fixture
async def talk(make_settings: MakeSettings) -> AsyncGenerator[Talk]:
    """The server on a port of its own, with its default settings."""
    async with talking(make_settings()) as running:
        yield running
