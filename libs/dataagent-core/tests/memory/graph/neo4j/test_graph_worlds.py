"""People of two tenants tell, ask and forget at random, with the whole pipeline over Neo4j."""

import pytest
from hypothesis import given, settings

from dataagent_core.config.settings import Settings
from dataagent_core.ids import new_id
from dataagent_core.memory.graph.neo4j.neo4j_graph_store import Neo4jGraphStore
from dataagent_core.memory.graph.neo4j.open_neo4j import open_neo4j
from dataagent_core.testing.conformance.graph_world import GraphStep, GraphWorld, graph_steps
from tests.counts import rounds

pytestmark = pytest.mark.slow


@pytest.mark.requirement("F22-isolation")
@settings(max_examples=rounds(4, soak=300))
@given(steps=graph_steps)
async def test_everybody_sees_what_is_theirs(
    graph_settings: Settings, steps: list[GraphStep]
) -> None:
    database = await open_neo4j(graph_settings)
    assert database is not None
    try:
        world = GraphWorld.begin(lambda tenant: Neo4jGraphStore(database, tenant), new_id())
        for step in steps:
            await world.do(step)
        for graph in world.graphs.values():
            for user_id in ("ada", "bob"):
                await graph.remove_user(user_id)
    finally:
        await database.aclose()
