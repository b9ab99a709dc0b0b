"""The tables of the stores, defined once.

A new SQLite file gets them as they are here (`sqlite/schema.py`); the server derives its own tables
from them and adds what is the server's (`dataagent_server.db.tables`). A change here needs a step
for older files and a migration of the server.

Money is in whole nano-dollars. `user_id`, `project_id` and `model` of the tables of use are empty
for use of nobody, of no project and of a model that nobody named.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

# `id` and `key` are compared byte by byte, `any_text` is kept as bytes, a `note` so where text may
# not hold NUL, `position` counts up by itself.
ColumnKind = Literal[
    "id",
    "key",
    "text",
    "long_text",
    "any_text",
    "note",
    "json",
    "moment",
    "bytes",
    "integer",
    "big_integer",
    "position",
]


@dataclass(frozen=True, slots=True)
class SqlColumn:
    """What a column holds."""

    kind: ColumnKind
    # Of a short text.
    chars: int | None = None
    optional: bool = False
    default: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlTable:
    """One table."""

    name: str
    columns: Mapping[str, SqlColumn]
    key: tuple[str, ...]
    unique: tuple[str, ...] = ()
    indexes: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    # Whether SQLite keeps the rows apart from their key: no, where rows are read by it.
    has_rowid: bool = False

    @property
    def counts_up(self) -> bool:
        """Whether the database numbers the rows."""
        return self.columns[self.key[0]].kind == "position"


_ID: Final = SqlColumn("id")
_KEY: Final = SqlColumn("key")
_LONG_TEXT: Final = SqlColumn("long_text")
_NOTE: Final = SqlColumn("note", optional=True)
_JSON: Final = SqlColumn("json")
_MOMENT: Final = SqlColumn("moment")
_POSITION: Final = SqlColumn("position")
_NUMBER: Final = SqlColumn("big_integer")
_LIMIT: Final = SqlColumn("big_integer", optional=True)
_COUNTER: Final = SqlColumn("big_integer", default=0)
_DAY: Final = SqlColumn("text", 10)
_SCOPE: Final = SqlColumn("text", 20)
_PERIOD: Final = SqlColumn("text", 10)
_SESSION: Final = {"tenant_id": _ID, "session_id": _ID}
_SUMS: Final = {
    "calls": _NUMBER,
    "unpriced_calls": _NUMBER,
    "input_tokens": _NUMBER,
    "output_tokens": _NUMBER,
    "cached_read_tokens": _NUMBER,
    "cached_write_tokens": _NUMBER,
    "reasoning_tokens": _NUMBER,
    "cost_nano": _NUMBER,
}
_BUDGET: Final = {"tenant_id": _ID, "scope": _SCOPE, "scope_id": _ID, "period": _PERIOD}

SESSIONS: Final = SqlTable(
    name="sessions",
    columns={
        **_SESSION,
        "user_id": _ID,
        "assistant_id": _ID,
        "created_at": _MOMENT,
        "last_active": _MOMENT,
        "state": _JSON,
        "metadata": _JSON,
    },
    key=("tenant_id", "session_id"),
    indexes={
        "idx_sessions_user": ("tenant_id", "user_id", "last_active"),
        "idx_sessions_assistant": ("tenant_id", "assistant_id", "last_active"),
    },
    has_rowid=True,
)
MESSAGES: Final = SqlTable(
    name="messages",
    columns={
        "position": _POSITION,
        **_SESSION,
        "message_id": _KEY,
        "role": SqlColumn("text", 20),
        "content": SqlColumn("any_text"),
        "created_at": _MOMENT,
        "metadata": _JSON,
    },
    key=("position",),
    has_rowid=True,
    unique=("tenant_id", "session_id", "message_id"),
)
EVENTS: Final = SqlTable(
    name="agent_execution_events",
    columns={
        **_SESSION,
        "seq": _NUMBER,
        "run_id": _ID,
        "event_id": _KEY,
        "event_type": SqlColumn("text", 50),
        "event_data": _LONG_TEXT,
    },
    key=("tenant_id", "session_id", "seq"),
    unique=("tenant_id", "session_id", "event_id"),
    indexes={"idx_events_type": ("tenant_id", "session_id", "event_type", "seq")},
)
TOOL_RECORDS: Final = SqlTable(
    name="tool_execution_records",
    columns={
        "position": _POSITION,
        **_SESSION,
        "run_id": _ID,
        "call_key": _KEY,
        "tool_name": _LONG_TEXT,
        "args_hash": SqlColumn("text", 128),
        "payload": SqlColumn("bytes", optional=True),
        "receipt": _NOTE,
        "probe": _NOTE,
    },
    key=("position",),
    has_rowid=True,
    unique=("tenant_id", "run_id", "call_key"),
    indexes={"idx_records_session": ("tenant_id", "session_id")},
)
# The ledger: one row for each run, day (UTC) and model.
USAGE: Final = SqlTable(
    name="usage",
    columns={
        "tenant_id": _ID,
        "run_id": _ID,
        "day": _DAY,
        "model": _KEY,
        "session_id": _ID,
        "user_id": _ID,
        "project_id": _ID,
        **_SUMS,
    },
    key=("tenant_id", "run_id", "day", "model"),
    indexes={"idx_usage_day": ("tenant_id", "day")},
)
# Rolled-up usage of past days, without runs and sessions.
USAGE_DAYS: Final = SqlTable(
    name="usage_days",
    columns={
        "tenant_id": _ID,
        "day": _DAY,
        "user_id": _ID,
        "project_id": _ID,
        "model": _KEY,
        **_SUMS,
    },
    key=("tenant_id", "day", "user_id", "project_id", "model"),
)
BUDGETS: Final = SqlTable(
    name="budgets",
    columns={**_BUDGET, "cost_nano_max": _LIMIT, "tokens_max": _LIMIT},
    key=tuple(_BUDGET),
)
# What is used and reserved in a day or a month, also for keys without a budget.
BUDGET_COUNTERS: Final = SqlTable(
    name="budget_counters",
    columns={
        **_BUDGET,
        "period_start": _DAY,
        "used_tokens": _COUNTER,
        "used_cost_nano": _COUNTER,
        "held_tokens": _COUNTER,
        "held_cost_nano": _COUNTER,
        "warned": SqlColumn("integer", default=0),
    },
    key=(*_BUDGET, "period_start"),
)
BUDGET_RESERVATIONS: Final = SqlTable(
    name="budget_reservations",
    columns={
        "tenant_id": _ID,
        "reservation_id": _ID,
        "run_id": _ID,
        "session_id": _ID,
        "user_id": _ID,
        "project_id": _ID,
        "tokens": _NUMBER,
        "cost_nano": _LIMIT,
        "reserved_at": _MOMENT,
        "expires_at": _MOMENT,
        "model": _KEY,
    },
    key=("tenant_id", "reservation_id"),
    indexes={"idx_reservations_expiry": ("tenant_id", "expires_at")},
)
TABLES: Final = (
    SESSIONS,
    MESSAGES,
    EVENTS,
    TOOL_RECORDS,
    USAGE,
    USAGE_DAYS,
    BUDGETS,
    BUDGET_COUNTERS,
    BUDGET_RESERVATIONS,
)
