"""Neo4j is killed in the middle of an episode: it is said, nothing is half linked, and it resumes."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from pydantic import SecretStr

from dataagent_core.config.settings import Settings
from dataagent_core.errors import ConflictError, StorageError
from dataagent_core.memory.graph.graph_values import Mention
from dataagent_core.memory.graph.neo4j.neo4j_graph_store import Neo4jGraphStore
from dataagent_core.memory.graph.neo4j.open_neo4j import open_neo4j
from dataagent_core.testing.conformance.graph import (
    SCOPE,
    TENANT,
    make_entity,
    make_entry,
    make_episode,
    make_relation,
)
from tests.counts import rounds
from tests.services.neo4j.service import PASSWORD, USER, Neo4jService
from tests.services.process import Service

pytestmark = pytest.mark.slow


@pytest.mark.requirement("F22-bad-neo4j")
async def test_a_kill_in_the_middle_of_an_episode_leaves_nothing_half_linked(
    own_services: Callable[[str], Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    service = own_services("neo4j")
    assert isinstance(service, Neo4jService)
    monkeypatch.setattr("dataagent_core.memory.graph.neo4j.database.NEO4J_RETRY_S", 0.5)
    settings = Settings(neo4j_uri=service.uri, neo4j_user=USER, neo4j_password=SecretStr(PASSWORD))
    database = await open_neo4j(settings)
    assert database is not None
    store = Neo4jGraphStore(database, TENANT)
    for number in range(rounds(1, soak=20)):
        episode = await store.add_episode(make_episode(number), make_entry("ada"))
        names = [f"{letter}{number}" for letter in "abcdef"]
        linking = asyncio.create_task(
            store.link(
                replace(episode, state="linked"),
                [(make_entity(name), make_entry(name)) for name in names],
                [make_relation(names[0], other, episode=episode.id) for other in names[1:]],
                [Mention(episode_id=episode.id, entity_id=f"n-{name}") for name in names],
            )
        )
        # Somewhere between its first statement and its commit.
        await asyncio.sleep(0.004 * (number + 1))
        await asyncio.to_thread(service.stop)
        (outcome,) = await asyncio.gather(linking, return_exceptions=True)
        if isinstance(outcome, BaseException):
            assert isinstance(outcome, StorageError)
            assert f"Neo4j at {service.uri}" in str(outcome)
            assert PASSWORD not in str(outcome)
        with pytest.raises(StorageError, match="cannot be reached"):
            await database.probe()
        with pytest.raises(StorageError, match="cannot be reached"):
            await store.get_episodes([SCOPE], [episode.id])
        await asyncio.to_thread(service.start)
        (stored,) = await store.get_episodes([SCOPE], [episode.id])
        found = await store.get_entities([SCOPE], [f"n-{name}" for name in names])
        relations = await store.list_relations([SCOPE], [f"n-{names[0]}"], limit=9)
        done = stored.state == "linked"
        assert (len(found), len(relations)) == ((6, 5) if done else (0, 0))
        # It resumes where it stopped: what is linked is not linked again.
        again = store.link(
            replace(stored, state="linked") if not done else episode,
            [(make_entity(name), make_entry(name)) for name in names],
            [],
            [Mention(episode_id=episode.id, entity_id=f"n-{name}") for name in names],
        )
        if done:
            with pytest.raises(ConflictError):
                await again
        else:
            assert (await again).state == "linked"
        assert len(await store.find_mentions([SCOPE], [f"n-{names[0]}"], 9)) == 1
    await database.aclose()
