"""The graph in a file: the conformance suite, and two tenants at work side by side."""

import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.testing.conformance import (
    GraphStep,
    GraphStoreConformance,
    GraphStoreTenantConformance,
    GraphWorld,
    graph_steps,
)
from dataagent_core.testing.conformance.graph import NOW, TENANT
from tests.counts import examples

_numbers = itertools.count()


class TestSqliteGraph(GraphStoreConformance):
    @pytest.fixture
    def graph_store(self, tmp_path: Path) -> GraphStore:
        return SqlGraphStore(MemoryFile(tmp_path / "memory.db"), TENANT, clock=lambda: NOW)


class TestSqliteGraphOfTenants(GraphStoreTenantConformance):
    @pytest.fixture
    def graph_store_pair(self, tmp_path: Path) -> tuple[GraphStore, GraphStore]:
        file = MemoryFile(tmp_path / "memory.db")
        return SqlGraphStore(file, TENANT), SqlGraphStore(file, "two")


@pytest.mark.requirement("F22-isolation")
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=graph_steps)
async def test_everybody_sees_what_is_theirs(tmp_path: Path, steps: list[GraphStep]):
    file = MemoryFile(tmp_path / "memory.db")
    world = GraphWorld.begin(lambda tenant: SqlGraphStore(file, tenant), f"{next(_numbers)}-")
    for step in steps:
        await world.do(step)
