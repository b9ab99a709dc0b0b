"""A workspace with its past."""

from pathlib import Path

import pytest
from workspaces_past import Past


@pytest.fixture
def past(tmp_path: Path) -> Past:
    return Past(tmp_path)
