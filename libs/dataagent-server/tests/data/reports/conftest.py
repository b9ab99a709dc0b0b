from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from shop_server import Shop, shop_at

from tests.server.fixtures import MakeSettings


@pytest.fixture
async def shop(
    make_settings: MakeSettings, tmp_path: Path, database_url: str
) -> AsyncGenerator[Shop]:
    """The server on each database, with a folder of data that is open to all tenants."""
    async with shop_at(make_settings, tmp_path / "shop", database_url=database_url) as running:
        yield running
