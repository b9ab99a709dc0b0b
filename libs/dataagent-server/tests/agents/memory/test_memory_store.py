"""Memories in this server's database: the conformance suites."""

import pytest

from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.testing.conformance import (
    MemoryIndexConformance,
    MemoryIndexTenantConformance,
    MemoryStoreConformance,
    MemoryStoreTenantConformance,
)
from dataagent_server.agents.memory.memory_store import ServerMemoryDatabase, open_memory_store
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database

pytestmark = pytest.mark.every_database


class TestMemories(
    MemoryStoreConformance,
    MemoryStoreTenantConformance,
    MemoryIndexConformance,
    MemoryIndexTenantConformance,
):
    @pytest.fixture
    def memory_store(self, database: Database) -> MemoryStore:
        return open_memory_store(ServerMemoryDatabase(database), TenantId("one"))

    @pytest.fixture
    def memory_store_pair(self, database: Database) -> tuple[MemoryStore, MemoryStore]:
        memories = ServerMemoryDatabase(database)
        one, two = (open_memory_store(memories, TenantId(name)) for name in ("one", "two"))
        return one, two
