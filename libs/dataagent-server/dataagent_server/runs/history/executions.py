"""S2's execution history: a session's runs with their results and the progress of their plans."""

from dataclasses import dataclass, fields
from typing import Any, Final

from sqlalchemy import Connection, and_, select

from dataagent_core.events.plan import PlanStatusName, StageName
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.plans import work_plans
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.runs.history.plan_progress import PlanProgress
from dataagent_server.runs.history.run_lists import ListedRun, runs_of_session

_PROGRESS: Final = [runs.c[field.name] for field in fields(PlanProgress)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionPlan:
    """What a run's plan says beside its steps; of a run without one nothing."""

    plan_status: PlanStatusName | None = None
    plan_version: int | None = None
    plan_stage: StageName | None = None
    plan_round: int | None = None


_PLAN: Final = [
    work_plans.c[field.name.removeprefix("plan_")].label(field.name)
    for field in fields(ExecutionPlan)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """A run, its result, and its plan."""

    run: ListedRun
    result: dict[str, Any] | None
    total_duration_ms: int | None
    progress: PlanProgress
    plan: ExecutionPlan


def executions_of_session(
    connection: Connection, tenant_id: TenantId, session_id: str, *, after: str | None, limit: int
) -> list[Execution]:
    """List a session's runs, oldest first; `after` is the last run of the page before."""
    found = runs_of_session(
        connection, tenant_id, session_id, only_open=False, after=after, limit=limit
    )
    of_run = and_(work_plans.c.tenant_id == runs.c.tenant_id, work_plans.c.id == runs.c.run_id)
    wanted = (runs.c.run_id, runs.c.result, runs.c.total_duration_ms, *_PROGRESS, *_PLAN)
    query = (
        select(*wanted)
        .outerjoin_from(runs, work_plans, of_run)
        .where(runs.c.tenant_id == tenant_id, runs.c.run_id.in_([run.run_id for run in found]))
    )
    rows = {row["run_id"]: row for row in connection.execute(query).mappings()}
    return [
        Execution(
            run=run,
            result=row["result"],
            total_duration_ms=row["total_duration_ms"],
            progress=PlanProgress(**{column.name: row[column.name] for column in _PROGRESS}),
            plan=ExecutionPlan(**{column.name: row[column.name] for column in _PLAN}),
        )
        for run in found
        if (row := rows.get(run.run_id)) is not None
    ]
