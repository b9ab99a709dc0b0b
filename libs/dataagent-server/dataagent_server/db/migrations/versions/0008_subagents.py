"""Sub-agents of tenants and projects, the tenants' defaults, activities and statistics."""

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import AnyText, Exact, Id, Json, Key, LongText, Moment

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the tables; they are empty."""
    _create_subagents()
    _create_run_subagents()
    _create_tenant_agent_configs()
    _create_agent_activity_logs()
    _create_subagent_days()


def _create_subagents() -> None:
    op.create_table(
        "subagents",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("name", Exact(50), nullable=False),
        sa.Column("display_name", Exact(100), nullable=False),
        sa.Column("description", LongText, nullable=False),
        sa.Column("trigger_examples", Json, nullable=False),
        sa.Column("trigger_keywords", Json, nullable=False),
        sa.Column("system_prompt", LongText, nullable=False),
        sa.Column("model", Key, nullable=True),
        sa.Column("color", Exact(20), nullable=False),
        sa.Column("allowed_tools", Json, nullable=True),
        sa.Column("allowed_skills", Json, nullable=True),
        sa.Column("allowed_mcp_servers", Json, nullable=True),
        sa.Column("rules", Json, nullable=False),
        sa.Column("requires_tools", Json, nullable=False),
        sa.Column("max_tokens", sa.Integer(), nullable=True),
        sa.Column("temperature", sa.Float(), nullable=True),
        sa.Column("top_p", sa.Float(), nullable=True),
        sa.Column("max_iterations", sa.Integer(), nullable=True),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("is_override", sa.Boolean(), nullable=False),
        sa.Column("version", Exact(20), nullable=False),
        sa.Column("created_by", Id, nullable=False),
        sa.Column("total_invocations", sa.Integer(), nullable=False),
        sa.Column("avg_execution_time_ms", sa.Float(), nullable=False),
        sa.Column("success_rate", sa.Float(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_subagents")),
        sa.UniqueConstraint(
            "tenant_id", "project_id", "name", name=op.f("uq_subagents_tenant_id_project_id_name")
        ),
    )


def _create_run_subagents() -> None:
    op.create_table(
        "run_subagents",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("agent_id", Id, nullable=False),
        sa.Column("definition", Json, nullable=True),
        sa.PrimaryKeyConstraint("tenant_id", "run_id", "agent_id", name=op.f("pk_run_subagents")),
    )


def _create_tenant_agent_configs() -> None:
    op.create_table(
        "tenant_agent_configs",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("model", Key, nullable=True),
        sa.Column("temperature", sa.Float(), nullable=True),
        sa.Column("top_p", sa.Float(), nullable=True),
        sa.Column("max_tokens", sa.Integer(), nullable=True),
        sa.Column("max_iterations", sa.Integer(), nullable=True),
        sa.Column("max_depth", sa.Integer(), nullable=True),
        sa.Column("timeout_s", sa.Integer(), nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", name=op.f("pk_tenant_agent_configs")),
    )


def _create_agent_activity_logs() -> None:
    op.create_table(
        "agent_activity_logs",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("agent_id", Id, nullable=False),
        sa.Column("parent_activity_id", Id, nullable=True),
        sa.Column("type", Exact(50), nullable=False),
        sa.Column("status", Exact(20), nullable=False),
        sa.Column("name", Exact(200), nullable=False),
        sa.Column("input_data", Json, nullable=False),
        sa.Column("output_data", Json, nullable=False),
        sa.Column("error_message", AnyText, nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("total_tokens", sa.Integer(), nullable=True),
        sa.Column("duration_ms", sa.BigInteger(), nullable=False),
        sa.Column("started_at", Moment, nullable=False),
        sa.Column("completed_at", Moment, nullable=True),
        sa.Column("metadata", Json, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_agent_activity_logs")),
    )
    op.create_index(
        "idx_activity_logs_agent", "agent_activity_logs", ["tenant_id", "agent_id", "started_at"]
    )
    op.create_index(
        "idx_activity_logs_session", "agent_activity_logs", ["tenant_id", "session_id", "run_id"]
    )


def _create_subagent_days() -> None:
    op.create_table(
        "subagent_days",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("agent_id", Id, nullable=False),
        sa.Column("day", Exact(10), nullable=False),
        sa.Column("invocations", sa.Integer(), nullable=False),
        sa.Column("successes", sa.Integer(), nullable=False),
        sa.Column("duration_ms", sa.BigInteger(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "agent_id", "day", name=op.f("pk_subagent_days")),
    )
