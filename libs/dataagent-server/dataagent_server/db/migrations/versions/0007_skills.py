"""Skills of tenants and projects, what runs use of them, and tool compositions."""

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import Blob, Exact, Id, Json, LongText, Moment

revision = "0007"
down_revision = "0006"

_HASH_CHARS = 64


def upgrade() -> None:
    """Make the tables; they are empty."""
    _create_skills()
    _create_skill_versions()
    _create_blobs()
    _create_run_skills()
    _create_tenant_tables()
    _create_tool_compositions()


def _create_skills() -> None:
    op.create_table(
        "skills",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("name", Exact(100), nullable=False),
        sa.Column("display_name", Exact(200), nullable=False),
        sa.Column("description", LongText, nullable=False),
        sa.Column("trigger_type", Exact(16), nullable=False),
        sa.Column("trigger_phrases", Json, nullable=False),
        sa.Column("trigger_patterns", Json, nullable=False),
        sa.Column("summary", LongText, nullable=False),
        sa.Column("content", LongText, nullable=False),
        sa.Column("category", Exact(50), nullable=False),
        sa.Column("tags", Json, nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("status", Exact(16), nullable=False),
        sa.Column("version", Exact(20), nullable=False),
        sa.Column("scope", Exact(20), nullable=False),
        sa.Column("is_system_skill", sa.Boolean(), nullable=False),
        sa.Column("tools", Json, nullable=False),
        sa.Column("allowed_tools", Json, nullable=True),
        sa.Column("license", LongText, nullable=True),
        sa.Column("compatibility", LongText, nullable=True),
        sa.Column("metadata", Json, nullable=False),
        sa.Column("always_offered", sa.Boolean(), nullable=False),
        sa.Column("requires_tools", Json, nullable=False),
        sa.Column("files", Json, nullable=False),
        sa.Column("digest", Exact(_HASH_CHARS), nullable=False),
        sa.Column("created_by", Id, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_skills")),
        sa.UniqueConstraint(
            "tenant_id", "project_id", "name", name=op.f("uq_skills_tenant_id_project_id_name")
        ),
    )
    op.create_index("ix_skills_tenant_scope", "skills", ["tenant_id", "scope"], unique=False)


def _create_skill_versions() -> None:
    op.create_table(
        "skill_versions",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("skill_id", Id, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", Exact(20), nullable=False),
        sa.Column("content", LongText, nullable=False),
        sa.Column("files", Json, nullable=False),
        sa.Column("digest", Exact(_HASH_CHARS), nullable=False),
        sa.Column("created_by", Id, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "skill_id", "number", name=op.f("pk_skill_versions")),
    )


def _create_blobs() -> None:
    op.create_table(
        "skill_blobs",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("sha256", Exact(_HASH_CHARS), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("content", Blob, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "sha256", name=op.f("pk_skill_blobs")),
    )
    op.create_table(
        "skill_blob_uses",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("sha256", Exact(_HASH_CHARS), nullable=False),
        sa.Column("skill_id", Id, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint(
            "tenant_id", "sha256", "skill_id", "number", name=op.f("pk_skill_blob_uses")
        ),
    )
    op.create_index(
        op.f("ix_skill_blob_uses_tenant_id_skill_id_number"),
        "skill_blob_uses",
        ["tenant_id", "skill_id", "number"],
        unique=False,
    )


def _create_run_skills() -> None:
    op.create_table(
        "run_skills",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("skill_id", Id, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("scope", Exact(20), nullable=False),
        sa.Column("digest", Exact(_HASH_CHARS), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "run_id", "skill_id", name=op.f("pk_run_skills")),
    )
    op.create_index(
        op.f("ix_run_skills_tenant_id_skill_id_number"),
        "run_skills",
        ["tenant_id", "skill_id", "number"],
        unique=False,
    )
    op.add_column(
        "agent_executions",
        sa.Column("has_copies", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def _create_tenant_tables() -> None:
    op.create_table(
        "tenant_skill_configs",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("system_skill_name", Exact(200), nullable=False),
        sa.Column("action", Exact(20), nullable=False),
        sa.Column("override_skill_id", Id, nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_tenant_skill_configs")),
        sa.UniqueConstraint(
            "tenant_id",
            "system_skill_name",
            name=op.f("uq_tenant_skill_configs_tenant_id_system_skill_name"),
        ),
    )
    op.create_table(
        "skill_revisions",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", name=op.f("pk_skill_revisions")),
    )


def _create_tool_compositions() -> None:
    op.create_table(
        "tool_compositions",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("name", Exact(200), nullable=False),
        sa.Column("description", LongText, nullable=False),
        sa.Column("tools", Json, nullable=False),
        sa.Column("execution_template", Json, nullable=False),
        sa.Column("fallback_alternatives", Json, nullable=False),
        sa.Column("success_count", sa.Integer(), nullable=False),
        sa.Column("failure_count", sa.Integer(), nullable=False),
        sa.Column("usage_count", sa.Integer(), nullable=False),
        sa.Column("created_by", Id, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_tool_compositions")),
        sa.UniqueConstraint(
            "tenant_id",
            "project_id",
            "name",
            name=op.f("uq_tool_compositions_tenant_id_project_id_name"),
        ),
    )
    op.create_table(
        "tool_composition_members",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("composition_id", Id, nullable=False),
        sa.Column("tool", Id, nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("total_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "tenant_id", "composition_id", "tool", name=op.f("pk_tool_composition_members")
        ),
    )
