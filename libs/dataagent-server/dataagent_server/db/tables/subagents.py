"""Sub-agents (S2 §13), the tenant's defaults for them, what each of them did, and statistics.

`project_id` of a sub-agent is empty for one of the whole tenant: a key's column cannot be NULL, and
two NULLs would be two different projects to a unique key.
"""

from typing import Any, Final

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, Table, UniqueConstraint

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import AnyText, Exact, Id, Json, Key, LongText, Moment

NAME_CHARS_MAX: Final = 50
DISPLAY_NAME_CHARS_MAX: Final = 100
VERSION_CHARS_MAX: Final = 20
ACTIVITY_NAME_CHARS_MAX: Final = 200


def _time_columns() -> tuple[Column[Any], Column[Any]]:
    return Column("created_at", Moment, nullable=False), Column(
        "updated_at", Moment, nullable=False
    )


# What is NULL of the model and the limits is the tenant's default (`tenant_agent_configs`), or that
# of S2. A list of what it may use that is NULL narrows nothing.
subagents = Table(
    "subagents",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("id", Id, primary_key=True),
    Column("project_id", Id, nullable=False),
    Column("name", Exact(NAME_CHARS_MAX), nullable=False),
    Column("display_name", Exact(DISPLAY_NAME_CHARS_MAX), nullable=False),
    Column("description", LongText, nullable=False),
    Column("trigger_examples", Json, nullable=False),
    Column("trigger_keywords", Json, nullable=False),
    Column("system_prompt", LongText, nullable=False),
    Column("model", Key),
    Column("color", Exact(20), nullable=False),
    Column("allowed_tools", Json),
    Column("allowed_skills", Json),
    Column("allowed_mcp_servers", Json),
    Column("rules", Json, nullable=False),
    # Without all of these it can do nothing.
    Column("requires_tools", Json, nullable=False),
    Column("max_tokens", Integer),
    Column("temperature", Float),
    Column("top_p", Float),
    Column("max_iterations", Integer),
    Column("hidden", Boolean, nullable=False),
    Column("enabled", Boolean, nullable=False),
    # Whether a built-in one has its name, which it replaces.
    Column("is_override", Boolean, nullable=False),
    Column("version", Exact(VERSION_CHARS_MAX), nullable=False),
    Column("created_by", Id, nullable=False),
    # Written with the log (`runs/history/activities.py`), once for each invocation.
    Column("total_invocations", Integer, nullable=False),
    Column("avg_execution_time_ms", Float, nullable=False),
    Column("success_rate", Float, nullable=False),
    *_time_columns(),
    UniqueConstraint("tenant_id", "project_id", "name"),
)

# The sub-agents that runs use which are not over, as they were when first asked for.
run_subagents = Table(
    "run_subagents",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("run_id", Id, primary_key=True),
    Column("agent_id", Id, primary_key=True),
    # NULL: it has no row, because it is built in.
    Column("definition", Json),
)

# NULL: the default of the server.
tenant_agent_configs = Table(
    "tenant_agent_configs",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("model", Key),
    Column("temperature", Float),
    Column("top_p", Float),
    Column("max_tokens", Integer),
    Column("max_iterations", Integer),
    # How deep sub-agents may delegate.
    Column("max_depth", Integer),
    Column("timeout_s", Integer),
    *_time_columns(),
)

# A projection of the log: it can be written anew from it. `agent_id` refers to no row, unlike in
# S2: built-in sub-agents have none (their id is their name), and the record of what one did stays
# when it is deleted. `project_id` is NULL in a session without a project.
agent_activity_logs = Table(
    "agent_activity_logs",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    # Derived from the run and the call, so that the same event writes the same row.
    Column("id", Id, primary_key=True),
    Column("project_id", Id),
    Column("session_id", Id, nullable=False),
    Column("run_id", Id, nullable=False),
    Column("agent_id", Id, nullable=False),
    Column("parent_activity_id", Id),
    Column("type", Exact(50), nullable=False),
    Column("status", Exact(20), nullable=False),
    Column("name", Exact(ACTIVITY_NAME_CHARS_MAX), nullable=False),
    Column("input_data", Json, nullable=False),
    Column("output_data", Json, nullable=False),
    Column("error_message", AnyText),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("total_tokens", Integer),
    Column("duration_ms", BigInteger, nullable=False),
    Column("started_at", Moment, nullable=False),
    Column("completed_at", Moment),
    Column("metadata", Json, nullable=False),
    Index("idx_activity_logs_session", "tenant_id", "session_id", "run_id"),
    Index("idx_activity_logs_agent", "tenant_id", "agent_id", "started_at"),
)

# The statistics of a sub-agent by day (UTC): they stay when its sessions are deleted, and a
# built-in one has no other place for them.
subagent_days = Table(
    "subagent_days",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("agent_id", Id, primary_key=True),
    Column("day", Exact(10), primary_key=True),
    Column("invocations", Integer, nullable=False),
    Column("successes", Integer, nullable=False),
    Column("duration_ms", BigInteger, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    # Without what has no known price.
    Column("cost", Float, nullable=False),
)
