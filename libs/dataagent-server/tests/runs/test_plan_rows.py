"""Plans as rows: what the log says of them, whoever wrote it and in whatever order."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_runs import HOME, TENANT, open_scripted_runs, send_message, wait_for_status
from sqlalchemy import Connection, select
from sqlalchemy.event import listen, remove

from dataagent_core.events import (
    DoneEvent,
    Event,
    PatternEvent,
    StepEndEvent,
    StepStartEvent,
    TextEvent,
    ThoughtEvent,
)
from dataagent_core.planning import PlanStatus, PlanStep, StepStatus, WorkPlan, fold_plan
from dataagent_core.planning.plan_end import end_plan
from dataagent_core.secrets import open_keyring
from dataagent_core.session import NO_RUN, read_all
from dataagent_server.db.database import Database
from dataagent_server.db.tables.plans import work_plans
from dataagent_server.db.tables.runs import agent_executions
from dataagent_server.hitl.requests import RequestTimeouts
from dataagent_server.identity.audit.trail import AuditTrail
from dataagent_server.runs.history.executions import executions_of_session
from dataagent_server.runs.history.plan_progress import plan_columns
from dataagent_server.runs.history.plan_rows import find_plan, write_progress
from dataagent_server.runs.limits import THOUGHT_CHARS_MAX
from dataagent_server.runs.projection import Projection
from dataagent_server.sessions.session_rows import remove_whole
from dataagent_server.stores.checkpoints import open_checkpoints
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter
from tests.counts import examples
from tests.services.rows import add_run

pytestmark = pytest.mark.every_database

STEPS = tuple(
    PlanStep(step_number=number, description=f"Do {number}", thought_prompt="?", required_tools=("ls",),
             required_skills=("reporting",), expected_output="a table", assigned_agent="explorer",
             dependencies=(1,) if number > 1 else ())
    for number in (1, 2, 3)
)  # fmt: skip
PROJECTION = Projection(
    AuditTrail(open_keyring(HOME / "secret.key")),
    RequestTimeouts(approval_s=60, clarification_s=60, decision_s=60),
)
_runs = count(1)


def plan_of(run_id: str, version: int = 1, **more: Any) -> WorkPlan:
    values: dict[str, Any] = {"steps": STEPS, "status": PlanStatus.IN_PROGRESS, **more}
    return WorkPlan(id=run_id, conversation_id="s", version=version, **values)


@pytest.fixture(autouse=True)
async def _with_checkpoints(database: Database) -> AsyncGenerator[None]:  # pyright: ignore[reportUnusedFunction]
    async with open_checkpoints(database):
        yield


def log_of(database: Database) -> ServerEventLog:
    return ServerEventLog(LogWriter(database, PROJECTION.apply), TENANT)


async def new_run(database: Database) -> str:
    run_id = f"r{next(_runs)}"
    await add_run(database, run_id, position=next(_runs))
    return run_id


async def plan_in(database: Database, plan_id: str | None = None) -> WorkPlan | None:
    return await database.read(lambda c: find_plan(c, TENANT, "s", plan_id))


async def row_of(database: Database, run_id: str) -> dict[str, Any]:
    query = select(agent_executions).where(agent_executions.c.run_id == run_id)
    return dict(await database.read(lambda c: c.execute(query).mappings().one()))


steps = st.lists(
    st.tuples(st.sampled_from(STEPS), st.sampled_from(StepStatus)),
    unique_by=lambda one: one[0].step_number,
)
told = st.one_of(
    st.tuples(st.just("version"), st.integers(1, 4), steps, st.sampled_from(PlanStatus)),
    st.tuples(st.just("begin"), st.integers(1, 4)),
    st.tuples(st.just("end"), st.integers(1, 4), st.sampled_from(["completed", "failed", "skipped", "timeout"])),
)  # fmt: skip


def event_of(run_id: str, one: Any) -> Event:
    match one:
        case ("begin", number):
            return StepStartEvent(step_number=number, plan_id=run_id)
        case ("end", number, status):
            return StepEndEvent(
                step_number=number, plan_id=run_id, status=status, result="so", duration_ms=7
            )
        case _:
            _, version, chosen, status = one
            its = tuple(replace(step, status=its_status) for step, its_status in chosen)
            return plan_of(run_id, version, steps=its, status=status).to_event("edited")


@pytest.mark.requirement("S2-4.2.1")
@settings(max_examples=examples(60), deadline=None)
@given(said=st.lists(st.tuples(told, st.booleans(), st.booleans()), max_size=12))
async def test_a_row_is_what_the_log_says(database: Database, said: list[Any]):
    run_id = await new_run(database)
    log = log_of(database)
    first = plan_of(run_id).to_event("made")
    await log.append("s", run_id, [first])
    waiting: list[Event] = []
    for one, by_person, together in said:
        waiting.append(event_of(run_id, one))
        if not together:
            await log.append("s", NO_RUN if by_person else run_id, waiting)
            waiting = []
    await log.append("s", run_id, waiting)
    expected = fold_plan(await read_all(log, "s"), run_id)
    assert expected is not None
    assert await plan_in(database, run_id) == expected
    assert await plan_in(database) == expected
    row = await row_of(database, run_id)
    columns = plan_columns(expected)
    assert {name: row[name] for name in columns} == columns


@pytest.mark.requirement("S2-4.2.2")
@pytest.mark.requirement("S2-16.4-plan-step")
async def test_a_step_keeps_every_field_of_the_document(database: Database):
    run_id = await new_run(database)
    log = log_of(database)
    await log.append("s", run_id, [plan_of(run_id).to_event("made")])
    await log.append("s", run_id, [StepStartEvent(step_number=1, plan_id=run_id)])
    ended = StepEndEvent(step_number=1, plan_id=run_id, result="three rows", duration_ms=12)
    await log.append("s", run_id, [ended])
    plan = await plan_in(database)
    assert plan is not None
    first, second, _ = plan.steps
    assert (first.status, first.result) == (StepStatus.COMPLETED, "three rows")
    assert first.execution_time_ms == 12
    assert second == STEPS[1]
    row = await row_of(database, run_id)
    assert (row["steps_completed"], row["steps_failed"], row["current_step_index"]) == (1, 0, 1)
    assert row["plan_steps"][1]["assigned_agent"] == "explorer"
    assert row["plan_steps"][1]["required_skills"] == ["reporting"]


@pytest.mark.requirement("S2-13-agent_executions")
async def test_a_run_keeps_the_last_thought_of_each_level_shortened(database: Database):
    run_id = await new_run(database)
    log = log_of(database)
    long = "\0\ud800é" * THOUGHT_CHARS_MAX
    await log.append("s", run_id, [ThoughtEvent(content="old", level="work", is_final=True)])
    await log.append("s", run_id, [
        ThoughtEvent(content="in pieces"),
        ThoughtEvent(content="the whole", level="work", is_final=True),
        ThoughtEvent(content="first", is_final=True),
        ThoughtEvent(content=long, is_final=True),
        PatternEvent(pattern_id="p", mode="used"),
        PatternEvent(pattern_id="q", mode="hint"),
    ])  # fmt: skip
    row = await row_of(database, run_id)
    assert row["work_level_thought"] == "the whole"
    assert row["task_level_thought"] == long[:THOUGHT_CHARS_MAX].replace("\ud800", "\ufffd")
    assert row["workflow_pattern_id"] == "p"
    assert (row["plan_steps"], row["steps_completed"]) == (None, 0)
    assert await plan_in(database) is None


async def test_a_run_without_a_plan_costs_no_statement_and_one_at_its_end(database: Database):
    run_id = await new_run(database)
    statements: list[str] = []

    def watched(connection: Connection, tenant: str, events: Any) -> None:
        def note(_: Any, _cursor: Any, statement: str, *_others: Any) -> None:
            statements.append(statement)

        listen(connection, "before_cursor_execute", note)
        write_progress(connection, TENANT, events)
        assert statements == []
        PROJECTION.apply(connection, tenant, events)
        remove(connection, "before_cursor_execute", note)

    log = ServerEventLog(LogWriter(database, watched), TENANT)
    await log.append("s", run_id, [TextEvent(content="a", is_final=False), DoneEvent()])
    (ended,) = (each for each in statements if each.startswith("UPDATE agent_executions"))
    assert "work_plans" in ended
    assert not any("work_plans" in each for each in statements if each != ended)


async def test_a_run_says_how_long_it_took(database: Database):
    async with open_scripted_runs(database, {"text": "hello"}) as runs:
        run = await wait_for_status(runs, await send_message(runs), "completed")
    row = await row_of(database, run.run_id)
    assert run.started_at is not None
    assert run.completed_at is not None
    took = (run.completed_at - run.started_at).total_seconds() * 1_000
    # Databases round a half in their own ways.
    assert abs(row["total_duration_ms"] - took) <= 1


@pytest.mark.parametrize(
    ("done", "statuses", "expected"),
    [
        (DoneEvent(), ["completed", "skipped", "failed"], "completed"),
        (DoneEvent(), ["completed", "completed", None], "failed"),
        (DoneEvent(cancelled=True, reason="user_cancelled"), ["completed", None, None], "failed"),
        (DoneEvent(reason="error"), ["completed", "completed", "completed"], "failed"),
    ],
)
async def test_a_plan_that_a_run_leaves_open_is_closed_with_it(
    database: Database, done: DoneEvent, statuses: list[Any], expected: str
):
    run_id = await new_run(database)
    log = log_of(database)
    events: list[Event] = [plan_of(run_id).to_event("made")]
    for number, status in enumerate(statuses, 1):
        events.append(StepStartEvent(step_number=number, plan_id=run_id))
        if status is not None:
            events.append(StepEndEvent(step_number=number, plan_id=run_id, status=status))
    await log.append("s", run_id, events)
    await log.append("s", run_id, [done])
    plan = await plan_in(database)
    assert plan is not None
    assert plan.status.value == expected
    assert [step.status.value for step in plan.steps] == [one or "failed" for one in statuses]
    row = await row_of(database, run_id)
    failed = [one or "failed" for one in statuses].count("failed")
    assert (row["steps_failed"], row["current_step_index"]) == (failed, 3)
    assert [step["status"] for step in row["plan_steps"]] == [s.status.value for s in plan.steps]


def test_a_plan_that_was_never_made_ends_as_none():
    empty = plan_of("r", steps=(), status=PlanStatus.PLANNING)
    assert end_plan(empty, completed=True).status is PlanStatus.FALLBACK
    assert end_plan(empty, completed=False).status is PlanStatus.FAILED


async def test_a_plan_goes_with_its_session_and_is_one_tenants(database: Database):
    async with open_scripted_runs(database, {"text": "hello"}) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "completed")
    await log_of(database).append("s", run.run_id, [plan_of(run.run_id).to_event("made")])
    assert await database.read(lambda c: find_plan(c, "other", "s")) is None  # pyright: ignore[reportArgumentType]
    (execution,) = await database.read(
        lambda c: executions_of_session(c, TENANT, "s", after=None, limit=9)
    )
    assert (execution.plan.plan_status, execution.plan.plan_version) == ("in_progress", 1)
    await database.write(lambda c: remove_whole(c, TENANT, "s"))
    assert await database.read(lambda c: c.execute(select(work_plans.c.id)).all()) == []
