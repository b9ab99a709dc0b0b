"""What was said and what happened: sessions, messages, the event log and the tool-call journal.

On SQLite core makes the first four (`dataagent_core.session.stores.sqlite.schema`), so that the
command line and the server share one file; the columns marked "server's" are added there by the
migration and empty in rows the command line wrote.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import AnyText, Blob, Exact, Id, Json, Key, LongText, Moment

# SQLite counts up only a column that is exactly INTEGER.
Counting = BigInteger().with_variant(Integer(), "sqlite")
TITLE_CHARS_MAX = 500
# Text of ours that may quote a model; on SQLite core made the column, as text.
Note = Text().with_variant(AnyText(), "postgresql").with_variant(AnyText(), "mysql")

sessions = Table(
    "sessions",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("session_id", Id, primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("assistant_id", Id, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("last_active", Moment, nullable=False),
    Column("state", Json, nullable=False),
    Column("metadata", Json, nullable=False),
    # The server's:
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
    Index("idx_sessions_user", "tenant_id", "user_id", "last_active"),
    Index("idx_sessions_assistant", "tenant_id", "assistant_id", "last_active"),
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

messages = Table(
    "messages",
    metadata,
    Column("position", Counting, primary_key=True, autoincrement=True),
    Column("tenant_id", Id, nullable=False),
    Column("session_id", Id, nullable=False),
    Column("message_id", Key, nullable=False),
    Column("role", String(20), nullable=False),
    Column("content", AnyText, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("metadata", Json, nullable=False),
    UniqueConstraint("tenant_id", "session_id", "message_id"),
    Index("idx_messages_session", "tenant_id", "session_id", "position"),
)

agent_execution_events = Table(
    "agent_execution_events",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("session_id", Id, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("run_id", Id, nullable=False),
    Column("event_id", Key, nullable=False),
    Column("event_type", String(50), nullable=False),
    Column("event_data", LongText, nullable=False),
    UniqueConstraint("tenant_id", "session_id", "event_id"),
    Index("idx_events_type", "tenant_id", "session_id", "event_type", "seq"),
    sqlite_with_rowid=False,
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

tool_execution_records = Table(
    "tool_execution_records",
    metadata,
    Column("position", Counting, primary_key=True, autoincrement=True),
    Column("tenant_id", Id, nullable=False),
    Column("session_id", Id, nullable=False),
    Column("run_id", Id, nullable=False),
    Column("call_key", Key, nullable=False),
    Column("tool_name", LongText, nullable=False),
    Column("args_hash", String(128), nullable=False),
    Column("payload", Blob),
    Column("receipt", Note),
    Column("probe", Note),
    # The server's: a key that is too long for an index stands here, and its digest above.
    Column("long_call_key", AnyText),
    Column("started_at", Moment),
    Column("completed_at", Moment),
    Column("step_number", Integer),
    UniqueConstraint("tenant_id", "run_id", "call_key"),
    Index("idx_records_session", "tenant_id", "session_id"),
)
