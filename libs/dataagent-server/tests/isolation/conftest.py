from collections.abc import AsyncGenerator, Iterator

import pytest
from talking import Talk, talking

from tests.server.fixtures import MakeSettings

# What is drawn is drawn for SQLite; elsewhere the first few show that the queries keep apart too.
EXAMPLES = {"sqlite": 1_000, "mariadb": 5, "postgresql": 5}


@pytest.fixture
async def talk(make_settings: MakeSettings, database_url: str) -> AsyncGenerator[Talk]:
    """The server on a port of its own; hundreds of requests a second are the point."""
    settings = make_settings(rate_limit_per_minute="0", database_url=database_url)
    async with talking(settings) as running:
        yield running


@pytest.fixture
def turns(database_kind: str) -> Iterator[int]:
    """One for each example that is worth its time on this database."""
    return iter(range(EXAMPLES[database_kind]))
