from collections.abc import AsyncGenerator

import pytest
from talking import Talk, talking

from tests.server.fixtures import MakeSettings


@pytest.fixture
async def talk(make_settings: MakeSettings) -> AsyncGenerator[Talk]:
    """The server on a port of its own; hundreds of requests a second are the point."""
    async with talking(make_settings(rate_limit_per_minute="0")) as running:
        yield running
