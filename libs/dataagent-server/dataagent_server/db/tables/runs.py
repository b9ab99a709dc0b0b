"""Runs and who works on them: leases, human requests, markers, and keys of repeated requests."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Table, false

from dataagent_server.db.metadata import metadata
from dataagent_server.db.tables.shared_table import Counting
from dataagent_server.db.types import AnyText, Id, Json, Key, LongText, Moment

# A run's states. Somebody works on it, or will; it is not over; it is.
ACTIVE: Final = ("queued", "running")
OPEN: Final = (*ACTIVE, "waiting_approval")
OVER: Final = ("completed", "failed", "cancelled")

# S3's names; `run_id` is its `id`.
agent_executions = Table(
    "agent_executions",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("run_id", Id, primary_key=True),
    Column("session_id", Id, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("project_id", Id),
    Column("assistant_id", Id, nullable=False),
    # What a person chose; it stays the same when the run is taken up again.
    Column("model", Key),
    Column("agent_type", String(50), nullable=False),
    Column("message_id", Key, nullable=False),
    Column("input", AnyText, nullable=False),
    Column("options", Json),
    Column("status", String(20), nullable=False),
    # The order in which a session's queue is worked off.
    Column("position", BigInteger, nullable=False),
    Column("owner", Id),
    Column("fence", BigInteger, nullable=False, default=0),
    Column("attempt", Integer, nullable=False, default=0),
    # How often in a row its process was lost before it got further, and how far it had come.
    Column("lost_attempts", Integer, nullable=False, default=0),
    Column("progress_seq", BigInteger, nullable=False, default=0),
    Column("cancel_requested_at", Moment),
    Column("result", Json),
    Column("error", AnyText),
    Column("error_code", String(50)),
    Column("token_usage", Json),
    Column("checkpoint_id", Key),
    Column("trace_id", String(100)),
    Column("started_at", Moment),
    Column("completed_at", Moment),
    # Whether `run_skills` or `run_subagents` has rows of it: only then they are read.
    Column("has_copies", Boolean, nullable=False, server_default=false()),
    # S2's: the last thought of each level, shortened, and how its plan stands.
    Column("work_level_thought", AnyText),
    Column("task_level_thought", AnyText),
    Column("plan_steps", Json),
    Column("current_step_index", Integer),
    Column("workflow_pattern_id", Id),
    Column("total_duration_ms", BigInteger),
    Column("steps_completed", Integer, nullable=False, server_default="0"),
    Column("steps_failed", Integer, nullable=False, server_default="0"),
    # When retention deleted its checkpoints.
    Column("forgotten_at", Moment),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Index("idx_executions_session", "tenant_id", "session_id", "position"),
    Index("idx_executions_user", "tenant_id", "user_id", "status"),
    Index("idx_executions_status", "tenant_id", "status", "created_at"),
    # Across tenants: a server looks for runs to take up, and for finished ones to forget.
    Index("idx_executions_owner", "status", "owner"),
    Index("idx_executions_completed", "completed_at"),
    # A checkpoint knows its run and not its tenant.
    Index("idx_executions_run", "run_id"),
)

# The heartbeats of server processes; the only rows here that belong to no tenant.
server_instances = Table(
    "server_instances",
    metadata,
    Column("instance_id", Id, primary_key=True),
    Column("host", String(255), nullable=False),
    Column("process_id", Integer),
    Column("started_at", Moment, nullable=False),
    Column("heartbeat_at", Moment, nullable=False),
    Index("idx_instances_heartbeat", "heartbeat_at"),
)

human_requests = Table(
    "human_requests",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("interrupt_id", Key, primary_key=True),
    Column("run_id", Id, nullable=False),
    Column("session_id", Id, nullable=False),
    Column("user_id", Id),
    Column("kind", String(20), nullable=False),
    # The `hitl_request` event as the log has it.
    Column("request", Json, nullable=False),
    # open | answered | superseded
    Column("status", String(20), nullable=False),
    Column("decision", Json),
    Column("answered_by", Id),
    Column("deadline_at", Moment),
    Column("created_at", Moment, nullable=False),
    Column("answered_at", Moment),
    Index("idx_requests_session", "tenant_id", "session_id", "status"),
    Index("idx_requests_run", "tenant_id", "run_id"),
    Index("idx_requests_deadline", "status", "deadline_at"),
)

# S2's markers of where a run stood; the state itself is in LangGraph's own tables.
execution_checkpoints = Table(
    "execution_checkpoints",
    metadata,
    Column("id", Counting, primary_key=True, autoincrement=True),
    Column("tenant_id", Id, nullable=False),
    Column("session_id", Id, nullable=False),
    Column("run_id", Id, nullable=False),
    Column("message_id", Key),
    Column("checkpoint_type", String(50), nullable=False),
    Column("checkpoint_id", Key),
    Column("execution_state", Json, nullable=False),
    Column("step_number", Integer),
    Column("created_at", Moment, nullable=False),
    Index("idx_checkpoints_session", "tenant_id", "session_id"),
    Index("idx_checkpoints_run", "tenant_id", "run_id", "id"),
    Index("idx_checkpoints_type", "tenant_id", "checkpoint_type"),
)

# What a request with an `Idempotency-Key` was answered, so that its repetition gets the same.
idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("idempotency_key", Key, primary_key=True),
    Column("request_hash", String(64), nullable=False),
    Column("run_id", Id),
    Column("status_code", Integer),
    Column("response", LongText),
    Column("created_at", Moment, nullable=False),
    Index("idx_idempotency_created", "created_at"),
)
