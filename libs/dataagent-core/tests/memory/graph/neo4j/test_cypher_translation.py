"""What becomes of a query before Neo4j sees it: no server is needed to show it."""

import re

import pytest

from dataagent_core.config.limits.neo4j import (
    NEO4J_QUERY_ADDITIONS_MAX,
    NEO4J_QUERY_CHARS_MAX,
    NEO4J_QUERY_DEPTH_MAX,
)
from dataagent_core.errors import QueryRefusedError
from dataagent_core.memory.graph.neo4j.query.query_syntax import translate_query

REFUSED = (
    "CREATE (n) RETURN n",
    "MATCH (n) DELETE n",
    "MATCH (n) DETACH DELETE n RETURN 1",
    "MATCH (n) SET n.name = 'x' RETURN n",
    "MATCH (n) REMOVE n.name RETURN n",
    "MERGE (n:Entity {id: 'x'}) RETURN n",
    "MATCH (n) FOREACH (x IN [1] | SET n.a = x) RETURN n",
    "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
    "USE system MATCH (n) RETURN n",
    "CALL db.labels() YIELD label RETURN label",
    "CALL { MATCH (n) RETURN n } RETURN n",
    "MATCH (n) CALL (n) { RETURN 1 AS x } RETURN x",
    "MATCH (n) RETURN n; MATCH (m) RETURN m",
    "EXPLAIN MATCH (n) RETURN n",
    "PROFILE MATCH (n) RETURN n",
    "CYPHER runtime=slotted MATCH (n) RETURN n",
    "SHOW DATABASES",
    "SHOW CURRENT USER",
    "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'",
    "DROP CONSTRAINT episode_id",
    "TERMINATE TRANSACTION 'neo4j-transaction-1'",
    "FINISH",
    "MATCH (n) RETURN *",
    "MATCH (n) WITH * RETURN n",
    "MATCH (n) RETURN n.name =~ '(a+)+$'",
    "MATCH (n) WHERE n.id = $scopes RETURN n",
    "MATCH (n) RETURN apoc.load.json('http://example.org')",
    "MATCH (n) RETURN `apoc.load.json`('x')",
    "MATCH (n) RETURN range(1, 1000000000)",
    "RETURN replace('a', 'a', 'aaaa')",
    "MATCH p = shortestPath((a)-[*..5]-(b)) RETURN p",
    "MATCH p = SHORTEST 1 (a)--(b) RETURN p",
    "MATCH ((a)-->(b)){1,3} RETURN a",
    "MATCH (a)-->+(b) RETURN a",
    "MATCH (a)-[*]-(b) RETURN a",
    "MATCH (a)-[*2..]-(b) RETURN a",
    "MATCH (a)-[*1..99]-(b) RETURN a",
    "MATCH (n) RETURN n { .name }",
    "MATCH (__1) RETURN __1",
    "MATCH (n) RETURN \\u006e",
    "MATCH (n:`Ent\\u0060ity`) RETURN n",
    "MATCH (n) \\u0053ET n.a = 1 RETURN n",
    "MATCH (n) RETURN 'open",
    "MATCH (n) RETURN `open",
    "MATCH (n) WITH n.name RETURN 1",
    "MATCH (n) RETURN n UNION",
    "MATCH (n) RETURN n LIMIT n.x",
    "MATCH (n",
    "",
    ";",
    "/* RETURN 1 */",
)


