from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from shop_server import Shop, shop_at

from tests.server.fixtures import MakeSettings


@pytest.fixture
async def shop(make_settings: MakeSettings, tmp_path: Path) -> AsyncGenerator[Shop]:
    """The server on a port of its own, with a folder of data that is open to all tenants."""
    async with shop_at(make_settings, tmp_path / "shop") as running:
        yield running
