"""The part of Cypher that every store answers: what it reads, what it refuses and where."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.errors import QueryRefusedError
from dataagent_core.memory.graph.query.query_parser import parse_query
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.testing.conformance.graph import (
    NOW,
    SCOPE,
    STRANGER,
    TENANT,
    add_linked,
)
from tests.counts import examples

# What each is refused for, and at which character.
REFUSED = {
    "CREATE (n:Entity) RETURN n": (1, "begins with MATCH"),
    "MATCH (n:Entity) SET n.name = 'x' RETURN n": (18, "RETURN is expected"),
    "MATCH (n:Entity) DETACH DELETE n": (18, "RETURN is expected"),
    "MATCH (n:Entity) RETURN n UNION MATCH (m:Entity) RETURN m": (27, "one too many"),
    "MATCH (n:Entity) CALL db.labels() RETURN n": (18, "RETURN is expected"),
    "MATCH (n:Entity), (m:Entity) RETURN n": (19, "one path"),
    "MATCH (n:Entity)-[r*1..9]->(m:Entity) RETURN n": (20, "any length"),
    "MATCH (n:Person) RETURN n": (10, "'Person' is not known"),
    "MATCH (n:Entity {password: 'x'}) RETURN n": (7, "no property 'password'"),
    "MATCH (n:Entity) RETURN n.tenant_id": (27, "no property 'tenant_id'"),
    "MATCH (n:Entity) RETURN m.name": (25, "no part of the path is called 'm'"),
    "MATCH (n:Entity) WHERE n.name = name RETURN n": (33, "a value is expected"),
    "MATCH (n:Entity) WHERE n.name LIKE 'x' RETURN n": (31, "compares nothing"),
    "MATCH (n:Entity) RETURN n LIMIT 1.5": (33, "whole number"),
    "MATCH (n:Entity) RETURN n; DROP TABLE x": (26, "';' has no meaning"),
    "MATCH (n:Entity {name: 'x) RETURN n": (24, "not closed"),
    "MATCH (n) RETURN n": (7, "label"),
    "MATCH (n:Community)-[:MENTIONS]->(m:Entity) RETURN n": (20, "leads from Episodic to Entity"),
    "MATCH (n:Entity)-->(n:Entity) RETURN n": (7, "used twice"),
    "MATCH (a:Entity)--(b:Entity)--(c:Entity) RETURN a": (1, "starts somewhere"),
    "MATCH (a:Entity {name: 'x'})--(b:Entity)--(c:Entity)--(d:Entity)--(e:Entity) RETURN a": (
        65,
        "at most 3",
    ),
    "MATCH (n:Entity) WHERE " + "(" * 30 + "n.id = 'x'" + ")" * 30 + " RETURN n": (45, "nested"),
    "MATCH (n:Entity) RETURN n ORDER BY count(*)": (36, "return it"),
    "": (1, "begins with MATCH"),
    "MATCH (n:Entity) WHERE n.name = 'x' OR 1 = 1 RETURN n": (40, "a variable is expected"),
}


@pytest.mark.parametrize("query", REFUSED)
@pytest.mark.requirement("F22-4-query")
def test_a_query_that_is_refused_says_where_and_how_to_write_it(query: str):
    place, problem = REFUSED[query]
    with pytest.raises(QueryRefusedError) as error:
        parse_query(query)
    assert f"At character {place} of" in str(error.value)
    assert problem in str(error.value)
    assert "MATCH (a:Entity {name: 'Ada'})" in str(error.value)


def test_labels_that_follow_from_the_others_may_be_left_out():
    query = parse_query("MATCH (e)-[:MENTIONS]->(a {name: 'x'})-[:BELONGS_TO]->(c) RETURN c.name")
    assert [one.label for one in query.nodes] == ["Episodic", "Entity", "Community"]
    query = parse_query("MATCH (c:Community)--(a:Entity) RETURN a.name")
    assert (query.relations[0].type, query.relations[0].direction) == ("BELONGS_TO", "in")


_WORDS = st.sampled_from(
    [
        "MATCH",
        "RETURN",
        "WHERE",
        "AND",
        "OR",
        "NOT",
        "ORDER",
        "BY",
        "LIMIT",
        "DISTINCT",
        "COUNT",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "->",
        "<-",
        "-",
        ":",
        ",",
        ".",
        "=",
        "<>",
        "<",
        "'x'",
        "3",
        "n",
        "m",
        "Entity",
        "Episodic",
        "RELATES_TO",
        "MENTIONS",
        "name",
        "id",
        "CONTAINS",
        "IS",
        "NULL",
        "*",
        ";",
        "--",
        "/*",
        "DELETE",
    ]
)


@settings(max_examples=examples(300))
@given(words=st.lists(_WORDS, max_size=25), noise=st.text(max_size=10))
def test_any_text_is_parsed_or_refused(words: list[str], noise: str):
    for text in (" ".join(words), f"MATCH (n:Entity) RETURN {' '.join(words)}", noise):
        try:
            query = parse_query(text)
        except QueryRefusedError:
            continue
        assert query.nodes
        assert query.items


@pytest.fixture
def store(tmp_path: Path) -> SqlGraphStore:
    return SqlGraphStore(MemoryFile(tmp_path / "memory.db"), TENANT, clock=lambda: NOW)


async def test_paths_counts_and_orders(store: SqlGraphStore):
    await add_linked(store, 1, ["Ada", "Bob", "Cy"], [("Ada", "Bob"), ("Bob", "Cy")])
    await add_linked(store, 2, ["Dan"], [("Ada", "Dan")], known=["Ada"])

    async def ask(query: str) -> list[dict[str, object]]:
        return [dict(row) for row in await store.query([SCOPE], query, 50)]

    assert await ask(
        "MATCH (a:Entity {name: 'Ada'})-[:RELATES_TO]->(b)-[:RELATES_TO]->(c) RETURN c.name AS who"
    ) == [{"who": "Cy"}]
    assert await ask(
        "match (a:Entity)-[r]-(b:Entity {name: 'Bob'}) return a.name order by a.name"
    ) == [
        {"a.name": "Ada"},
        {"a.name": "Cy"},
    ]
    assert await ask(
        "MATCH (e:Episodic)-[:MENTIONS]->(a:Entity) RETURN a.name, count(*) AS times "
        "ORDER BY times DESC, a.name LIMIT 2"
    ) == [{"a.name": "Ada", "times": 2}, {"a.name": "Bob", "times": 1}]
    assert await ask(
        "MATCH (a:Entity)-[r:RELATES_TO]->(b) WHERE r.weight >= 1 AND r.valid_from < '2026-03-01' "
        "AND r.fact CONTAINS 'Dan' RETURN DISTINCT b.name"
    ) == [{"b.name": "Dan"}]
    assert await ask("MATCH (n:Entity {name: 'Ada'}) RETURN n") == [
        {
            "n.id": "n-Ada",
            "n.name": "Ada",
            "n.type": "person",
            "n.summary": "summary of Ada",
            "n.created_at": NOW.isoformat(),
        }
    ]
    assert await ask("MATCH (n:Entity) RETURN n.name LIMIT 0") == []
    for wrong in (
        "MATCH (a:Entity) WHERE a.created_at > 'soon' RETURN a.id",
        "MATCH (a:Entity) WHERE a.name = 3 RETURN a.id",
        "MATCH (c:Community) WHERE c.member_count = 'x' RETURN c.id",
        "MATCH (c:Community) WHERE c.member_count CONTAINS 'x' RETURN c.id",
        "MATCH (a:Entity) RETURN DISTINCT a.type ORDER BY a.name",
    ):
        with pytest.raises(QueryRefusedError):
            await ask(wrong)


HOSTILE = (
    "x' OR '1'='1",
    "x\\' OR 1=1 --",
    '" OR ""="',
    "%",
    "_",
    "'); DELETE FROM graph_entities; --",
    "\x00",
    "\ud800",
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.requirement("F22-4-query")
async def test_a_value_is_a_value(store: SqlGraphStore, text: str):
    await add_linked(store, 1, ["Ada"], [])
    await add_linked(store, 2, ["Bea"], [], scope=STRANGER)
    quoted = text.replace("\\", "\\\\").replace("'", "\\'")
    for operator in ("=", "CONTAINS", "STARTS WITH"):
        for name in ("name", "id"):
            query = f"MATCH (n:Entity) WHERE n.{name} {operator} '{quoted}' RETURN n.name"
            assert await store.query([SCOPE], query, 50) == []
    everything = "MATCH (n:Entity) WHERE n.name = 'Ada' OR NOT n.name = 'Ada' RETURN n.name"
    assert await store.query([SCOPE], everything, 50) == [{"n.name": "Ada"}]
    assert len(await store.get_entities([STRANGER], ["n-Bea"])) == 1
