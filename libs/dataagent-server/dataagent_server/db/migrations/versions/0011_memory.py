"""Memories (S3), and the index that finds them by words and by meaning."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import AnyText, Blob, Id, Key, Moment

revision = "0011"
down_revision = "0010"

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
    _create_memory_scopes()
    _create_memory_indexes()
    _create_memory_documents()
    _create_memory_words()
    _create_memory_vectors()
    _create_memories()


def _create_memory_scopes() -> None:
    op.create_table(
        "memory_scopes",
        sa.Column("number", _COUNTING, autoincrement=True, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("assistant_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_memory_scopes")),
        sa.UniqueConstraint(
            "tenant_id",
            "user_id",
            "kind",
            "assistant_id",
            "project_id",
            name=op.f("uq_memory_scopes_tenant_id_user_id_kind_assistant_id_project_id"),
        ),
        sqlite_autoincrement=True,
        **_MYSQL,
    )


def _create_memory_indexes() -> None:
    op.create_table(
        "memory_indexes",
        sa.Column("scope_no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("documents", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("words", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("revision", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("removals", sa.BigInteger(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("scope_no", "kind", name=op.f("pk_memory_indexes")),
        sqlite_with_rowid=False,
        **_MYSQL,
    )


def _create_memory_documents() -> None:
    op.create_table(
        "memory_documents",
        sa.Column("number", _COUNTING, autoincrement=True, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("scope_no", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("words", Blob, nullable=False),
        sa.Column("since_us", sa.BigInteger(), nullable=False),
        sa.Column("until_us", sa.BigInteger(), nullable=False),
        sa.Column("embedder", Key, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_memory_documents")),
        sa.UniqueConstraint(
            "tenant_id", "kind", "id", name=op.f("uq_memory_documents_tenant_id_kind_id")
        ),
        sqlite_autoincrement=True,
        **_MYSQL,
    )
    op.create_index("idx_memory_documents_scope", "memory_documents", ["scope_no", "kind"])
    op.create_index(
        "idx_memory_documents_embedder", "memory_documents", ["tenant_id", "kind", "embedder"]
    )


def _create_memory_words() -> None:
    op.create_table(
        "memory_words",
        sa.Column("scope_no", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("word", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("document", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hits", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope_no", "word", "document", name=op.f("pk_memory_words")),
        sqlite_with_rowid=False,
        **_MYSQL,
    )


def _create_memory_vectors() -> None:
    op.create_table(
        "memory_vectors",
        sa.Column("document", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("scope_no", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("embedder", Key, nullable=False),
        sa.Column("dimensions", sa.Integer(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("vector", Blob, nullable=False),
        sa.PrimaryKeyConstraint("document", name=op.f("pk_memory_vectors")),
        **_MYSQL,
    )
    op.create_index(
        "idx_memory_vectors_changed",
        "memory_vectors",
        ["scope_no", "kind", "embedder", "dimensions", "revision", "document"],
    )


def _create_memories() -> None:
    op.create_table(
        "memories",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("scope_no", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.String(20), nullable=False),
        sa.Column("content", AnyText, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("subject", AnyText, nullable=False),
        sa.Column("subject_hash", sa.BigInteger(), nullable=False),
        sa.Column("source_kind", sa.String(20), nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("seq_first", sa.BigInteger(), nullable=False),
        sa.Column("seq_last", sa.BigInteger(), nullable=False),
        sa.Column("quote", AnyText, nullable=False),
        sa.Column("episode_id", Id, nullable=False),
        sa.Column("details", AnyText, nullable=False),
        sa.Column("is_tainted", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("valid_from", Moment, nullable=False),
        sa.Column("valid_to", Moment, nullable=True),
        sa.Column("recorded_at", Moment, nullable=False),
        sa.Column("retired_at", Moment, nullable=True),
        sa.Column("updated_at", Moment, nullable=False),
        sa.Column("expires_at", Moment, nullable=True),
        sa.Column("replaced_by", Id, nullable=False),
        sa.Column("access_count", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("last_accessed_at", Moment, nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_memories")),
        **_MYSQL,
    )
    op.create_index("idx_memories_user", "memories", ["tenant_id", "user_id", "recorded_at", "id"])
    op.create_index("idx_memories_digest", "memories", ["scope_no", "digest"])
    op.create_index("idx_memories_subject", "memories", ["scope_no", "subject_hash"])
    op.create_index("idx_memories_session", "memories", ["scope_no", "session_id", "seq_first"])
    op.create_index("idx_memories_episode", "memories", ["scope_no", "episode_id"])
    op.create_index("idx_memories_expiry", "memories", ["tenant_id", "expires_at"])
