"""The use of models: what was used, what is limited, what is held for calls under way.

On SQLite core makes these tables, so that the command line and the server share one file. Money is
in whole nano-dollars. `user_id`, `project_id` and `model` are empty for use of nobody, of no
project and of a model that nobody named.
"""

from sqlalchemy import BigInteger, Column, Index, Integer, String, Table

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import Id, Key, Moment

_DAY_CHARS = 10

# The ledger: one row for each run, day (UTC) and model.
usage = Table(
    "usage",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("run_id", Id, primary_key=True),
    Column("day", String(_DAY_CHARS), primary_key=True),
    Column("model", Key, primary_key=True),
    Column("session_id", Id, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("project_id", Id, nullable=False),
    Column("calls", BigInteger, nullable=False),
    Column("unpriced_calls", BigInteger, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cached_read_tokens", BigInteger, nullable=False),
    Column("cached_write_tokens", BigInteger, nullable=False),
    Column("reasoning_tokens", BigInteger, nullable=False),
    Column("cost_nano", BigInteger, nullable=False),
    Index("idx_usage_day", "tenant_id", "day"),
)

# What was used on days long past: runs and sessions are no longer told apart.
usage_days = Table(
    "usage_days",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("day", String(_DAY_CHARS), primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("project_id", Id, primary_key=True),
    Column("model", Key, primary_key=True),
    Column("calls", BigInteger, nullable=False),
    Column("unpriced_calls", BigInteger, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cached_read_tokens", BigInteger, nullable=False),
    Column("cached_write_tokens", BigInteger, nullable=False),
    Column("reasoning_tokens", BigInteger, nullable=False),
    Column("cost_nano", BigInteger, nullable=False),
)

budgets = Table(
    "budgets",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("scope", String(20), primary_key=True),
    Column("scope_id", Id, primary_key=True),
    Column("period", String(10), primary_key=True),
    Column("cost_nano_max", BigInteger),
    Column("tokens_max", BigInteger),
)

# What of a budget is used and held in a day or a month, whether or not somebody has set one yet.
budget_counters = Table(
    "budget_counters",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("scope", String(20), primary_key=True),
    Column("scope_id", Id, primary_key=True),
    Column("period", String(10), primary_key=True),
    Column("period_start", String(_DAY_CHARS), primary_key=True),
    Column("used_tokens", BigInteger, nullable=False, server_default="0"),
    Column("used_cost_nano", BigInteger, nullable=False, server_default="0"),
    Column("held_tokens", BigInteger, nullable=False, server_default="0"),
    Column("held_cost_nano", BigInteger, nullable=False, server_default="0"),
    Column("warned", Integer, nullable=False, server_default="0"),
)

budget_reservations = Table(
    "budget_reservations",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("reservation_id", Id, primary_key=True),
    Column("run_id", Id, nullable=False),
    Column("session_id", Id, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("project_id", Id, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("cost_nano", BigInteger),
    Column("reserved_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("model", Key, nullable=False),
    Index("idx_reservations_expiry", "tenant_id", "expires_at"),
)
