"""Interaction patterns, their terms, offers between tenants, and a person's switch (S2 §6.5)."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import Exact, Id, Json, Key, LongText, Moment

revision = "0010"
down_revision = "0009"

# What a MySQL server might default to Latin-1 and MyISAM.
_MYSQL: dict[str, Any] = {
    "mysql_charset": "utf8mb4",
    "mysql_collate": "utf8mb4_bin",
    "mysql_engine": "InnoDB",
}


def upgrade() -> None:
    """Make the tables, which are empty; everybody's runs are learned from until they say no."""
    _create_interaction_patterns()
    _create_interaction_pattern_terms()
    _create_pattern_offers()
    op.add_column(
        "s_user",
        sa.Column("learns_patterns", sa.Boolean(), nullable=False, server_default=sa.true()),
    )


def _create_interaction_patterns() -> None:
    op.create_table(
        "interaction_patterns",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("pattern_signature", sa.String(64), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("description", LongText, nullable=False),
        sa.Column("steps", Json, nullable=False),
        sa.Column("tool_compositions", Json, nullable=False),
        sa.Column("success_count", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("failure_count", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("avg_execution_time_ms", sa.BigInteger(), nullable=True),
        sa.Column("usage_count", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("consecutive_failures", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("last_used_at", Moment, nullable=True),
        sa.Column("last_queried_at", Moment, nullable=True),
        sa.Column("details", Json, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_interaction_patterns")),
        **_MYSQL,
    )
    for name, columns in {
        "idx_interaction_patterns_signature": ["tenant_id", "pattern_signature", "updated_at"],
        "idx_interaction_patterns_tenant": ["tenant_id", "updated_at"],
        "idx_interaction_patterns_user": ["tenant_id", "user_id", "updated_at"],
        "idx_interaction_patterns_state": ["tenant_id", "state", "updated_at"],
    }.items():
        op.create_index(name, "interaction_patterns", columns)


def _create_interaction_pattern_terms() -> None:
    op.create_table(
        "interaction_pattern_terms",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("pattern_id", Id, nullable=False),
        sa.Column("term", Key, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint(
            "tenant_id", "pattern_id", "term", name=op.f("pk_interaction_pattern_terms")
        ),
        sqlite_with_rowid=False,
        **_MYSQL,
    )
    op.create_index(
        "idx_pattern_terms",
        "interaction_pattern_terms",
        ["tenant_id", "term", "updated_at", "pattern_id"],
    )


def _create_pattern_offers() -> None:
    op.create_table(
        "pattern_offers",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("to_tenant_id", Id, nullable=False),
        sa.Column("pattern_id", Id, nullable=False),
        sa.Column("content", Json, nullable=False),
        sa.Column("status", Exact(20), nullable=False),
        sa.Column("offered_by", Id, nullable=False),
        sa.Column("decided_by", Id, nullable=True),
        sa.Column("copy_id", Id, nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("decided_at", Moment, nullable=True),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_pattern_offers")),
        sa.UniqueConstraint(
            "tenant_id",
            "pattern_id",
            "to_tenant_id",
            name=op.f("uq_pattern_offers_tenant_id_pattern_id_to_tenant_id"),
        ),
        **_MYSQL,
    )
    op.create_index("idx_pattern_offers_to", "pattern_offers", ["to_tenant_id", "created_at"])
