"""The first schema: every table the server began with.

Databases in use have run it, so it does not change: a change of the tables is a script of its own.
On SQLite core has made the tables of conversations already; there the server's own columns and
indexes are added to them.
"""

import sqlalchemy as sa
from alembic import op

from dataagent_server.db.tables.conversations import Counting
from dataagent_server.db.types import AnyText, Blob, Exact, Id, Json, Key, LongText, Moment

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    dialect = op.get_bind().dialect.name
    if dialect == "sqlite":
        _extend_core_tables()
    else:
        _create_core_tables()
    _create_tables()
    if dialect == "mysql":
        _create_mysql_tables()


# What the server adds to core's tables on SQLite.
def _extend_core_tables() -> None:
    _extend_core_tables_messages()
    _extend_core_tables_sessions()
    _extend_core_tables_tool_execution_records()


def _extend_core_tables_messages() -> None:
    op.create_index(
        "idx_messages_session", "messages", ["tenant_id", "session_id", "position"], unique=False
    )


def _extend_core_tables_sessions() -> None:
    op.add_column("sessions", sa.Column("project_id", Id, nullable=True))
    op.add_column("sessions", sa.Column("model", Key, nullable=True))
    op.add_column("sessions", sa.Column("title", sa.String(length=500), nullable=True))
    op.add_column("sessions", sa.Column("title_folded", LongText, nullable=True))
    op.create_index("idx_sessions_active", "sessions", ["tenant_id", "last_active"], unique=False)
    op.create_index(
        "idx_sessions_mine",
        "sessions",
        ["tenant_id", "project_id", "user_id", "last_active"],
        unique=False,
    )
    op.create_index(
        "idx_sessions_project", "sessions", ["tenant_id", "project_id", "last_active"], unique=False
    )


def _extend_core_tables_tool_execution_records() -> None:
    op.add_column("tool_execution_records", sa.Column("long_call_key", AnyText(), nullable=True))
    op.add_column("tool_execution_records", sa.Column("started_at", Moment(), nullable=True))
    op.add_column("tool_execution_records", sa.Column("completed_at", Moment(), nullable=True))


# The same tables where core does not make them.
def _create_core_tables() -> None:
    _create_core_tables_agent_execution_events()
    _create_core_tables_budget_counters()
    _create_core_tables_budget_reservations()
    _create_core_tables_budgets()
    _create_core_tables_messages()
    _create_core_tables_sessions()
    _create_core_tables_tool_execution_records()
    _create_core_tables_usage()
    _create_core_tables_usage_days()


