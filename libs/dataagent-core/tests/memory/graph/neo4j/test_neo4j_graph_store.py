"""The graph in a real Neo4j 5: the conformance suite."""

import pytest

from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase
from dataagent_core.memory.graph.neo4j.neo4j_graph_store import Neo4jGraphStore
from dataagent_core.testing.conformance import GraphStoreConformance, GraphStoreTenantConformance
from dataagent_core.testing.conformance.graph import NOW, TENANT

pytestmark = pytest.mark.slow


async def open_empty(database: Neo4jDatabase, tenant_id: str) -> Neo4jGraphStore:
    """Open the graph of a tenant whose people of other tests are gone."""
    store = Neo4jGraphStore(database, tenant_id, clock=lambda: NOW)
    for user_id in ("ada", "bob"):
        await store.remove_user(user_id)
    return store


class TestNeo4jGraph(GraphStoreConformance):
    @pytest.fixture
    async def graph_store(self, neo4j_database: Neo4jDatabase) -> GraphStore:
        return await open_empty(neo4j_database, TENANT)


class TestNeo4jGraphOfTenants(GraphStoreTenantConformance):
    @pytest.fixture
    async def graph_store_pair(
        self, neo4j_database: Neo4jDatabase
    ) -> tuple[GraphStore, GraphStore]:
        mine = await open_empty(neo4j_database, TENANT)
        return mine, await open_empty(neo4j_database, "two")
