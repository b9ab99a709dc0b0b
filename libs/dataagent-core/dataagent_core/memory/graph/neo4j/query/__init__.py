"""Cypher that a person or a model wrote, made safe to run on a database that all people share.

A query is read by our own grammar, of the part of Cypher that reads, and written anew from what was
read: nothing of the text itself reaches Neo4j. Each node and relation of each pattern, wherever it
stands, gets the condition that it is of the caller's scopes; texts become parameters. What the
grammar does not know is refused. `docs/neo4j.md` lists what it knows.

cypher_tokens.py      words, numbers, texts and signs
cypher_reader.py       the reader: names, parameters, limits, refusals
cypher_functions.py   the functions a query may call
expression_syntax.py  expressions
pattern_syntax.py     patterns, where the scope is added
query_syntax.py       clauses, subqueries and UNION: `translate_query`
answer_rows.py        nodes, relations and moments as plain values
run_query.py          one transaction that cannot write, with limits of time and rows
"""
