"""Core's suites of the graph on every database."""

import pytest

from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.testing.conformance import GraphStoreConformance, GraphStoreTenantConformance
from dataagent_core.testing.conformance.graph import NOW, TENANT
from dataagent_server.agents.memory.memory_store import ServerMemoryDatabase
from dataagent_server.db.database import Database

pytestmark = pytest.mark.every_database


class TestGraph(GraphStoreConformance):
    @pytest.fixture
    def graph_store(self, database: Database) -> GraphStore:
        return SqlGraphStore(ServerMemoryDatabase(database), TENANT, clock=lambda: NOW)


class TestGraphOfTenants(GraphStoreTenantConformance):
    @pytest.fixture
    def graph_store_pair(self, database: Database) -> tuple[GraphStore, GraphStore]:
        both = ServerMemoryDatabase(database)
        return SqlGraphStore(both, TENANT), SqlGraphStore(both, "two")
