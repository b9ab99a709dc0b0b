from collections.abc import AsyncGenerator, Iterator

import pytest
from live_server import LiveServer, open_live_server

from tests.counts import default_examples
from tests.server.fixtures import MakeSettings

# What is drawn is drawn for SQLite.
EXAMPLES_ON_SQLITE = 1_000


@pytest.fixture
async def live(make_settings: MakeSettings, database_url: str) -> AsyncGenerator[LiveServer]:
    """The server on a port of its own; hundreds of requests a second are the point."""
    # Runs are told all that is remembered: how well it fits depends on the secrets in it.
    settings = make_settings(
        rate_limit_per_minute="0", database_url=database_url, memory_recall_score="0"
    )
    async with open_live_server(settings) as running:
        yield running


@pytest.fixture
def examples_elsewhere() -> int:
    """How many examples show that the queries of the other databases keep apart too."""
    return max(2, default_examples() // 20)


@pytest.fixture
def turns(database_kind: str, examples_elsewhere: int) -> Iterator[int]:
    """One for each example that is worth its time on this database."""
    wanted = EXAMPLES_ON_SQLITE if database_kind == "sqlite" else examples_elsewhere
    return iter(range(wanted))
