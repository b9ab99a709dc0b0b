"""Limits of Neo4j: connections, waits, and what a query of a person or a model may take."""

from typing import Final

NEO4J_CONNECTIONS_MAX: Final = 50
NEO4J_CONNECT_S: Final = 5.0
# For a free connection.
NEO4J_WAIT_S: Final = 10.0
# How long a transaction is tried again that met a deadlock or a lost connection.
NEO4J_RETRY_S: Final = 5.0
# Ended by the server.
NEO4J_TRANSACTION_S: Final = 60.0

# A query that a person or a model wrote.
NEO4J_QUERY_S: Final = 5.0
NEO4J_QUERY_CHARS_MAX: Final = 4_000
NEO4J_QUERY_DEPTH_MAX: Final = 40
NEO4J_QUERY_PATH_MAX: Final = 5
# Each can double what a text or a list takes.
NEO4J_QUERY_ADDITIONS_MAX: Final = 8
NEO4J_QUERY_ANSWER_CHARS_MAX: Final = 1_000_000
