"""What people said for good: the rules of an "always", and those written by hand."""

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
    Column("action", Exact(8), nullable=False),
    # Stands for project, action, tool and resource, which are too long for an index.
    Column("rule_hash", Exact(_HASH_CHARS), nullable=False),
    # NULL: written by hand.
    Column("session_id", Id),
    Column("created_by", Id, nullable=False),
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("tenant_id", "user_id", "rule_hash"),
    Index("idx_rules_place", "tenant_id", "user_id", "project_id"),
)
