"""A query sees its scopes alone, whatever it says, and changes nothing."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import Any, cast

import pytest
from hostile_queries import make_query
from neo4j import AsyncManagedTransaction

from dataagent_core.errors import QueryFailedError, QueryRefusedError, StorageError
from dataagent_core.ids import new_id
from dataagent_core.memory.graph.graph_values import Community
from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase
from dataagent_core.memory.graph.neo4j.neo4j_graph_store import Neo4jGraphStore
from dataagent_core.memory.graph.neo4j.query import run_query
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.testing.conformance.graph import NOW, add_linked
from tests.counts import rounds

pytestmark = pytest.mark.slow
# As many as a query returns; of an answer that has them all, which ones is not fixed.
_ROWS = 500
_QUERIES = 30


async def fill(store: Neo4jGraphStore, scope: MemoryScope, prefix: str, number: int) -> None:
    """Give a scope a graph of each kind of node and relation."""
    names = [f"{prefix}{letter}" for letter in "abc"]
    await add_linked(store, number, names, list(pairwise(names)), scope=scope)
    community = Community(
        id=f"c-{prefix}-{new_id()}", scope=scope, name=f"{prefix} all", summary=prefix,
        member_count=3, updated_at=NOW,
    )  # fmt: skip
    await store.save_communities(scope, [(community, [f"n-{name}" for name in names])])


async def answer_unchanged(database: Neo4jDatabase, query: str) -> int:
    """Return how many letters the answer to a query has that nobody made safe."""

    async def read(transaction: AsyncManagedTransaction) -> int:
        result = await transaction.run(cast("Any", query))
        return len(repr(await result.fetch(_ROWS)))

    try:
        return await database.read(read)
    except StorageError:
        return 0


async def answer(store: Neo4jGraphStore, scope: MemoryScope, query: str) -> Counter[str] | str:
    """Return the rows in no order, or how the query was refused."""
    try:
        rows = await store.query([scope], query, _ROWS)
    except (QueryRefusedError, QueryFailedError) as error:
        return type(error).__name__
    return "many" if len(rows) == _ROWS else Counter(write_in_order(row) for row in rows)


def write_in_order(value: Any) -> str:
    """Write a value as text; lists that Neo4j made have no order of their own."""
    match value:
        case Mapping():
            pairs = cast("Mapping[str, object]", value).items()
            return str(sorted((key, write_in_order(one)) for key, one in pairs))
        case list():
            return str(sorted(map(write_in_order, cast("list[object]", value))))
        case _:
            return repr(value)


@pytest.mark.requirement("F22-4-query")
@pytest.mark.parametrize("seed", range(rounds(2, soak=100)))
async def test_what_others_have_changes_no_answer(neo4j_database: Neo4jDatabase, seed: int) -> None:
    random = Random(seed)
    queries = [make_query(random) for _ in range(_QUERIES)]
    database = neo4j_database
    tenant_id = new_id()
    mine, theirs = (Neo4jGraphStore(database, one) for one in (tenant_id, f"{tenant_id}-other"))
    scope = MemoryScope.of_user(tenant_id, "ada", "assistant")
    try:
        await fill(mine, scope, "Mine", 0)
        before = {query: await answer(mine, scope, query) for query in queries}
        unsafe_before = [await answer_unchanged(database, query) for query in queries]
        others = (
            (theirs, MemoryScope.of_user(f"{tenant_id}-other", "ada", "assistant")),
            (mine, MemoryScope.of_user(tenant_id, "bob", "assistant")),
            (mine, MemoryScope.of_user(tenant_id, "ada", "another assistant")),
            (mine, MemoryScope.of_project(tenant_id, "ada", "assistant", "project")),
            (mine, MemoryScope.of_organisation(tenant_id, "ada")),
        )
        for number, (store, other) in enumerate(others, start=1):
            await fill(store, other, f"Theirs{number}", number)
        after = {query: await answer(mine, scope, query) for query in queries}
        unsafe_after = [await answer_unchanged(database, query) for query in queries]
    finally:
        for store in (mine, theirs):
            for user_id in ("ada", "bob"):
                await store.remove_user(user_id)
    assert {query: rows for query, rows in after.items() if rows != before[query]} == {}
    assert not [rows for rows in after.values() if "Theirs" in str(rows)]
    # The queries are not harmless, and most of them are understood.
    assert (
        sum(one != other for one, other in zip(unsafe_before, unsafe_after, strict=True))
        > _QUERIES // 4
    )
    assert sum(isinstance(rows, Counter) for rows in after.values()) > _QUERIES // 2


async def test_nothing_can_be_written_where_queries_run(neo4j_database: Neo4jDatabase) -> None:
    async def write(transaction: AsyncManagedTransaction) -> None:
        await (await transaction.run("CREATE (:Entity {id: 'written'})")).consume()

    with pytest.raises(StorageError, match="read access mode"):
        await neo4j_database.read(write)


async def test_a_query_ends_after_its_time_and_its_rows(
    neo4j_database: Neo4jDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant_id = new_id()
    store = Neo4jGraphStore(neo4j_database, tenant_id)
    scope = MemoryScope.of_user(tenant_id, "ada", "assistant")
    await fill(store, scope, "Mine", 1)
    assert len(await store.query([scope], "MATCH (n), (m) RETURN n.id, m.id", 4)) == 4
    monkeypatch.setattr(run_query, "NEO4J_QUERY_ANSWER_CHARS_MAX", 100)
    with pytest.raises(QueryFailedError, match="more than 100 characters"):
        await store.query([scope], "MATCH (n), (m) RETURN n.id, m.id", 50)
    monkeypatch.setattr(run_query, "NEO4J_QUERY_S", 0.2)
    nodes = ", ".join(f"(n{number})" for number in range(14))
    with pytest.raises(QueryFailedError, match=r"longer than 0\.2 seconds"):
        await store.query([scope], f"MATCH {nodes} RETURN count(*)", 1)
    await store.remove_user("ada")


async def test_what_neo4j_refuses_is_told_without_the_query_we_made(
    neo4j_database: Neo4jDatabase,
) -> None:
    store = Neo4jGraphStore(neo4j_database, "t")
    scope = MemoryScope.of_user("t", "ada", "assistant")
    for query in ("RETURN x", "RETURN 1 / 0", "MATCH (n) WITH 1 AS n MATCH (n) RETURN n"):
        with pytest.raises(QueryFailedError, match="cannot answer") as failed:
            await store.query([scope], query, 1)
        assert "scope" not in str(failed.value)
