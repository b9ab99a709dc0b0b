"""Queries that try to see more than they may, put together at random from a grammar."""

from random import Random

_NAMES = ("n", "m", "a", "`n`", "`a b`", "名")
_LABELS = (
    *("", "", ":Entity", ":Episodic", ":Community", ":!Entity", ":Entity|Episodic"),
    *(":GraphNode", ":MemoryScope", ":`Entity`", ":!GraphNode", ":Entity&!Community"),
    ":(Entity|Community)",
)
_TYPES = ("", ":RELATES_TO", ":MENTIONS|RELATES_TO", ":!MENTIONS", ":`BELONGS_TO`")
_HOPS = ("", "", "*1..3", "*0..2", "*2", "*..4", "* 1 .. 5")
_MAPS = ("", "", " {id: 'n-Theirs'}", " {tenant_id: 'other'}", " {user_id: 'bob', name: 'Theirs'}")
_CONDITIONS = (
    "true",
    "true OR {n}.scope <> ''",
    "{n}.tenant_id <> 'x' OR NOT {n}.tenant_id = 'x'",
    "{n}.user_id = 'bob'",
    "{n}.name CONTAINS 'Theirs' OR {n}.content CONTAINS 'Theirs'",
    "NOT ({n})-[:RELATES_TO]->()",
    "({n})--() OR ()-->()",
    "exists(({n})-[*1..2]-({{user_id: 'bob'}}))",
    "EXISTS {{ ({n})--(x) WHERE x.user_id = 'bob' }}",
    "EXISTS {{ MATCH (x:Entity) WHERE x.name = 'Theirs' }}",
    "EXISTS {{ MATCH (x) WITH x AS {n} MATCH ({n})-->(y) RETURN y }}",
    "COUNT {{ (x:Entity) }} > 3",
    "COUNT {{ MATCH (x)-[*1..3]-(y) RETURN DISTINCT y }} > 3",
    "any({n} IN [1, 2] WHERE {n} > 1)",
    "size([{n} IN [1] WHERE true | {n}]) = 1",
    "size([(x)-->(y) WHERE x.user_id = 'bob' | y.name]) > 0",
    "{n}:Entity OR NOT {n}:Entity",
    "{n}.id IN ['n-Theirs', 'e-theirs']",
    "{n}.name = '\\') OR true //'",
    '{n}.name <> "\\u0027}}) RETURN 1 //" XOR false',
    "elementId({n}) <> ''",
    "CASE WHEN {n}.user_id = 'bob' THEN true ELSE true END",
)
_RESULTS = (
    "{n}",
    "{n}.name AS v",
    "properties({n}) AS v",
    "labels({n}) AS v, count(*) AS c",
    "count(*) AS c",
    "count(DISTINCT {n}.scope) AS c",
    "collect({n}.name) AS v",
    "[({n})--(x) | x.name] AS v",
    "[p = ({n})-[*1..2]-(x) | length(p)] AS v",
    "COUNT {{ ({n})-->() }} AS v",
    "COUNT {{ () }} AS v",
    "COLLECT {{ MATCH (x) RETURN x.name }} AS v",
    "COLLECT {{ MATCH ({n}), (x) RETURN x.name + ' ' + {n}.id }} AS v",
    "size(COLLECT {{ MATCH ()-[r]-() RETURN r }}) AS v",
    "max({n}.id) AS v",
    "CASE WHEN EXISTS {{ (x) WHERE x.user_id = 'bob' }} THEN 'yes' ELSE 'no' END AS v",
)
_COMMENTS = ("", "", " /* ) RETURN 1 */ ", " // }\n", "\n\t", "/**/")


def make_query(random: Random) -> str:
    """Make a query; most of them are valid Cypher."""
    result = random.choice(_RESULTS)
    query = _make_part(random, result)
    if random.random() < 0.2:
        query += f" UNION ALL {_make_part(random, result)}"
    return query.replace("n", "\\u006e", 1) if random.random() < 0.1 else query


def _make_part(random: Random, result: str) -> str:
    name = random.choice(_NAMES)
    word = random.choice(("MATCH", "match", "OPTIONAL MATCH", "OPTIONAL/**/MATCH"))
    text = f"{word} {_make_pattern(random, name)}"
    if random.random() < 0.6:
        condition = random.choice(_CONDITIONS).format(n=name)
        text += f"{random.choice(_COMMENTS)} WHERE {condition}"
    shadow = random.randrange(6)
    if shadow == 0:
        text += f" WITH {name} AS q, 1 AS {name} MATCH (q)--({random.choice(('x', ''))})"
        text += " WITH q AS n"
        name = "n"
    elif shadow == 1:
        text += f" WITH {name} UNWIND [1, 2] AS q MATCH (b)-[:RELATES_TO]-() WITH {name}, b"
    elif shadow == 2:
        text += f" WITH {name}.id AS id MATCH ({name}) WHERE {name}.id <> id"
    return f"{text} RETURN {result.format(n=name)}"


def _make_pattern(random: Random, name: str) -> str:
    text = random.choice(("", "", "path = ")) + _make_node(random, name)
    for number in range(random.randrange(3)):
        inside = random.choice(("", f"r{number}")) + random.choice(_TYPES) + random.choice(_HOPS)
        left, right = random.choice((("-", "->"), ("<-", "-"), ("-", "-")))
        text += f"{left}[{inside}]{right}{_make_node(random, random.choice(('', f'z{number}')))}"
    return f"{text}, {_make_node(random, '')}" if random.random() < 0.1 else text


def _make_node(random: Random, name: str) -> str:
    labels = random.choice(_LABELS) if random.random() < 0.5 else ""
    values = random.choice(_MAPS) if random.random() < 0.1 else ""
    return f"({name}{random.choice(_COMMENTS)}{labels}{values})"
