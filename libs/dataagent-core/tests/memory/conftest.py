"""What tests of memory share."""

from pathlib import Path

import pytest
from remembered import Remembering


@pytest.fixture
def world(tmp_path: Path) -> Remembering:
    return Remembering(tmp_path / "memory.db")
