"""The rows of `work_plans`, and what those of their runs say of plans and thoughts.

Written with the events they are derived from (`runs/projection.py`). The facts of a plan, which
step began and how it ended, are kept beside its steps, because a later version of the plan does not
take them back (`dataagent_core.planning.plan_projection`).
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    exists,
    func,
    insert,
    select,
    update,
)

from dataagent_core.events import (
    DoneEvent,
    Event,
    StepEndEvent,
    StepStartEvent,
    WorkPlanEvent,
)
from dataagent_core.planning import PlanStatus, PlanStep, WorkPlan
from dataagent_core.planning.plan_projection import PlanFacts
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.plans import work_plans as table
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.runs.history.plan_progress import (
    dump_steps,
    end_plan,
    plan_columns,
    thought_columns,
)

_OPEN: Final = tuple(status.value for status in (PlanStatus.PLANNING, PlanStatus.IN_PROGRESS))


def write_progress(connection: Connection, tenant_id: TenantId, events: Sequence[Event]) -> None:
    """Write what one append says of plans and thoughts; mostly nothing, and then no statement."""
    plans: defaultdict[str, list[Event]] = defaultdict(list)
    changed: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for event in events:
        match event:
            case WorkPlanEvent() | StepStartEvent() | StepEndEvent():
                plans[event.plan_id or event.run_id or ""].append(event)
            case _:
                if columns := thought_columns(event):
                    changed[event.run_id or ""] |= columns
    for plan_id, of_plan in plans.items():
        plan = _write_plan(connection, tenant_id, plan_id, of_plan)
        if plan is not None:
            changed[plan_id] |= plan_columns(plan)
    for run_id, columns in changed.items():
        _set_run(connection, tenant_id, run_id, columns)


def find_plan(
    connection: Connection, tenant_id: TenantId, session_id: str, plan_id: str | None = None
) -> WorkPlan | None:
    """Return the plan of that id, or the session's newest plan: that of its last run with one."""
    of_run = and_(runs.c.tenant_id == table.c.tenant_id, runs.c.run_id == table.c.run_id)
    query = select(table).where(table.c.tenant_id == tenant_id, table.c.session_id == session_id)
    if plan_id is not None:
        query = query.where(table.c.id == plan_id)
    newest = query.outerjoin_from(table, runs, of_run).order_by(
        func.coalesce(runs.c.position, 0).desc(), table.c.created_at.desc()
    )
    row = connection.execute(newest.limit(1)).mappings().first()
    return None if row is None else _read(row)


def has_open_plan(tenant_id: TenantId, done: DoneEvent) -> ColumnElement[bool]:
    """Return the condition that a run which ends has a plan that is open."""
    return exists().where(
        table.c.tenant_id == tenant_id, table.c.id == done.run_id, table.c.status.in_(_OPEN)
    )


def close_plan(
    connection: Connection, tenant_id: TenantId, plan_id: str, *, completed: bool
) -> None:
    """Close the plan that a run left open."""
    row = _find_row(connection, tenant_id, plan_id)
    if row is None or row["status"] not in _OPEN:
        return
    plan = end_plan(_read(row), completed=completed)
    _update(connection, tenant_id, plan)
    _set_run(connection, tenant_id, plan_id, plan_columns(plan))


def insert_copies(
    connection: Connection, tenant_id: TenantId, session_id: str, plans: Sequence[WorkPlan]
) -> None:
    """Insert the plans of a copied session, which have the ids of its runs."""
    rows = [_make_row(tenant_id, session_id, plan, PlanFacts()) for plan in plans]
    if rows:
        connection.execute(insert(table), rows)


def _write_plan(
    connection: Connection, tenant_id: TenantId, plan_id: str, events: Sequence[Event]
) -> WorkPlan | None:
    # The append holds the number of the session, so nobody else changes its plans.
    row = _find_row(connection, tenant_id, plan_id)
    facts = PlanFacts() if row is None else _read_facts(row)
    for event in events:
        facts.add(event)
    plan = facts.make_plan()
    if plan is None:
        # A step of a plan that is in no log.
        return None
    if row is None:
        session_id = events[0].session_id or ""
        connection.execute(insert(table), _make_row(tenant_id, session_id, plan, facts))
    else:
        _update(connection, tenant_id, plan, facts=_dump_facts(facts))
    return plan


def _find_row(connection: Connection, tenant_id: TenantId, plan_id: str) -> RowMapping | None:
    query = select(table).where(table.c.tenant_id == tenant_id, table.c.id == plan_id)
    return connection.execute(query).mappings().first()


def _update(connection: Connection, tenant_id: TenantId, plan: WorkPlan, **more: Any) -> None:
    mine = (table.c.tenant_id == tenant_id, table.c.id == plan.id)
    connection.execute(update(table).where(*mine).values(**_dump(plan), **more))


def _set_run(
    connection: Connection, tenant_id: TenantId, run_id: str, columns: dict[str, Any]
) -> None:
    mine = (runs.c.tenant_id == tenant_id, runs.c.run_id == run_id)
    connection.execute(update(runs).where(*mine).values(**columns))


def _make_row(
    tenant_id: TenantId, session_id: str, plan: WorkPlan, facts: PlanFacts
) -> dict[str, Any]:
    return {
        "tenant_id": tenant_id,
        "id": plan.id,
        "session_id": session_id,
        "run_id": plan.id,
        "facts": _dump_facts(facts),
        "created_at": plan.created_at,
        **_dump(plan),
    }


def _dump(plan: WorkPlan) -> dict[str, Any]:
    return {
        "status": plan.status.value,
        "steps": dump_steps(plan.steps),
        "current_step_index": plan.current_step_index,
        "version": plan.version,
        "stage": plan.stage,
        "round": plan.round,
        "interaction_pattern_id": plan.interaction_pattern_id,
        "updated_at": plan.updated_at or plan.created_at,
    }


def _dump_facts(facts: PlanFacts) -> dict[str, Any]:
    ended = [
        [event.step_number, event.status, event.result, event.duration_ms]
        for event in facts.ended.values()
    ]
    return {"begun": sorted(facts.begun), "ended": ended}


def _read(row: RowMapping) -> WorkPlan:
    return WorkPlan(
        id=row["id"],
        conversation_id=row["session_id"],
        status=PlanStatus(row["status"]),
        steps=tuple(PlanStep.from_dict(step) for step in row["steps"]),
        interaction_pattern_id=row["interaction_pattern_id"],
        version=row["version"],
        stage=row["stage"],
        round=row["round"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def _read_facts(row: RowMapping) -> PlanFacts:
    """Return what the log says of a plan as far as it is in its row."""
    newest = WorkPlanEvent(
        plan_id=row["id"],
        session_id=row["session_id"],
        steps=row["steps"],
        version=row["version"],
        status=row["status"],
        stage=row["stage"],
        round=row["round"],
        interaction_pattern_id=row["interaction_pattern_id"],
    )
    ended = (
        StepEndEvent(step_number=number, status=status, result=result, duration_ms=duration_ms)
        for number, status, result, duration_ms in row["facts"]["ended"]
    )
    return PlanFacts(
        newest=newest,
        created_s=row["created_at"].timestamp(),
        updated_s=row["updated_at"].timestamp(),
        begun=set(row["facts"]["begun"]),
        ended={event.step_number: event for event in ended},
    )
