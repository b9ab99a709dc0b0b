"""Core's suites of the graph on every database."""

import itertools

import pytest
from hypothesis import given, settings

from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.testing.conformance import (
    GraphStep,
    GraphStoreConformance,
    GraphStoreTenantConformance,
    GraphWorld,
    graph_steps,
)
from dataagent_core.testing.conformance.graph import NOW, TENANT
from dataagent_server.agents.memory.memory_store import ServerMemoryDatabase
from dataagent_server.db.database import Database
from tests.counts import examples

pytestmark = pytest.mark.every_database
_numbers = itertools.count()


class TestGraph(GraphStoreConformance):
    @pytest.fixture
    def graph_store(self, database: Database) -> GraphStore:
        return SqlGraphStore(ServerMemoryDatabase(database), TENANT, clock=lambda: NOW)


class TestGraphOfTenants(GraphStoreTenantConformance):
    @pytest.fixture
    def graph_store_pair(self, database: Database) -> tuple[GraphStore, GraphStore]:
        both = ServerMemoryDatabase(database)
        return SqlGraphStore(both, TENANT), SqlGraphStore(both, "two")


@pytest.mark.requirement("F22-4-conformance")
@pytest.mark.requirement("F22-isolation")
@settings(max_examples=examples(40))
@given(steps=graph_steps)
async def test_everybody_sees_what_is_theirs(database: Database, steps: list[GraphStep]) -> None:
    both = ServerMemoryDatabase(database)
    world = GraphWorld.begin(lambda tenant: SqlGraphStore(both, tenant), f"{next(_numbers)}-")
    for step in steps:
        await world.do(step)
