"""LangGraph's checkpoints on MySQL and MariaDB; the other two have tables of the library's savers.

A thread is a run, whose id is unique across tenants.
"""

from sqlalchemy import Column, Integer, String, Table

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import AnyText, Blob, Id, Json, Key

_MYSQL = {"only_on": "mysql"}

graph_checkpoints = Table(
    "graph_checkpoints",
    metadata,
    Column("thread_id", Id, primary_key=True),
    Column("checkpoint_ns", Key, primary_key=True),
    Column("checkpoint_id", Id, primary_key=True),
    Column("parent_checkpoint_id", Id),
    # A name space that is too long for an index stands here, and its digest above.
    Column("long_checkpoint_ns", AnyText),
    # The channels whose value this checkpoint holds, to find a value without reading every state.
    Column("channels", Json, nullable=False),
    Column("type", String(20), nullable=False),
    Column("checkpoint", Blob, nullable=False),
    Column("metadata", Json, nullable=False),
    info=_MYSQL,
)

graph_writes = Table(
    "graph_writes",
    metadata,
    Column("thread_id", Id, primary_key=True),
    Column("checkpoint_ns", Key, primary_key=True),
    Column("checkpoint_id", Id, primary_key=True),
    Column("task_id", Id, primary_key=True),
    Column("idx", Integer, primary_key=True, autoincrement=False),
    Column("task_path", AnyText, nullable=False),
    Column("channel", AnyText, nullable=False),
    Column("type", String(20), nullable=False),
    Column("value", Blob, nullable=False),
    info=_MYSQL,
)
