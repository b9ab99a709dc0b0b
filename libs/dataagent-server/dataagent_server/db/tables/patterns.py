"""Interaction patterns (S2 §13): core's tables, and what one tenant offers to another (§6.5.8)."""

from sqlalchemy import Column, Index, Table, UniqueConstraint

from dataagent_core.patterns.sql.pattern_tables import INTERACTION_PATTERNS, PATTERN_TERMS
from dataagent_server.db.metadata import metadata
from dataagent_server.db.tables.shared_table import shared_table
from dataagent_server.db.types import Exact, Id, Json, Moment

interaction_patterns = shared_table(INTERACTION_PATTERNS)
interaction_pattern_terms = shared_table(PATTERN_TERMS)

# `tenant_id` offers, `to_tenant_id` is whom it is for. Whether there is such a tenant is looked up
# only when somebody of it lists its offers.
pattern_offers = Table(
    "pattern_offers",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("id", Id, primary_key=True),
    Column("to_tenant_id", Id, nullable=False),
    Column("pattern_id", Id, nullable=False),
    # The scrubbed copy as it was offered: what is accepted is what was looked at.
    Column("content", Json, nullable=False),
    Column("status", Exact(20), nullable=False),
    Column("offered_by", Id, nullable=False),
    Column("decided_by", Id),
    # The pattern that was made of it in the other tenant.
    Column("copy_id", Id),
    Column("created_at", Moment, nullable=False),
    Column("decided_at", Moment),
    UniqueConstraint("tenant_id", "pattern_id", "to_tenant_id"),
    Index("idx_pattern_offers_to", "to_tenant_id", "created_at"),
)
