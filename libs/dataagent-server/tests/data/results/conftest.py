"""One installation per test, on every database."""

from pathlib import Path

import pytest
from workspace_installation import WorkspaceInstallation, make_world

from dataagent_server.db.database import Database


@pytest.fixture
def spaces(database: Database, tmp_path: Path) -> WorkspaceInstallation:
    return make_world(database, tmp_path / "spaces")
