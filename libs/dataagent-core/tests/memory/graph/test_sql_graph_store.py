"""The graph in a file: the conformance suite."""

from pathlib import Path

import pytest

from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.testing.conformance import GraphStoreConformance, GraphStoreTenantConformance
from dataagent_core.testing.conformance.graph import NOW, TENANT


class TestSqliteGraph(GraphStoreConformance):
    @pytest.fixture
    def graph_store(self, tmp_path: Path) -> GraphStore:
        return SqlGraphStore(MemoryFile(tmp_path / "memory.db"), TENANT, clock=lambda: NOW)


class TestSqliteGraphOfTenants(GraphStoreTenantConformance):
    @pytest.fixture
    def graph_store_pair(self, tmp_path: Path) -> tuple[GraphStore, GraphStore]:
        file = MemoryFile(tmp_path / "memory.db")
        return SqlGraphStore(file, TENANT), SqlGraphStore(file, "two")
