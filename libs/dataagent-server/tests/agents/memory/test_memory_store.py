"""Memories in this server's database: the conformance suites, and tenants at work side by side."""

import itertools

import pytest
from hypothesis import given, settings

from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.testing.conformance import (
    MemoryIndexConformance,
    MemoryIndexTenantConformance,
    MemoryStoreConformance,
    MemoryStoreTenantConformance,
)
from dataagent_core.testing.conformance.memory_world import (
    MemoryStep,
    MemoryWorld,
    memory_steps,
)
from dataagent_server.agents.memory.memory_store import ServerMemoryDatabase, open_memory_store
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from tests.counts import examples

pytestmark = pytest.mark.every_database
_numbers = itertools.count()


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


@pytest.mark.requirement("S0-54")
@pytest.mark.requirement("S3-10")
@pytest.mark.requirement("F22-isolation")
@settings(max_examples=examples(40))
@given(steps=memory_steps)
async def test_everybody_sees_what_is_theirs_and_holds(
    database: Database, steps: list[MemoryStep]
) -> None:
    # Each tenant as a server of its own has it.
    world = MemoryWorld.begin(
        lambda tenant_id: open_memory_store(ServerMemoryDatabase(database), TenantId(tenant_id)),
        f"{next(_numbers)}-",
    )
    for step in steps:
        await world.do(step)
        await world.look(step)
    await world.check()
