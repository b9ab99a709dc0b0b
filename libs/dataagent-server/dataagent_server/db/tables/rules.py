"""What people allowed for good: one row for each rule of an "always"."""

from sqlalchemy import Column, Index, Table, UniqueConstraint

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import AnyText, Exact, Id, Moment

_HASH_CHARS = 64

permission_rules = Table(
    "permission_rules",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("rule_id", Id, primary_key=True),
    Column("user_id", Id, nullable=False),
    # NULL: in the sessions of no project.
    Column("project_id", Id),
    Column("tool", AnyText, nullable=False),
    Column("resource", AnyText, nullable=False),
    # Stands for project, tool and resource, which are too long for an index.
    Column("rule_hash", Exact(_HASH_CHARS), nullable=False),
    Column("session_id", Id, nullable=False),
    Column("created_by", Id, nullable=False),
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("tenant_id", "user_id", "rule_hash"),
    Index("idx_rules_place", "tenant_id", "user_id", "project_id"),
)