# With how many nodes and relations each has in its patterns.
PATTERNS = (
    ("MATCH (n) RETURN n", 1),
    ("MATCH (a)-->(b)<-[:X]-(c {k: 1}) RETURN a", 5),
    ("OPTIONAL MATCH (a)--(b), (c) RETURN a", 4),
    ("MATCH (a)-[r:X|Y*1..3]->(b) RETURN r", 3),
    ("MATCH (a) WHERE (a)-[:X]->() RETURN a", 4),
    ("MATCH (a) WHERE NOT exists((a)-->(b)) RETURN a", 4),
    ("MATCH (a) WHERE EXISTS { (a)-->(b) } RETURN a", 4),
    ("MATCH (a) WHERE EXISTS { MATCH (a)-->(b) WHERE (b)--() RETURN b } RETURN a", 7),
    ("MATCH (a) RETURN COUNT { (a)--(b) }, COLLECT { MATCH (c) RETURN c.x }", 5),
    ("MATCH (a) RETURN [(a)-->(b) WHERE b.x = 1 | [(b)-->(c) | c]]", 7),
    ("MATCH (a) RETURN [p = (a)-->() | p]", 4),
    ("MATCH (a) RETURN a UNION ALL MATCH (b) RETURN b AS a", 2),
    ("MATCH (a WHERE a.x = 1) RETURN CASE WHEN (a)--() THEN 1 ELSE 0 END", 4),
    ("MATCH (a {x: COUNT { (b) }}) RETURN a", 2),
)


@pytest.mark.requirement("F22-4-query")
def test_what_is_not_a_known_way_to_read_is_refused() -> None:
    accepted = [query for query in REFUSED if not is_refused(query)]
    assert accepted == []


def is_refused(query: str) -> bool:
    try:
        translate_query(query)
    except QueryRefusedError:
        return True
    return False


def test_every_node_and_relation_gets_its_condition() -> None:
    texts = {query: translate_query(query).text for query, _ in PATTERNS}
    # What has a name has one condition in a pattern, however often it stands there.
    counts = [(query, text.count(".`scope` IN $scopes")) for query, text in texts.items()]
    assert counts == list(PATTERNS)
    assert all("`GraphNode`" in text for text in texts.values())


@pytest.mark.requirement("F22-4-query")
def test_nothing_of_a_text_or_a_comment_reaches_the_query() -> None:
    query = translate_query(
        "MATCH (n /* } ) DELETE */) // RETURN secret\n"
        "WHERE n.name = '\\'}) DETACH DELETE n //' OR n.name = \"\\u0027\\n` 。\" RETURN n.`na``me`"
    )
    assert sorted(query.parameters.values(), key=str) == ["'\n` 。", "'}) DETACH DELETE n //"]
    assert "DELETE" not in query.text
    assert "\\" not in query.text
    assert "secret" not in query.text
    assert query.text.endswith("RETURN `n`.`na``me` AS `n.``na````me`")


def test_brackets_keep_an_expression_from_becoming_a_pattern() -> None:
    for query in (
        "MATCH (a), (b) RETURN a.x - [1] - b.x",
        "MATCH (a), (b) RETURN a:L - [x] - (b)",
        "MATCH (a), (b) RETURN (a.x) < -b.x",
    ):
        outside = translate_query(query).text.split("RETURN")[1]
        assert not re.search(r"\)\s*<?-\s*(\[[^\]]*\])?\s*->?\s*\(", outside)


def test_columns_are_named_by_what_was_asked() -> None:
    text = translate_query("MATCH (n) RETURN n.name, count(*), toUpper( n.name ) AS big").text
    assert text.endswith(
        "RETURN `n`.`name` AS `n.name`, count(*) AS `count`, toUpper(`n`.`name`) AS `big`"
    )


def test_a_property_that_exists_is_one_that_is_not_null() -> None:
    text = translate_query("MATCH (n) WHERE exists(n.name) RETURN n").text
    assert "(`n`.`name` IS NOT NULL)" in text


def test_a_query_is_bounded() -> None:
    for query in (
        f"RETURN '{'x' * NEO4J_QUERY_CHARS_MAX}'",
        f"RETURN {'(' * (NEO4J_QUERY_DEPTH_MAX + 1)}1{')' * (NEO4J_QUERY_DEPTH_MAX + 1)}",
        f"RETURN {'NOT ' * (NEO4J_QUERY_DEPTH_MAX + 1)}true",
        f"RETURN {'-' * (NEO4J_QUERY_DEPTH_MAX + 1)}1",
        f"RETURN 'a'{' + 1' * (NEO4J_QUERY_ADDITIONS_MAX + 1)}",
    ):
        with pytest.raises(QueryRefusedError):
            translate_query(query)