def _create_core_tables_agent_execution_events() -> None:
    op.create_table(
        "agent_execution_events",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("event_id", Key, nullable=False),
        sa.Column("event_type", sa.String(length=50), nullable=False),
        sa.Column("event_data", LongText, nullable=False),
        sa.PrimaryKeyConstraint(
            "tenant_id", "session_id", "seq", name=op.f("pk_agent_execution_events")
        ),
        sa.UniqueConstraint(
            "tenant_id",
            "session_id",
            "event_id",
            name=op.f("uq_agent_execution_events_tenant_id_session_id_event_id"),
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
        sqlite_with_rowid=False,
    )
    op.create_index(
        "idx_events_type",
        "agent_execution_events",
        ["tenant_id", "session_id", "event_type", "seq"],
        unique=False,
    )


def _create_core_tables_budget_counters() -> None:
    op.create_table(
        "budget_counters",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("scope", sa.String(length=20), nullable=False),
        sa.Column("scope_id", Id, nullable=False),
        sa.Column("period", sa.String(length=10), nullable=False),
        sa.Column("period_start", sa.String(length=10), nullable=False),
        sa.Column("used_tokens", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("used_cost_nano", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("held_tokens", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("held_cost_nano", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("warned", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint(
            "tenant_id",
            "scope",
            "scope_id",
            "period",
            "period_start",
            name=op.f("pk_budget_counters"),
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_core_tables_budget_reservations() -> None:
    op.create_table(
        "budget_reservations",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost_nano", sa.BigInteger(), nullable=True),
        sa.Column("reserved_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.Column("model", Key, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "reservation_id", name=op.f("pk_budget_reservations")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        "idx_reservations_expiry", "budget_reservations", ["tenant_id", "expires_at"], unique=False
    )


def _create_core_tables_budgets() -> None:
    op.create_table(
        "budgets",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("scope", sa.String(length=20), nullable=False),
        sa.Column("scope_id", Id, nullable=False),
        sa.Column("period", sa.String(length=10), nullable=False),
        sa.Column("cost_nano_max", sa.BigInteger(), nullable=True),
        sa.Column("tokens_max", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint(
            "tenant_id", "scope", "scope_id", "period", name=op.f("pk_budgets")
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_core_tables_messages() -> None:
    op.create_table(
        "messages",
        sa.Column("position", Counting, autoincrement=True, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("message_id", Key, nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("content", AnyText(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("metadata", Json(), nullable=False),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_messages")),
        sa.UniqueConstraint(
            "tenant_id",
            "session_id",
            "message_id",
            name=op.f("uq_messages_tenant_id_session_id_message_id"),
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        "idx_messages_session", "messages", ["tenant_id", "session_id", "position"], unique=False
    )


def _create_core_tables_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("assistant_id", Id, nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("last_active", Moment(), nullable=False),
        sa.Column("state", Json(), nullable=False),
        sa.Column("metadata", Json(), nullable=False),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("model", Key, nullable=True),
        sa.Column("title", sa.String(length=500), nullable=True),
        sa.Column("title_folded", LongText, nullable=True),
        sa.PrimaryKeyConstraint("tenant_id", "session_id", name=op.f("pk_sessions")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index("idx_sessions_active", "sessions", ["tenant_id", "last_active"], unique=False)
    op.create_index(
        "idx_sessions_assistant",
        "sessions",
        ["tenant_id", "assistant_id", "last_active"],
        unique=False,
    )
    op.create_index(
        "idx_sessions_mine",
        "sessions",
        ["tenant_id", "project_id", "user_id", "last_active"],
        unique=False,
    )
    op.create_index(
        "idx_sessions_project", "sessions", ["tenant_id", "project_id", "last_active"], unique=False
    )
    op.create_index(
        "idx_sessions_user", "sessions", ["tenant_id", "user_id", "last_active"], unique=False
    )


def _create_core_tables_tool_execution_records() -> None:
    op.create_table(
        "tool_execution_records",
        sa.Column("position", Counting, autoincrement=True, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("call_key", Key, nullable=False),
        sa.Column("tool_name", LongText, nullable=False),
        sa.Column("args_hash", sa.String(length=128), nullable=False),
        sa.Column("payload", Blob, nullable=True),
        sa.Column(
            "receipt",
            sa.Text().with_variant(AnyText(), "mysql").with_variant(AnyText(), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "probe",
            sa.Text().with_variant(AnyText(), "mysql").with_variant(AnyText(), "postgresql"),
            nullable=True,
        ),
        sa.Column("long_call_key", AnyText(), nullable=True),
        sa.Column("started_at", Moment(), nullable=True),
        sa.Column("completed_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_tool_execution_records")),
        sa.UniqueConstraint(
            "tenant_id",
            "run_id",
            "call_key",
            name=op.f("uq_tool_execution_records_tenant_id_run_id_call_key"),
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        "idx_records_session", "tool_execution_records", ["tenant_id", "session_id"], unique=False
    )


def _create_core_tables_usage() -> None:
    op.create_table(
        "usage",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("model", Key, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("calls", sa.BigInteger(), nullable=False),
        sa.Column("unpriced_calls", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_read_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_write_tokens", sa.BigInteger(), nullable=False),
        sa.Column("reasoning_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost_nano", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "run_id", "day", "model", name=op.f("pk_usage")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index("idx_usage_day", "usage", ["tenant_id", "day"], unique=False)


def _create_core_tables_usage_days() -> None:
    op.create_table(
        "usage_days",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("model", Key, nullable=False),
        sa.Column("calls", sa.BigInteger(), nullable=False),
        sa.Column("unpriced_calls", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_read_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_write_tokens", sa.BigInteger(), nullable=False),
        sa.Column("reasoning_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost_nano", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "tenant_id", "day", "user_id", "project_id", "model", name=op.f("pk_usage_days")
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


# The server's own.
def _create_tables() -> None:
    _create_tables_agent_executions()
    _create_tables_api_keys()
    _create_tables_assistants()
    _create_tables_audit_heads()
    _create_tables_audit_log()
    _create_tables_data_sources()
    _create_tables_execution_checkpoints()
    _create_tables_human_requests()
    _create_tables_idempotency_keys()
    _create_tables_mcp_servers()
    _create_tables_mcp_tokens()
    _create_tables_model_credentials()
    _create_tables_oauth_flows()
    _create_tables_one_time_tokens()
    _create_tables_permission_rules()
    _create_tables_projects()
    _create_tables_report_runs()
    _create_tables_report_schedules()
    _create_tables_reports()
    _create_tables_results()
    _create_tables_s_user()
    _create_tables_s_workspace()
    _create_tables_s_workspace_usage()
    _create_tables_saved_questions()
    _create_tables_semantic_models()
    _create_tables_server_instances()
    _create_tables_session_counters()
    _create_tables_session_removals()
    _create_tables_tenant_models()
    _create_tables_tenants()
    _create_tables_web_sessions()
    _create_tables_s_user_workspace_rel()
    _create_tables_s_workspace_reservation()
    _create_tables_session_shares()
    _create_tables_user_tenants()


def _create_tables_agent_executions() -> None:
    op.create_table(
        "agent_executions",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("assistant_id", Id, nullable=False),
        sa.Column("model", Key, nullable=True),
        sa.Column("agent_type", sa.String(length=50), nullable=False),
        sa.Column("message_id", Key, nullable=False),
        sa.Column("input", AnyText(), nullable=False),
        sa.Column("options", Json(), nullable=True),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("owner", Id, nullable=True),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost_attempts", sa.Integer(), nullable=False),
        sa.Column("progress_seq", sa.BigInteger(), nullable=False),
        sa.Column("cancel_requested_at", Moment(), nullable=True),
        sa.Column("result", Json(), nullable=True),
        sa.Column("error", AnyText(), nullable=True),
        sa.Column("error_code", sa.String(length=50), nullable=True),
        sa.Column("token_usage", Json(), nullable=True),
        sa.Column("checkpoint_id", Key, nullable=True),
        sa.Column("trace_id", sa.String(length=100), nullable=True),
        sa.Column("started_at", Moment(), nullable=True),
        sa.Column("completed_at", Moment(), nullable=True),
        sa.Column("forgotten_at", Moment(), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "run_id", name=op.f("pk_agent_executions")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index("idx_executions_completed", "agent_executions", ["completed_at"], unique=False)
    op.create_index("idx_executions_owner", "agent_executions", ["status", "owner"], unique=False)
    op.create_index("idx_executions_run", "agent_executions", ["run_id"], unique=False)
    op.create_index(
        "idx_executions_session",
        "agent_executions",
        ["tenant_id", "session_id", "position"],
        unique=False,
    )
    op.create_index(
        "idx_executions_status",
        "agent_executions",
        ["tenant_id", "status", "created_at"],
        unique=False,
    )
    op.create_index(
        "idx_executions_user", "agent_executions", ["tenant_id", "user_id", "status"], unique=False
    )


def _create_tables_api_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("key_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("name", Exact(256), nullable=False),
        sa.Column("prefix", Exact(32), nullable=False),
        sa.Column("key_hash", Exact(64), nullable=False),
        sa.Column("scopes", Json(), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=True),
        sa.Column("last_used_at", Moment(), nullable=True),
        sa.Column("revoked_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("tenant_id", "key_id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_api_keys_key_hash")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        "ix_api_keys_tenant_id_user_id", "api_keys", ["tenant_id", "user_id"], unique=False
    )


def _create_tables_assistants() -> None:
    op.create_table(
        "assistants",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("assistant_id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("name", Exact(256), nullable=False),
        sa.Column("description", LongText, nullable=False),
        sa.Column("model", Exact(256), nullable=True),
        sa.Column("system_prompt", LongText, nullable=True),
        sa.Column("options", Json(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "assistant_id", name=op.f("pk_assistants")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        op.f("ix_assistants_tenant_id_created_at"),
        "assistants",
        ["tenant_id", "created_at"],
        unique=False,
    )


def _create_tables_audit_heads() -> None:
    op.create_table(
        "audit_heads",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("mac", Exact(64), nullable=False),
        sa.Column("key_id", Id, nullable=False),
        sa.Column("head_mac", Exact(64), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", name=op.f("pk_audit_heads")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_audit_log() -> None:
    op.create_table(
        "audit_log",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("actor", Key, nullable=False),
        sa.Column("action", Exact(64), nullable=False),
        sa.Column("resource", Key, nullable=False),
        sa.Column("detail", LongText, nullable=False),
        sa.Column("key_id", Id, nullable=False),
        sa.Column("prev", Exact(64), nullable=False),
        sa.Column("mac", Exact(64), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "seq", name=op.f("pk_audit_log")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_data_sources() -> None:
    op.create_table(
        "data_sources",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("name", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("kind", Exact(32), nullable=False),
        sa.Column("location", LongText, nullable=False),
        sa.Column("write_url", LongText, nullable=True),
        sa.Column("description", LongText, nullable=False),
        sa.Column("read_only_confirmed", sa.Boolean(), nullable=False),
        sa.Column("personal", Json(), nullable=False),
        sa.Column("not_personal", Json(), nullable=False),
        sa.Column("hidden", Json(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "project_id", "name", name=op.f("pk_data_sources")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_execution_checkpoints() -> None:
    op.create_table(
        "execution_checkpoints",
        sa.Column("id", Counting, autoincrement=True, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("message_id", Key, nullable=True),
        sa.Column("checkpoint_type", sa.String(length=50), nullable=False),
        sa.Column("checkpoint_id", Key, nullable=True),
        sa.Column("execution_state", Json(), nullable=False),
        sa.Column("step_number", sa.Integer(), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_execution_checkpoints")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        "idx_checkpoints_run", "execution_checkpoints", ["tenant_id", "run_id", "id"], unique=False
    )
    op.create_index(
        "idx_checkpoints_session",
        "execution_checkpoints",
        ["tenant_id", "session_id"],
        unique=False,
    )
    op.create_index(
        "idx_checkpoints_type",
        "execution_checkpoints",
        ["tenant_id", "checkpoint_type"],
        unique=False,
    )


def _create_tables_human_requests() -> None:
    op.create_table(
        "human_requests",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("interrupt_id", Key, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("request", Json(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("decision", Json(), nullable=True),
        sa.Column("answered_by", Id, nullable=True),
        sa.Column("deadline_at", Moment(), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("answered_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("tenant_id", "interrupt_id", name=op.f("pk_human_requests")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        "idx_requests_deadline", "human_requests", ["status", "deadline_at"], unique=False
    )
    op.create_index("idx_requests_run", "human_requests", ["tenant_id", "run_id"], unique=False)
    op.create_index(
        "idx_requests_session",
        "human_requests",
        ["tenant_id", "session_id", "status"],
        unique=False,
    )


def _create_tables_idempotency_keys() -> None:
    op.create_table(
        "idempotency_keys",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("idempotency_key", Key, nullable=False),
        sa.Column("request_hash", sa.String(length=64), nullable=False),
        sa.Column("run_id", Id, nullable=True),
        sa.Column("status_code", sa.Integer(), nullable=True),
        sa.Column("response", LongText, nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint(
            "tenant_id", "user_id", "idempotency_key", name=op.f("pk_idempotency_keys")
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index("idx_idempotency_created", "idempotency_keys", ["created_at"], unique=False)


def _create_tables_mcp_servers() -> None:
    op.create_table(
        "mcp_servers",
        sa.Column("id", Counting, autoincrement=True, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("scope", Exact(16), nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("name", Exact(128), nullable=False),
        sa.Column("created_by", Id, nullable=False),
        sa.Column("transport", Exact(16), nullable=False),
        sa.Column("command", Exact(256), nullable=False),
        sa.Column("args", Json(), nullable=False),
        sa.Column("env", LongText, nullable=False),
        sa.Column("url", LongText, nullable=False),
        sa.Column("headers", LongText, nullable=False),
        sa.Column("oauth", LongText, nullable=True),
        sa.Column("network", Exact(16), nullable=True),
        sa.Column("hosts", Json(), nullable=False),
        sa.Column("read_paths", Json(), nullable=False),
        sa.Column("write_paths", Json(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("timeout", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mcp_servers")),
        sa.UniqueConstraint(
            "tenant_id",
            "user_id",
            "project_id",
            "name",
            name=op.f("uq_mcp_servers_tenant_id_user_id_project_id_name"),
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_mcp_tokens() -> None:
    op.create_table(
        "mcp_tokens",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("resource_hash", Exact(64), nullable=False),
        sa.Column("resource", LongText, nullable=False),
        sa.Column("tokens", LongText, nullable=True),
        sa.Column("client", LongText, nullable=True),
        sa.Column("lock_owner", Id, nullable=True),
        sa.Column("locked_until", Moment(), nullable=True),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint(
            "tenant_id", "user_id", "resource_hash", name=op.f("pk_mcp_tokens")
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_model_credentials() -> None:
    op.create_table(
        "model_credentials",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("provider", Id, nullable=False),
        sa.Column("secret", LongText, nullable=True),
        sa.Column("last_four", Exact(4), nullable=True),
        sa.Column("base_url", LongText, nullable=True),
        sa.Column("default_model", Key, nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "provider", name=op.f("pk_model_credentials")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_oauth_flows() -> None:
    op.create_table(
        "oauth_flows",
        sa.Column("state_hash", Exact(64), nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("server", Exact(128), nullable=False),
        sa.Column("login_id", Id, nullable=True),
        sa.Column("pending", LongText, nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("state_hash", name=op.f("pk_oauth_flows")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index("ix_oauth_flows_expires_at", "oauth_flows", ["expires_at"], unique=False)
    op.create_index(
        "ix_oauth_flows_tenant_id_user_id", "oauth_flows", ["tenant_id", "user_id"], unique=False
    )


def _create_tables_one_time_tokens() -> None:
    op.create_table(
        "one_time_tokens",
        sa.Column("token_hash", Exact(64), nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("purpose", Exact(32), nullable=False),
        sa.Column("key_id", Id, nullable=True),
        sa.Column("login_id", Id, nullable=True),
        sa.Column("session_id", Id, nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.Column("used_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_one_time_tokens")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        "ix_one_time_tokens_expires_at", "one_time_tokens", ["expires_at"], unique=False
    )
    op.create_index(
        "ix_one_time_tokens_tenant_id_user_id",
        "one_time_tokens",
        ["tenant_id", "user_id"],
        unique=False,
    )


def _create_tables_permission_rules() -> None:
    op.create_table(
        "permission_rules",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("rule_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("tool", AnyText(), nullable=False),
        sa.Column("resource", AnyText(), nullable=False),
        sa.Column("action", Exact(8), nullable=False),
        sa.Column("rule_hash", Exact(64), nullable=False),
        sa.Column("session_id", Id, nullable=True),
        sa.Column("created_by", Id, nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "rule_id", name=op.f("pk_permission_rules")),
        sa.UniqueConstraint(
            "tenant_id",
            "user_id",
            "rule_hash",
            name=op.f("uq_permission_rules_tenant_id_user_id_rule_hash"),
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        "idx_rules_place", "permission_rules", ["tenant_id", "user_id", "project_id"], unique=False
    )


def _create_tables_projects() -> None:
    op.create_table(
        "projects",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("name", Exact(256), nullable=False),
        sa.Column("description", LongText, nullable=False),
        sa.Column("default_model", Key, nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "project_id", name=op.f("pk_projects")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_report_runs() -> None:
    op.create_table(
        "report_runs",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("report_id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("schedule_id", Id, nullable=True),
        sa.Column("status", Exact(32), nullable=False),
        sa.Column("error", LongText, nullable=True),
        sa.Column("files", Json(), nullable=False),
        sa.Column("workspace_id", Id, nullable=True),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("file_count", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("finished_at", Moment(), nullable=True),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "run_id", name=op.f("pk_report_runs")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(op.f("ix_report_runs_expires_at"), "report_runs", ["expires_at"], unique=False)
    op.create_index(
        op.f("ix_report_runs_tenant_id_report_id_created_at"),
        "report_runs",
        ["tenant_id", "report_id", "created_at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_report_runs_tenant_id_workspace_id"),
        "report_runs",
        ["tenant_id", "workspace_id"],
        unique=False,
    )


def _create_tables_report_schedules() -> None:
    op.create_table(
        "report_schedules",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("schedule_id", Id, nullable=False),
        sa.Column("report_id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("cron", Exact(256), nullable=False),
        sa.Column("time_zone", Exact(64), nullable=False),
        sa.Column("parameters", Json(), nullable=False),
        sa.Column("formats", Json(), nullable=False),
        sa.Column("webhook", LongText, nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("stopped_because", LongText, nullable=True),
        sa.Column("next_at", Moment(), nullable=False),
        sa.Column("last_at", Moment(), nullable=True),
        sa.Column("last_status", Exact(32), nullable=True),
        sa.Column("last_error", LongText, nullable=True),
        sa.Column("last_run_id", Id, nullable=True),
        sa.Column("last_webhook", LongText, nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lease_token", Id, nullable=True),
        sa.Column("lease_until", Moment(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "schedule_id", name=op.f("pk_report_schedules")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        op.f("ix_report_schedules_is_active_next_at"),
        "report_schedules",
        ["is_active", "next_at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_report_schedules_tenant_id_report_id"),
        "report_schedules",
        ["tenant_id", "report_id"],
        unique=False,
    )


def _create_tables_reports() -> None:
    op.create_table(
        "reports",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("report_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("title", Exact(256), nullable=False),
        sa.Column("definition", LongText, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "report_id", name=op.f("pk_reports")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        op.f("ix_reports_tenant_id_owner_id_created_at"),
        "reports",
        ["tenant_id", "owner_id", "created_at"],
        unique=False,
    )


def _create_tables_results() -> None:
    op.create_table(
        "results",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("result_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=True),
        sa.Column("source", AnyText(), nullable=False),
        sa.Column("dialect", Exact(32), nullable=False),
        sa.Column("sql_text", AnyText(), nullable=False),
        sa.Column("columns", Json(), nullable=False),
        sa.Column("personal", Json(), nullable=False),
        sa.Column("lineage", Json(), nullable=False),
        sa.Column("row_count", sa.BigInteger(), nullable=False),
        sa.Column("truncated", sa.Boolean(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", Exact(64), nullable=False),
        sa.Column("elapsed_ms", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "result_id", name=op.f("pk_results")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(op.f("ix_results_expires_at"), "results", ["expires_at"], unique=False)
    op.create_index(
        op.f("ix_results_tenant_id_user_id_created_at"),
        "results",
        ["tenant_id", "user_id", "created_at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_results_tenant_id_workspace_id"),
        "results",
        ["tenant_id", "workspace_id"],
        unique=False,
    )


def _create_tables_s_user() -> None:
    op.create_table(
        "s_user",
        sa.Column("user_id", Id, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("username", Key, nullable=True),
        sa.Column("display_name", Exact(256), nullable=False),
        sa.Column("password_hash", Exact(256), nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_s_user")),
        sa.UniqueConstraint("tenant_id", "username", name=op.f("uq_s_user_tenant_id_username")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_s_workspace() -> None:
    op.create_table(
        "s_workspace",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("name", Exact(128), nullable=False),
        sa.Column("path", Exact(512), nullable=False),
        sa.Column("description", LongText, nullable=True),
        sa.Column("max_size_bytes", sa.BigInteger(), server_default="1073741824", nullable=False),
        sa.Column("max_files", sa.Integer(), server_default="10000", nullable=False),
        sa.Column("current_size_bytes", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("current_file_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("settings", Json(), nullable=True),
        sa.Column("change_no", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.Column("last_accessed_at", Moment(), nullable=True),
        sa.Column("deleted_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_s_workspace")),
        sa.UniqueConstraint("workspace_id", name=op.f("uq_s_workspace_workspace_id")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        op.f("ix_s_workspace_tenant_id_owner_id"),
        "s_workspace",
        ["tenant_id", "owner_id"],
        unique=False,
    )


def _create_tables_s_workspace_usage() -> None:
    op.create_table(
        "s_workspace_usage",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("current_size_bytes", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("current_file_count", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("change_no", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("uid", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("tenant_id", name=op.f("pk_s_workspace_usage")),
        sa.UniqueConstraint("uid", name=op.f("uq_s_workspace_usage_uid")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_saved_questions() -> None:
    op.create_table(
        "saved_questions",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("question_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("name", Exact(256), nullable=False),
        sa.Column("source", AnyText(), nullable=False),
        sa.Column("sql_text", AnyText(), nullable=False),
        sa.Column("chart", Json(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "question_id", name=op.f("pk_saved_questions")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        op.f("ix_saved_questions_tenant_id_owner_id_created_at"),
        "saved_questions",
        ["tenant_id", "owner_id", "created_at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_saved_questions_tenant_id_project_id_created_at"),
        "saved_questions",
        ["tenant_id", "project_id", "created_at"],
        unique=False,
    )


def _create_tables_semantic_models() -> None:
    op.create_table(
        "semantic_models",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("text", LongText, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "project_id", name=op.f("pk_semantic_models")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_server_instances() -> None:
    op.create_table(
        "server_instances",
        sa.Column("instance_id", Id, nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("process_id", sa.Integer(), nullable=True),
        sa.Column("started_at", Moment(), nullable=False),
        sa.Column("heartbeat_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("instance_id", name=op.f("pk_server_instances")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index("idx_instances_heartbeat", "server_instances", ["heartbeat_at"], unique=False)


def _create_tables_session_counters() -> None:
    op.create_table(
        "session_counters",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "session_id", name=op.f("pk_session_counters")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_session_removals() -> None:
    op.create_table(
        "session_removals",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "session_id", name=op.f("pk_session_removals")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_tenant_models() -> None:
    op.create_table(
        "tenant_models",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("model", Key, nullable=False),
        sa.Column("context_length", sa.BigInteger(), nullable=True),
        sa.Column("max_output_tokens", sa.BigInteger(), nullable=True),
        sa.Column("input_cost_per_1m", sa.Float(), nullable=True),
        sa.Column("output_cost_per_1m", sa.Float(), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "model", name=op.f("pk_tenant_models")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_tenants() -> None:
    op.create_table(
        "tenants",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("name", Exact(256), nullable=False),
        sa.Column("max_users", sa.Integer(), nullable=False),
        sa.Column("max_sessions_per_user", sa.Integer(), nullable=False),
        sa.Column("max_mcp_servers", sa.Integer(), nullable=False),
        sa.Column("workspace_quota_bytes", sa.BigInteger(), nullable=False),
        sa.Column("features_enabled", Json(), nullable=True),
        sa.Column("mcp_policy", Json(), nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", name=op.f("pk_tenants")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_web_sessions() -> None:
    op.create_table(
        "web_sessions",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("login_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("token_hash", Exact(64), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("last_seen_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "login_id", name=op.f("pk_web_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_web_sessions_token_hash")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index("ix_web_sessions_expires_at", "web_sessions", ["expires_at"], unique=False)
    op.create_index("ix_web_sessions_user_id", "web_sessions", ["user_id"], unique=False)


def _create_tables_s_user_workspace_rel() -> None:
    op.create_table(
        "s_user_workspace_rel",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.Column("default_slot", Id, nullable=True),
        sa.Column("permission", Exact(32), server_default="read_write", nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["s_user.user_id"],
            name=op.f("fk_s_user_workspace_rel_user_id_s_user"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["s_workspace.workspace_id"],
            name=op.f("fk_s_user_workspace_rel_workspace_id_s_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_s_user_workspace_rel")),
        sa.UniqueConstraint(
            "tenant_id", "default_slot", name=op.f("uq_s_user_workspace_rel_tenant_id_default_slot")
        ),
        sa.UniqueConstraint(
            "user_id", "workspace_id", name=op.f("uq_s_user_workspace_rel_user_id_workspace_id")
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_tables_s_workspace_reservation() -> None:
    op.create_table(
        "s_workspace_reservation",
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("files", sa.Integer(), nullable=False),
        sa.Column("landing", sa.Boolean(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["s_workspace.workspace_id"],
            name=op.f("fk_s_workspace_reservation_workspace_id_s_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("reservation_id", name=op.f("pk_s_workspace_reservation")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        op.f("ix_s_workspace_reservation_tenant_id_workspace_id"),
        "s_workspace_reservation",
        ["tenant_id", "workspace_id"],
        unique=False,
    )


def _create_tables_session_shares() -> None:
    op.create_table(
        "session_shares",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("session_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("permission", Exact(16), nullable=False),
        sa.Column("shared_by", Id, nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["s_user.user_id"],
            name=op.f("fk_session_shares_user_id_s_user"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "tenant_id", "session_id", "user_id", name=op.f("pk_session_shares")
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index(
        op.f("ix_session_shares_tenant_id_user_id_session_id"),
        "session_shares",
        ["tenant_id", "user_id", "session_id"],
        unique=False,
    )


def _create_tables_user_tenants() -> None:
    op.create_table(
        "user_tenants",
        sa.Column("tenant_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("role", Exact(32), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id"],
            ["tenants.tenant_id"],
            name=op.f("fk_user_tenants_tenant_id_tenants"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tenant_id", "user_id", name=op.f("pk_user_tenants")),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
    op.create_index("ix_user_tenants_user_id", "user_tenants", ["user_id"], unique=False)


# Where no saver of LangGraph's brings its own tables.
def _create_mysql_tables() -> None:
    _create_mysql_tables_graph_checkpoints()
    _create_mysql_tables_graph_writes()


def _create_mysql_tables_graph_checkpoints() -> None:
    op.create_table(
        "graph_checkpoints",
        sa.Column("thread_id", Id, nullable=False),
        sa.Column("checkpoint_ns", Key, nullable=False),
        sa.Column("checkpoint_id", Id, nullable=False),
        sa.Column("parent_checkpoint_id", Id, nullable=True),
        sa.Column("long_checkpoint_ns", AnyText(), nullable=True),
        sa.Column("channels", Json(), nullable=False),
        sa.Column("type", sa.String(length=20), nullable=False),
        sa.Column("checkpoint", Blob, nullable=False),
        sa.Column("metadata", Json(), nullable=False),
        sa.PrimaryKeyConstraint(
            "thread_id", "checkpoint_ns", "checkpoint_id", name=op.f("pk_graph_checkpoints")
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )


def _create_mysql_tables_graph_writes() -> None:
    op.create_table(
        "graph_writes",
        sa.Column("thread_id", Id, nullable=False),
        sa.Column("checkpoint_ns", Key, nullable=False),
        sa.Column("checkpoint_id", Id, nullable=False),
        sa.Column("task_id", Id, nullable=False),
        sa.Column("idx", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("task_path", AnyText(), nullable=False),
        sa.Column("channel", AnyText(), nullable=False),
        sa.Column("type", sa.String(length=20), nullable=False),
        sa.Column("value", Blob, nullable=False),
        sa.PrimaryKeyConstraint(
            "thread_id",
            "checkpoint_ns",
            "checkpoint_id",
            "task_id",
            "idx",
            name=op.f("pk_graph_writes"),
        ),
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
        mysql_engine="InnoDB",
    )
