"""Memories in a file: the conformance suites."""

from pathlib import Path

import pytest

from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.sql.store.sqlite_memory_store import open_memory_store
from dataagent_core.testing.conformance import (
    MemoryIndexConformance,
    MemoryIndexTenantConformance,
    MemoryStoreConformance,
    MemoryStoreTenantConformance,
)
from dataagent_core.testing.conformance.memory import TENANT


class TestSqliteMemories(MemoryStoreConformance, MemoryIndexConformance):
    @pytest.fixture
    def memory_store(self, tmp_path: Path) -> MemoryStore:
        return open_memory_store(tmp_path / "memory.db", TENANT)


class TestSqliteMemoriesOfTenants(MemoryStoreTenantConformance, MemoryIndexTenantConformance):
    @pytest.fixture
    def memory_store_pair(self, tmp_path: Path) -> tuple[MemoryStore, MemoryStore]:
        path = tmp_path / "memory.db"
        return open_memory_store(path, TENANT), open_memory_store(path, "two")
