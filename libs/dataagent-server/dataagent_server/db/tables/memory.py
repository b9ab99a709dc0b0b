"""Memories, their index and their graph (S2 §11, S3): core's tables.

Each row is one person's. The columns `scope_no` are numbers of `memory_scopes`.
"""

from dataagent_core.memory.graph.sql.graph_tables import GRAPH_TABLES
from dataagent_core.memory.sql.memory_tables import MEMORY_TABLES
from dataagent_server.db.tables.shared_table import shared_table

memory_tables = {table.name: shared_table(table) for table in (*MEMORY_TABLES, *GRAPH_TABLES)}
memories = memory_tables["memories"]
memory_scopes = memory_tables["memory_scopes"]
memory_indexes = memory_tables["memory_indexes"]
graph_episodes = memory_tables["graph_episodes"]
