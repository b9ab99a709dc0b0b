"""What was said and what happened: sessions, messages, the event log and the tool-call journal."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    true,
)

from dataagent_core.session.stores.sql.tables import EVENTS, MESSAGES, SESSIONS, TOOL_RECORDS
from dataagent_server.db.metadata import metadata
from dataagent_server.db.tables.shared_table import Counting, shared_table
from dataagent_server.db.types import AnyText, Exact, Id, Key, LongText, Moment

# `Counting`: the first migration imports it from here.
__all__ = [
    "TITLE_CHARS_MAX",
    "Counting",
    "agent_execution_events",
    "messages",
    "session_counters",
    "session_removals",
    "session_shares",
    "sessions",
    "tool_execution_records",
]
TITLE_CHARS_MAX = 500

sessions = shared_table(
    SESSIONS,
    Column("project_id", Id),
    # What was chosen in it; without one its assistant says which model, or its project.
    Column("model", Key),
    Column("title", String(TITLE_CHARS_MAX)),
    # The title with its case folded, because databases do not agree on what folding is.
    Column("title_folded", LongText),
    # Where the session's record is, when it is not this row: "redis" or "memory".
    Column("store", Exact(16)),
    # The server process (`server_instances`) whose memory that is.
    Column("store_instance", Id),
    # How its runs plan (S2). `agent_mode` is the loop; ask, plan and auto are in the log.
    Column("agent_mode", String(20), nullable=False, server_default="react"),
    Column("enable_workflow_learning", Boolean, nullable=False, server_default=true()),
    Column("max_concurrent_steps", Integer, nullable=False, server_default="5"),
    Column("planning_timeout_ms", Integer, nullable=False, server_default="5000"),
    Index("idx_sessions_project", "tenant_id", "project_id", "last_active"),
    Index("idx_sessions_mine", "tenant_id", "project_id", "user_id", "last_active"),
    Index("idx_sessions_active", "tenant_id", "last_active"),
)

# Whom of the tenant a session is shown to beside its owner, and whether they may answer for it.
session_shares = Table(
    "session_shares",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("session_id", Id, primary_key=True),
    Column("user_id", Id, ForeignKey("s_user.user_id", ondelete="CASCADE"), primary_key=True),
    Column("permission", Exact(16), nullable=False),
    Column("shared_by", Id, nullable=False),
    Column("created_at", Moment, nullable=False),
    Index(None, "tenant_id", "user_id", "session_id"),
)

messages = shared_table(
    MESSAGES, Index("idx_messages_session", "tenant_id", "session_id", "position")
)

agent_execution_events = shared_table(EVENTS)

tool_execution_records = shared_table(
    TOOL_RECORDS,
    # A key that is too long for an index stands here, and its digest in `call_key`.
    Column("long_call_key", AnyText),
    Column("started_at", Moment),
    Column("completed_at", Moment),
    Column("step_number", Integer),
)

# The row whose lock gives one append at a time its numbers; SQLite's writer lock does without.
session_counters = Table(
    "session_counters",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("session_id", Id, primary_key=True),
    Column("last_seq", BigInteger, nullable=False),
)

# Sessions that are deleted, and of which not everything has been removed yet: their ids are taken.
session_removals = Table(
    "session_removals",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("session_id", Id, primary_key=True),
)
