"""The graph of memory (S2 §11): episodes, entities, relations and communities."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import AnyText, Id, Key, Moment

revision = "0012"
down_revision = "0011"

# SQLite counts up only a column that is exactly INTEGER.
_COUNTING = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
# What a MySQL server might default to Latin-1 and MyISAM.
_MYSQL: dict[str, Any] = {
    "mysql_charset": "utf8mb4",
    "mysql_collate": "utf8mb4_bin",
    "mysql_engine": "InnoDB",
}


def upgrade() -> None:
    """Make the tables, which are empty."""
    _create_graph_episodes()
    _create_graph_entities()
    _create_graph_names()
    _create_graph_relations()
    _create_graph_evidence()
    _create_graph_mentions()
    _create_graph_communities()


def _create_graph_episodes() -> None:
    op.create_table(
        "graph_episodes",
        sa.Column("number", _COUNTING, autoincrement=True, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("scope_no", sa.BigInteger(), nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("content", AnyText, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("source", AnyText, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("reason", AnyText, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("extracted", AnyText, nullable=False),
        sa.Column("is_tainted", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_graph_episodes")),
        sa.UniqueConstraint("tenant_id", "id", name=op.f("uq_graph_episodes_tenant_id_id")),
        sqlite_autoincrement=True,
        **_MYSQL,
    )
    op.create_index(
        "idx_graph_episodes_scope", "graph_episodes", ["scope_no", "created_at", "number"]
    )
    op.create_index("idx_graph_episodes_state", "graph_episodes", ["tenant_id", "state", "number"])
    op.create_index("idx_graph_episodes_session", "graph_episodes", ["scope_no", "session_id"])


def _create_graph_entities() -> None:
    op.create_table(
        "graph_entities",
        sa.Column("number", _COUNTING, autoincrement=True, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("scope_no", sa.BigInteger(), nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("name", AnyText, nullable=False),
        sa.Column("name_key", Key, nullable=False),
        sa.Column("type", sa.String(40), nullable=False),
        sa.Column("summary", AnyText, nullable=False),
        sa.Column("attributes", AnyText, nullable=False),
        sa.Column("aliases", AnyText, nullable=False),
        sa.Column("community_no", sa.BigInteger(), nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_graph_entities")),
        sa.UniqueConstraint("tenant_id", "id", name=op.f("uq_graph_entities_tenant_id_id")),
        sqlite_autoincrement=True,
        **_MYSQL,
    )
    op.create_index("idx_graph_entities_name", "graph_entities", ["scope_no", "name_key", "number"])
    op.create_index("idx_graph_entities_community", "graph_entities", ["community_no", "number"])


def _create_graph_names() -> None:
    op.create_table(
        "graph_names",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("scope_no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name_hash", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("entity_no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope_no", "name_hash", "entity_no", name=op.f("pk_graph_names")),
        sqlite_with_rowid=False,
        **_MYSQL,
    )
    op.create_index("idx_graph_names_entity", "graph_names", ["entity_no"])


def _create_graph_relations() -> None:
    op.create_table(
        "graph_relations",
        sa.Column("number", _COUNTING, autoincrement=True, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("scope_no", sa.BigInteger(), nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("source_no", sa.BigInteger(), nullable=False),
        sa.Column("target_no", sa.BigInteger(), nullable=False),
        sa.Column("name", AnyText, nullable=False),
        sa.Column("fact", AnyText, nullable=False),
        sa.Column("weight_milli", sa.BigInteger(), nullable=False),
        sa.Column("episode_no", sa.BigInteger(), nullable=False),
        sa.Column("valid_from", Moment, nullable=False),
        sa.Column("valid_to", Moment, nullable=True),
        sa.Column("recorded_at", Moment, nullable=False),
        sa.Column("retired_at", Moment, nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_graph_relations")),
        sa.UniqueConstraint("tenant_id", "id", name=op.f("uq_graph_relations_tenant_id_id")),
        sqlite_autoincrement=True,
        **_MYSQL,
    )
    op.create_index("idx_graph_relations_source", "graph_relations", ["source_no", "weight_milli"])
    op.create_index("idx_graph_relations_target", "graph_relations", ["target_no", "weight_milli"])
    op.create_index("idx_graph_relations_scope", "graph_relations", ["scope_no", "number"])


def _create_graph_evidence() -> None:
    op.create_table(
        "graph_evidence",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("scope_no", sa.BigInteger(), nullable=False),
        sa.Column("relation_no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("episode_no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("fact", AnyText, nullable=False),
        sa.PrimaryKeyConstraint("relation_no", "episode_no", name=op.f("pk_graph_evidence")),
        sqlite_with_rowid=False,
        **_MYSQL,
    )
    op.create_index("idx_graph_evidence_episode", "graph_evidence", ["episode_no"])


def _create_graph_mentions() -> None:
    op.create_table(
        "graph_mentions",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("scope_no", sa.BigInteger(), nullable=False),
        sa.Column("entity_no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("episode_no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("names", AnyText, nullable=False),
        sa.PrimaryKeyConstraint("entity_no", "episode_no", name=op.f("pk_graph_mentions")),
        sqlite_with_rowid=False,
        **_MYSQL,
    )
    op.create_index("idx_graph_mentions_episode", "graph_mentions", ["episode_no", "entity_no"])


def _create_graph_communities() -> None:
    op.create_table(
        "graph_communities",
        sa.Column("number", _COUNTING, autoincrement=True, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("scope_no", sa.BigInteger(), nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("name", AnyText, nullable=False),
        sa.Column("summary", AnyText, nullable=False),
        sa.Column("member_count", sa.BigInteger(), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_graph_communities")),
        sa.UniqueConstraint("tenant_id", "id", name=op.f("uq_graph_communities_tenant_id_id")),
        sqlite_autoincrement=True,
        **_MYSQL,
    )
    op.create_index(
        "idx_graph_communities_scope", "graph_communities", ["scope_no", "member_count"]
    )
