"""What sub-agents did, and how well: rows derived from the log, counted once."""

from dataclasses import asdict, replace
from functools import partial
from typing import Any

import pytest
from scripted_runs import PERSON, TENANT
from sqlalchemy import Connection, select
from sqlalchemy.event import listen, remove

from dataagent_core.events import (
    DoneEvent,
    Event,
    StepFinishEvent,
    SubAgentEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from dataagent_core.subagents import SubAgentTrigger
from dataagent_core.subagents.route import make_assigned_id
from dataagent_server.agents.subagents import statistics_rows, subagent_rows
from dataagent_server.agents.subagents.stored_subagent import StoredSubAgent, SubAgentDefinition
from dataagent_server.db.database import Database
from dataagent_server.db.tables.subagents import agent_activity_logs
from dataagent_server.identity.auth.clock import utc_now
from dataagent_server.runs.history.activities import (
    close_activities,
    rebuild_activities,
    write_activities,
)
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter

pytestmark = pytest.mark.every_database

TOKENS = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
KEY = "m1:call1"


def read_rows(connection: Connection) -> list[dict[str, Any]]:
    table = agent_activity_logs
    query = (
        select(table).where(table.c.tenant_id == TENANT).order_by(table.c.started_at, table.c.id)
    )
    return [dict(row) for row in connection.execute(query).mappings()]


def project(connection: Connection, tenant: str, events: Any) -> None:
    write_activities(connection, TENANT, events)
    for event in events:
        if isinstance(event, DoneEvent):
            close_activities(connection, TENANT, event)


async def rebuilt(database: Database, session_id: str = "s") -> list[dict[str, Any]]:
    await database.write(lambda c: rebuild_activities(c, TENANT, session_id))
    return await database.read(read_rows)


def stored(name: str, subagent_id: str) -> StoredSubAgent:
    return StoredSubAgent(
        id=subagent_id,
        project_id=None,
        definition=SubAgentDefinition(
            name=name, trigger=SubAgentTrigger(description="Looks"), system_prompt="Look."
        ),
        is_override=False,
        created_by=PERSON.user_id,
        created_at=utc_now(),
        updated_at=utc_now(),
    )


def phase(name: str, at: float, *, task: str = KEY, attempt: int = 1, **more: Any) -> Event:
    return SubAgentEvent(
        event_id=f"subagent {name}:{task}:{attempt}",
        timestamp=at,
        subagent_id=task,
        phase=name,  # pyright: ignore[reportArgumentType]
        name="looker",
        task="look",
        **more,
    )


@pytest.mark.requirement("S2-13-agent_activity_logs")
async def test_a_task_is_counted_once_however_often_it_began(database: Database):
    await database.write(lambda c: subagent_rows.add_subagent(c, TENANT, stored("looker", "L")))
    log = ServerEventLog(LogWriter(database, project), TENANT)
    ended: dict[str, Any] = {"duration_ms": 40, "tokens": TOKENS, "cost": 0.5}
    failed = phase("failed", 9, task="m1:call2", duration_ms=20, reason="It broke.", tokens=TOKENS)
    appends: list[list[Event]] = [
        [phase("started", 1), phase("started", 2, task="m1:call2", parent_id=KEY)],
        [ToolCallEvent(event_id="c", timestamp=3, subagent_id=KEY, tool_name="ls", tool_call_id="a")],
        # The process is lost here, and the task begins again.
        [phase("started", 4, attempt=2)],
        [ToolCallEvent(event_id="d", timestamp=5, subagent_id=KEY, tool_name="ls", tool_call_id="a")],
        [
            ToolResultEvent(
                timestamp=6, subagent_id=KEY, tool_name="ls", tool_call_id="a", status="error",
                result="no such folder", duration_ms=3,
            )
        ],
        [StepFinishEvent(event_id="e", timestamp=7, subagent_id=KEY, tokens=TOKENS, cost=0.5)],
        [phase("finished", 8, **ended), failed],
        # A crash before the call was in the journal: the task is done again.
        [phase("started", 10, attempt=3), phase("finished", 11, attempt=3, **ended)],
        [phase("started", 12, task="m2:call9")],
        [phase("assigned", 12, task="task-1", mode="background")],
        [DoneEvent(timestamp=13, cancelled=True, reason="user_cancelled")],
    ]  # fmt: skip
    for events in appends:
        await log.append("s", "r", events)
        # The log has each of them already.
        await log.append("s", "r", events)
    rows = await database.read(read_rows)
    told = [(row["type"], row["status"], row["agent_id"], row["duration_ms"]) for row in rows]
    assert told == [
        ("subagent", "completed", "L", 40),
        ("subagent", "failed", "L", 20),
        ("tool_call", "failed", "L", 3),
        # From the result of the call to the end of the turn.
        ("model_call", "completed", "L", 1000),
        ("subagent", "cancelled", "L", 0),
    ]
    assert rows[1]["parent_activity_id"] == rows[0]["id"]
    assert (rows[1]["error_message"], rows[2]["error_message"]) == ("It broke.", "no such folder")
    assert (rows[0]["prompt_tokens"], rows[0]["completion_tokens"]) == (7, 3)
    found = await database.read(lambda c: subagent_rows.find_subagent(c, TENANT, "L"))
    assert found is not None
    statistics = asdict(found.statistics)
    assert statistics == pytest.approx(
        {"total_invocations": 2, "avg_execution_time_ms": 30.0, "success_rate": 0.5}
    )
    assert await database.read(lambda c: statistics_rows.sum_use(c, TENANT, "L")) == (20, 0.5)
    assert await rebuilt(database) == rows
    again = await database.read(lambda c: subagent_rows.find_subagent(c, TENANT, "L"))
    assert again == found


async def test_a_task_belongs_to_the_row_that_did_it_whatever_is_called_so_by_now(
    database: Database,
):
    first = stored("looker", "L")
    await database.write(lambda c: subagent_rows.add_subagent(c, TENANT, first))
    log = ServerEventLog(LogWriter(database, project), TENANT)
    ended: dict[str, Any] = {"duration_ms": 40, "tokens": TOKENS, "cost": 0.5}
    await log.append("s", "r", [phase("started", 1, agent_id="L")])
    # It is renamed while it works, and another one gets its name.
    renamed = replace(first.definition, name="watcher")
    await database.write(
        lambda c: subagent_rows.change_subagent(
            c, TENANT, "L", renamed, is_override=False, now=utc_now()
        )
    )
    await database.write(lambda c: subagent_rows.add_subagent(c, TENANT, stored("looker", "N")))
    await log.append("s", "r", [phase("finished", 2, agent_id="L", **ended)])
    other: dict[str, Any] = {"task": "m1:call2", "agent_id": "N"}
    await log.append("s", "r", [phase("started", 3, **other), phase("failed", 4, **other)])
    rows = await database.read(read_rows)
    assert [(row["agent_id"], row["status"]) for row in rows] == [
        ("L", "completed"),
        ("N", "failed"),
    ]
    for subagent_id, rate in (("L", 1.0), ("N", 0.0)):
        found = await database.read(partial(_find_statistics, subagent_id=subagent_id))
        assert (found["total_invocations"], found["success_rate"]) == (1, rate)
    assert await rebuilt(database) == rows


def _find_statistics(connection: Connection, subagent_id: str) -> dict[str, Any]:
    found = subagent_rows.find_subagent(connection, TENANT, subagent_id)
    assert found is not None
    return asdict(found.statistics)


async def test_calls_of_one_id_are_told_apart(database: Database):
    """Some models call all their calls "call_0", in every message and in every sub-agent."""
    boss, hand = "m1:call_0", "m2:call_0"

    def call(at: float, message: str, by: str | None, tool: str, attempt: int = 1) -> Event:
        return ToolCallEvent(
            event_id=f"call:r:{message}:call_0:{attempt}", timestamp=at, subagent_id=by,
            tool_name=tool, tool_call_id="call_0", tool_args={"at": at},
        )  # fmt: skip

    def result(at: float, by: str | None, tool: str, text: str) -> Event:
        return ToolResultEvent(
            timestamp=at, subagent_id=by, tool_name=tool, tool_call_id="call_0", result=text
        )

    log = ServerEventLog(LogWriter(database, project), TENANT)
    events: list[Event] = [
        call(1, "m1", None, "task"),
        phase("started", 2, task=boss),
        call(3, "m2", boss, "task"),
        phase("started", 4, task=hand, parent_id=boss),
        call(5, "m3", hand, "ls"),
        # Begun again after a crash, it is the same call.
        call(6, "m3", hand, "ls", attempt=2),
        result(7, hand, "ls", "first"),
        call(8, "m4", hand, "ls"),
        result(9, hand, "ls", "second"),
        phase("finished", 10, task=hand, parent_id=boss),
        result(11, boss, "task", "of the hand"),
        phase("finished", 12, task=boss),
        result(13, None, "task", "of the boss"),
        call(14, "m5", None, "task"),
        phase("started", 15, task="m5:call_0"),
        phase("finished", 16, task="m5:call_0"),
        result(17, None, "task", "of the next"),
    ]
    for event in events:
        await log.append("s", "r", [event])
    rows = await database.read(read_rows)
    told = [(row["type"], row["status"], row["output_data"]) for row in rows]
    assert told == [
        ("subagent", "completed", {"report": "of the boss"}),
        ("tool_call", "completed", {"result": "of the hand"}),
        ("subagent", "completed", {"report": "of the hand"}),
        ("tool_call", "completed", {"result": "first"}),
        ("tool_call", "completed", {"result": "second"}),
        ("subagent", "completed", {"report": "of the next"}),
    ]
    assert await rebuilt(database) == rows


async def test_a_task_says_why_the_router_chose_its_sub_agent(database: Database):
    log = ServerEventLog(LogWriter(database, project), TENANT)
    chosen: dict[str, Any] = {"name": "looker", "agent_id": "L", "confidence": 0.75}
    assigned = SubAgentEvent(
        event_id=make_assigned_id("r", "looker"), timestamp=1, reason="It has the best score.",
        **chosen,
    )  # fmt: skip
    await log.append("s", "r", [assigned, phase("started", 2, agent_id="L")])
    await log.append("s", "r", [phase("finished", 3, agent_id="L")])
    # Another one of the name, one that the chosen one asked, and one of another run.
    others: dict[str, Any] = {"agent_id": "N", "task": "m1:call2"}
    await log.append("s", "r", [phase("started", 4, **others)])
    helper: dict[str, Any] = {"agent_id": "L", "task": "m1:call3", "parent_id": KEY}
    await log.append("s", "r", [phase("started", 5, **helper)])
    await log.append("s", "r2", [phase("started", 6, agent_id="L", task="m1:call4")])
    rows = await database.read(read_rows)
    told = [(row["metadata"]["confidence"], row["metadata"]["reason"]) for row in rows]
    assert told == [(0.75, "It has the best score."), (None, ""), (None, ""), (None, "")]
    assert await rebuilt(database) == rows


async def test_what_is_long_or_cannot_be_stored_is_bounded(database: Database):
    long: dict[str, Any] = {"text": "x" * 100_000}
    odd = ToolCallEvent(
        timestamp=2, subagent_id=KEY, tool_name="bad\x00\ud800" + "y" * 300, tool_args=long,
        tool_call_id="a",
    )  # fmt: skip
    log = ServerEventLog(LogWriter(database, project), TENANT)
    await log.append("s", "r", [phase("started", 1), odd])
    _, call = await database.read(read_rows)
    assert len(call["name"]) == 200
    assert call["input_data"]["chars"] > 100_000
    assert len(call["input_data"]["beginning"]) == 8_000


async def test_a_run_looks_only_at_rows_of_its_session_which_the_index_finds(database: Database):
    found: list[str] = []

    def watched(connection: Connection, tenant: str, events: Any) -> None:
        def note(_: Any, _cursor: Any, statement: str, *_others: Any) -> None:
            _, _, where = statement.partition("WHERE")
            if "agent_activity_logs.run_id" in where:
                found.append(where)

        listen(connection, "before_cursor_execute", note)
        project(connection, tenant, events)
        remove(connection, "before_cursor_execute", note)

    log = ServerEventLog(LogWriter(database, watched), TENANT)
    step = StepFinishEvent(event_id="s", timestamp=2, subagent_id=KEY, tokens=TOKENS)
    await log.append("s", "r", [phase("started", 1), step, DoneEvent(event_id="d", timestamp=3)])
    assert len(found) > 1
    assert all("agent_activity_logs.session_id" in where for where in found)
