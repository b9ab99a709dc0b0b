"""The graph in Neo4j 5 (S2 §11.4), for installations that have one; needs the extra `neo4j`.

open_neo4j.py         what a server calls: settings to an open, prepared database
database.py           the driver: transactions, retries, errors with the address
schema.py             constraints and indexes
scope_view.py         a transaction that sees some scopes, and no others
graph_records.py      properties of nodes and relations as values, and back
neo4j_graph_store.py  the port `GraphStore`, over the modules named after what they store
query/                read-only Cypher of a person or a model, with our scope in every pattern
"""
