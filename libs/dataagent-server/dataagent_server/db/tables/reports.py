"""Reports, the result of running them, and when they run by themselves."""

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Table

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import Exact, Id, Json, LongText, Moment

_NAME_CHARS = 256


def _time_columns() -> tuple[Column[Any], Column[Any]]:
    return Column("created_at", Moment, nullable=False), Column(
        "updated_at", Moment, nullable=False
    )


reports = Table(
    "reports",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("report_id", Id, primary_key=True),
    Column("project_id", Id),
    Column("owner_id", Id, nullable=False),
    # The session whose agent wrote it, until its owner changes it.
    Column("session_id", Id),
    Column("title", Exact(_NAME_CHARS), nullable=False),
    Column("definition", LongText, nullable=False),
    Column("version", Integer, nullable=False),
    *_time_columns(),
    Index(None, "tenant_id", "owner_id", "created_at"),
)

# Its files are in the owner's own folder; their bytes count in the workspace named.
report_runs = Table(
    "report_runs",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("run_id", Id, primary_key=True),
    Column("report_id", Id, nullable=False),
    Column("owner_id", Id, nullable=False),
    Column("schedule_id", Id),
    Column("status", Exact(32), nullable=False),
    Column("error", LongText),
    Column("files", Json, nullable=False),
    Column("workspace_id", Id),
    Column("size_bytes", BigInteger, nullable=False),
    Column("file_count", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("finished_at", Moment),
    Column("expires_at", Moment, nullable=False),
    Index(None, "tenant_id", "report_id", "created_at"),
    Index(None, "tenant_id", "workspace_id"),
    Index(None, "expires_at"),
)

# `next_at` is when it is due; whoever holds the lease runs it. The webhook's address and secret are
# encrypted.
report_schedules = Table(
    "report_schedules",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("schedule_id", Id, primary_key=True),
    Column("report_id", Id, nullable=False),
    Column("owner_id", Id, nullable=False),
    Column("cron", Exact(_NAME_CHARS), nullable=False),
    Column("time_zone", Exact(64), nullable=False),
    Column("parameters", Json, nullable=False),
    Column("formats", Json, nullable=False),
    Column("webhook", LongText),
    Column("is_active", Boolean, nullable=False),
    Column("stopped_because", LongText),
    Column("next_at", Moment, nullable=False),
    Column("last_at", Moment),
    Column("last_status", Exact(32)),
    Column("last_error", LongText),
    Column("last_run_id", Id),
    Column("last_webhook", LongText),
    Column("attempt", Integer, nullable=False),
    Column("lease_token", Id),
    Column("lease_until", Moment),
    Column("version", Integer, nullable=False),
    *_time_columns(),
    Index(None, "tenant_id", "report_id"),
    Index(None, "is_active", "next_at"),
)
