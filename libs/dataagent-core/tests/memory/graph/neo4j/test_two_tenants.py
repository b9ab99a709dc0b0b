"""Two tenants with the same people and ids do things in any order: neither sees the other.

What each has in the shared Neo4j is compared with what it has in an SQLite file of its own, where
nobody else can be; so the two stores also do the same.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.ids import new_id
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.graph_values import Community, Mention
from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase
from dataagent_core.memory.graph.neo4j.neo4j_graph_store import Neo4jGraphStore
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.testing.conformance.graph import (
    NOW,
    NOWADAYS,
    make_entity,
    make_entry,
    make_episode,
    make_relation,
)
from tests.counts import rounds

pytestmark = pytest.mark.slow
_STEPS = 25
_NAMES = ("Ada", "Bea", "Cy", "Dot")


def scopes_of(tenant_id: str) -> list[MemoryScope]:
    return [
        MemoryScope.of_user(tenant_id, "ada", "assistant"),
        MemoryScope.of_project(tenant_id, "ada", "assistant", "p"),
        MemoryScope.of_user(tenant_id, "bob", "assistant"),
    ]


async def link(store: GraphStore, scope: MemoryScope, number: int, names: Sequence[str]) -> object:
    """Add an episode that mentions people, new ones and known ones, and relates them."""
    mark = f"{scope.user_id}{scope.kind}"
    content = f"{number} {' '.join(names)}"
    # Ids are told apart by scope, as those of the service are.
    episode = replace(make_episode(number, content, scope), id=f"e{number}{mark}")
    stored = await store.add_episode(episode, make_entry(*(name.lower() for name in names)))
    if stored.state != "received":
        return stored.state
    found = {one.name: one for one in await store.find_named([scope], list(names))}
    new = [replace(make_entity(n, scope), id=f"n{n}{mark}") for n in names if n not in found]
    ids = {one.name: one.id for one in (*found.values(), *new)}
    relations = [
        replace(
            make_relation(names[0], other, episode=episode.id, scope=scope),
            id=f"r{names[0]}{other}{mark}",
            source_id=ids[names[0]],
            target_id=ids[other],
        )
        for other in names[1:]
    ]
    mentions = [
        Mention(episode_id=episode.id, entity_id=ids[name], names=(name,)) for name in names
    ]
    pairs = [(one, make_entry(one.name.lower())) for one in new]
    return await store.link(replace(stored, state="synced"), pairs, relations, mentions)


async def step(store: GraphStore, scopes: list[MemoryScope], seed: int) -> object:
    """Do something, the same for the same seed."""
    random = Random(seed)
    scope, number = random.choice(scopes), random.randrange(6)
    mark = f"{scope.user_id}{scope.kind}"
    names = random.sample(_NAMES, random.randint(1, 3))
    outcome: object = None
    match random.randrange(12):
        case 0:
            await store.remove_episodes([scope], [f"e{number}{mark}"])
        case 1:
            await store.remove_entity([scope], f"n{names[0]}{mark}")
        case 2 if number == 0:
            await store.remove_user(scope.user_id)
        case 3:
            entities = await store.list_entities([scope], limit=9)
            community = Community(
                id=f"c{mark}", scope=scope, name="all", summary=str(number), updated_at=NOW,
                member_count=len(entities),
            )  # fmt: skip
            members = [one.id for one in entities]
            await store.save_communities(scope, [(community, members)] if members else [])
        case 4:
            found = await store.get_entities([scope], [f"n{names[0]}{mark}"])
            aliases = {f"A{number}": "said so"}
            outcome = [await store.save_entity(replace(one, aliases=aliases)) for one in found]
        case _:
            outcome = await link(store, scope, number, names)
    return outcome


async def look(store: GraphStore, scopes: list[MemoryScope]) -> dict[str, Any]:
    """Read everything that can be seen of scopes."""
    entities = await store.list_entities(scopes, limit=99)
    ids = [one.id for one in entities]
    relations = await store.list_relations(scopes, ids, with_past=True, limit=99)
    words = [name.lower() for name in _NAMES]
    matches = await store.match_words(scopes, words, ["episode", "entity"], NOWADAYS, 99)
    rows = await store.query(scopes, "MATCH (n:Entity) RETURN n.id, n.name ORDER BY n.id", 99)
    near = await store.find_near(scopes, dict.fromkeys(sorted(ids)[:1], 1.0), hops=3, limit=99)
    return {
        "episodes": sorted(map(repr, await store.list_episodes(scopes, limit=99))),
        "entities": sorted(map(repr, entities)),
        "relations": sorted(map(repr, relations)),
        "mentions": sorted(map(repr, await store.find_mentions(scopes, ids, 99))),
        "communities": sorted(map(repr, await store.list_communities(scopes))),
        "named": [one.id for one in await store.find_named(scopes, [*_NAMES, "A1", "A2"])],
        "matches": sorted(repr(one.key) for one in matches),
        "rows": [sorted(row.items()) for row in rows],
        "near": sorted(one.entity_id for one in near),
        "count": await store.count_entities(scopes),
    }


async def attempt(store: GraphStore, scopes: list[MemoryScope], seed: int) -> str:
    try:
        return repr(await step(store, scopes, seed))
    except (ConflictError, NotFoundError) as error:
        return type(error).__name__


@pytest.mark.requirement("F22-isolation")
@pytest.mark.parametrize("seed", range(rounds(2, soak=100)))
async def test_two_tenants_do_anything_and_none_sees_the_other(
    neo4j_database: Neo4jDatabase, tmp_path: Path, seed: int
) -> None:
    tenants = [new_id(), new_id()]
    random = Random(seed)
    shared = [Neo4jGraphStore(neo4j_database, one, clock=lambda: NOW) for one in tenants]
    alone = [
        SqlGraphStore(MemoryFile(tmp_path / f"{one}.db"), one, clock=lambda: NOW) for one in tenants
    ]
    for _ in range(_STEPS):
        number, seed_of_step = random.randrange(2), random.randrange(10_000)
        scopes = scopes_of(tenants[number])
        outcomes = [await attempt(one[number], scopes, seed_of_step) for one in (shared, alone)]
        assert outcomes[0] == outcomes[1]
    for number, tenant_id in enumerate(tenants):
        scopes = scopes_of(tenant_id)
        for seen in (scopes, scopes[:1], scopes[1:2], scopes[2:]):
            assert await look(shared[number], seen) == await look(alone[number], seen)
        # Scopes of the other tenant show nothing.
        foreign = scopes_of(tenants[1 - number])
        hidden = await look(shared[number], foreign)
        assert (hidden["episodes"], hidden["entities"], hidden["rows"]) == ([], [], [])
    for store in shared:
        for user_id in ("ada", "bob"):
            await store.remove_user(user_id)
            assert await store.list_scopes(user_id) == []
