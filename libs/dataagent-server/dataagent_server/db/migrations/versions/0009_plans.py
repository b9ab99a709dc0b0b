"""Work plans, what a run's row says of its plan, and how a session's runs plan (S2 §13)."""

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.types import AnyText, Id, Json, Moment

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table and add the columns; no run before has had a plan."""
    op.create_table(
        "work_plans",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("steps", Json, nullable=False),
        sa.Column("facts", Json, nullable=False),
        sa.Column("current_step_index", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(20), nullable=True),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("interaction_pattern_id", Id, nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "id", name=op.f("pk_work_plans")),
    )
    op.create_index("idx_work_plans_session", "work_plans", ["tenant_id", "session_id"])
    for column in (
        sa.Column("work_level_thought", AnyText, nullable=True),
        sa.Column("task_level_thought", AnyText, nullable=True),
        sa.Column("plan_steps", Json, nullable=True),
        sa.Column("current_step_index", sa.Integer(), nullable=True),
        sa.Column("workflow_pattern_id", Id, nullable=True),
        sa.Column("total_duration_ms", sa.BigInteger(), nullable=True),
        sa.Column("steps_completed", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("steps_failed", sa.Integer(), nullable=False, server_default="0"),
    ):
        op.add_column("agent_executions", column)
    for column in (
        sa.Column("agent_mode", sa.String(20), nullable=False, server_default="react"),
        sa.Column(
            "enable_workflow_learning", sa.Boolean(), nullable=False, server_default=sa.true()
        ),
        sa.Column("max_concurrent_steps", sa.Integer(), nullable=False, server_default="5"),
        sa.Column("planning_timeout_ms", sa.Integer(), nullable=False, server_default="5000"),
    ):
        op.add_column("sessions", column)
