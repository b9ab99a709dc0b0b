"""Assistants: agents that people of a tenant have given a name and a way of working."""

from sqlalchemy import Boolean, Column, Index, Table

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import Exact, Id, Json, LongText, Moment

_NAME_CHARS = 256

assistants = Table(
    "assistants",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("assistant_id", Id, primary_key=True),
    Column("owner_id", Id, nullable=False),
    Column("name", Exact(_NAME_CHARS), nullable=False),
    Column("description", LongText, nullable=False),
    # None: whatever the tenant or the server uses.
    Column("model", Exact(_NAME_CHARS)),
    Column("system_prompt", LongText),
    Column("options", Json, nullable=False),
    Column("is_active", Boolean, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Index(None, "tenant_id", "created_at"),
)
