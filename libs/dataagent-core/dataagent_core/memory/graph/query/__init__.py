"""Queries that only read the graph: the part of Cypher that every store understands.

    MATCH (a:Entity {name: 'Ada'})-[r:RELATES_TO]->(b:Entity)
    WHERE r.valid_to IS NULL AND b.name CONTAINS 'Corp'
    RETURN b.name, r.fact ORDER BY r.weight DESC LIMIT 10

One path of at most three relations; labels `Episodic`, `Entity` and `Community`, relations
`MENTIONS`, `RELATES_TO` and `BELONGS_TO`, and the properties of `graph_schema.py`. The scope of a
query is added by the store: nothing in a query can name one.
"""
