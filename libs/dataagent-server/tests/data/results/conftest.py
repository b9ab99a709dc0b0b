"""One world per test, on every database."""

from pathlib import Path

import pytest
from world import World, make_world

from dataagent_server.db.database import Database


@pytest.fixture
def world(database: Database, tmp_path: Path) -> World:
    return make_world(database, tmp_path / "world")
