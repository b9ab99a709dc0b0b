"""Work plans (S2 §4.2) as they stand: a projection of the log (`runs/history/plan_rows.py`)."""

from typing import Final

from sqlalchemy import Column, Index, Integer, String, Table

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import Id, Json, Moment

STATUS_CHARS_MAX: Final = 20

# A plan has the id of the run that carries it out.
work_plans = Table(
    "work_plans",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("id", Id, primary_key=True),
    Column("session_id", Id, nullable=False),
    Column("run_id", Id, nullable=False),
    Column("status", String(STATUS_CHARS_MAX), nullable=False),
    Column("steps", Json, nullable=False),
    # Which steps began and how others ended: no version of the plan takes that back.
    Column("facts", Json, nullable=False),
    Column("current_step_index", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("stage", String(STATUS_CHARS_MAX)),
    Column("round", Integer, nullable=False),
    Column("interaction_pattern_id", Id),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Index("idx_work_plans_session", "tenant_id", "session_id"),
)
