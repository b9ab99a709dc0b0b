"""S2's execution history: a session's runs with their results and the progress of their plans.

Plans and thoughts are read from the log; they are stored nowhere else.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic import JsonValue
from sqlalchemy import ColumnElement, Connection, case, func, select

from dataagent_core.events import (
    Event,
    PatternEvent,
    StepEndEvent,
    StepStartEvent,
    ThoughtEvent,
    WorkPlanEvent,
    from_json,
)
from dataagent_server.common.ids import TenantId
from dataagent_server.db.tables.conversations import agent_execution_events as events
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.runs.history.run_lists import ListedRun, runs_of_session

_PLAN_TYPES: Final = ("work_plan", "step_start", "step_end", "pattern_match")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanProgress:
    """The progress of a run's plan; without a plan only the last thought is known."""

    work_level_thought: str | None = None
    task_level_thought: str | None = None
    plan_steps: list[dict[str, JsonValue]] | None = None
    current_step_index: int | None = None
    workflow_pattern_id: str | None = None
    steps_completed: int = 0
    steps_failed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """A run, its result, and its plan."""

    run: ListedRun
    result: dict[str, Any] | None
    progress: PlanProgress = field(default_factory=PlanProgress)


def executions_of_session(
    connection: Connection, tenant_id: TenantId, session_id: str, *, after: str | None, limit: int
) -> list[Execution]:
    """List a session's runs, oldest first; `after` is the last run of the page before."""
    found = runs_of_session(
        connection, tenant_id, session_id, only_open=False, after=after, limit=limit
    )
    run_ids = [run.run_id for run in found]
    results = select(runs.c.run_id, runs.c.result).where(
        runs.c.tenant_id == tenant_id, runs.c.run_id.in_(run_ids)
    )
    result_of = {row.run_id: row.result for row in connection.execute(results)}
    run_events: defaultdict[str, list[Event]] = defaultdict(list)
    for event in _read_plan_events(connection, tenant_id, session_id, run_ids):
        run_events[event.run_id or ""].append(event)
    return [
        Execution(
            run=run, result=result_of.get(run.run_id), progress=progress_of(run_events[run.run_id])
        )
        for run in found
    ]


def progress_of(run_events: Iterable[Event]) -> PlanProgress:
    """Fold the events of one run. Pure."""
    now = PlanProgress()
    for event in run_events:
        match event:
            case WorkPlanEvent():
                now = replace(now, plan_steps=event.steps, current_step_index=None)
            case StepStartEvent():
                at = _find_index(now.plan_steps or [], event.step_number)
                now = replace(now, current_step_index=at)
            case StepEndEvent() if event.success:
                now = replace(now, steps_completed=now.steps_completed + 1)
            case StepEndEvent():
                now = replace(now, steps_failed=now.steps_failed + 1)
            case PatternEvent():
                now = replace(now, workflow_pattern_id=event.pattern_id)
            case ThoughtEvent(is_final=True, level="work"):
                now = replace(now, work_level_thought=event.content)
            case ThoughtEvent(is_final=True):
                now = replace(now, task_level_thought=event.content)
            case _:
                pass
    return now


def _find_index(steps: Sequence[dict[str, JsonValue]], number: int) -> int | None:
    return next((at for at, step in enumerate(steps) if step.get("step_number") == number), None)


def _read_plan_events(
    connection: Connection, tenant_id: TenantId, session_id: str, run_ids: Sequence[str]
) -> list[Event]:
    mine = (
        events.c.tenant_id == tenant_id,
        events.c.session_id == session_id,
        events.c.run_id.in_(run_ids),
    )
    # A thought is logged in pieces before it is logged whole: of each level only the last whole one
    # is read.
    last_thoughts = (
        select(func.max(events.c.seq))
        .where(*mine, events.c.event_type == "thought", _has("is_final", value=True))
        .group_by(events.c.run_id, case((_has("level", value="work"), 1), else_=0))
    )
    seqs = [row[0] for row in connection.execute(last_thoughts)]
    wanted = events.c.event_type.in_(_PLAN_TYPES) | events.c.seq.in_(seqs)
    lines = select(events.c.event_data).where(*mine, wanted).order_by(events.c.seq)
    return [from_json(line) for line in connection.execute(lines).scalars()]


def _has(name: str, *, value: JsonValue) -> ColumnElement[bool]:
    """Match a field in a stored line of flat JSON (`to_json`); in texts its quotes are escaped."""
    return events.c.event_data.contains(f'"{name}":{json.dumps(value)}', autoescape=True)
