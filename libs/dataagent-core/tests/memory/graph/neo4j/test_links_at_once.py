"""Processes that link at once: one is first, the other is told, and nothing is there twice."""

import asyncio

import pytest

from dataagent_core.config.settings import Settings
from dataagent_core.errors import ConflictError
from dataagent_core.ids import new_id
from dataagent_core.memory.graph.graph_values import Episode
from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase
from dataagent_core.memory.graph.neo4j.neo4j_graph_store import Neo4jGraphStore
from dataagent_core.memory.graph.neo4j.open_neo4j import open_neo4j
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.testing.conformance.graph import make_entity, make_entry, make_episode

pytestmark = pytest.mark.slow
_AT_ONCE = 6


async def test_a_name_that_processes_meet_at_once_becomes_one_entity(
    graph_settings: Settings, neo4j_database: Neo4jDatabase
) -> None:
    other = await open_neo4j(graph_settings)
    assert other is not None
    tenant_id = new_id()
    # Two processes have two drivers.
    stores = [
        Neo4jGraphStore((neo4j_database, other)[number % 2], tenant_id)
        for number in range(_AT_ONCE)
    ]
    scope = MemoryScope.of_user(tenant_id, "ada", "assistant")
    # The scope is new to all of them.
    episodes = await asyncio.gather(
        *(
            store.add_episode(make_episode(number, "Ada", scope), make_entry("ada"))
            for number, store in enumerate(stores)
        )
    )
    entity = make_entity("Ada", scope)
    outcomes = await asyncio.gather(
        *(
            store.link(episode, [(entity, make_entry("ada"))], [], [])
            for store, episode in zip(stores, episodes, strict=True)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, Episode) for one in outcomes) == 1
    assert sum(isinstance(one, ConflictError) for one in outcomes) == _AT_ONCE - 1
    assert len(await stores[0].find_named([scope], ["ada"])) == 1
    # The same episode, brought further by all of them.
    (waiting, *_) = (
        one for one, done in zip(episodes, outcomes, strict=True) if not isinstance(done, Episode)
    )
    saves = await asyncio.gather(
        *(store.save_episode(waiting) for store in stores), return_exceptions=True
    )
    assert sum(isinstance(one, Episode) for one in saves) == 1
    assert sum(isinstance(one, ConflictError) for one in saves) == _AT_ONCE - 1
    await stores[0].remove_user("ada")
    await other.aclose()
