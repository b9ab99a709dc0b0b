"""A fresh SQLite file for each test that asks for one."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from dataagent_core.session.stores.sqlite import SqliteDatabase


@pytest.fixture
async def database(tmp_path: Path) -> AsyncGenerator[SqliteDatabase, None]:
    async with SqliteDatabase(tmp_path / "dataagent.db") as opened:
        yield opened
