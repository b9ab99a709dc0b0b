"""The properties of `MemoryService` over a person's file."""

from pathlib import Path

import pytest

from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.sql.store.sqlite_memory_store import open_memory_store
from dataagent_core.testing.conformance import MemoryServiceConformance
from dataagent_core.testing.conformance.memory import TENANT


class TestMemoryServiceOnSqlite(MemoryServiceConformance):
    @pytest.fixture
    def memory_store(self, tmp_path: Path) -> MemoryStore:
        return open_memory_store(tmp_path / "memory.db", TENANT)
