"""A run that ends the process which works on it is not tried for ever, and takes nobody with it."""

import pytest
from scripted_runs import TENANT, log_of, open_scripted_runs, wait_for_status
from sqlalchemy import Connection

from dataagent_core.events import DoneEvent, ErrorEvent, TextEvent, ToolResultEvent
from dataagent_core.session.stores.sql.event_appends import Append, prepare_event
from dataagent_server.db.database import Database
from dataagent_server.runs import run_rows
from dataagent_server.runs.limits import LOST_ATTEMPTS_MAX
from dataagent_server.runs.run_capacity import RunLimits
from dataagent_server.runs.run_row import NewRun, RunRow
from dataagent_server.runs.worker import leases
from dataagent_server.stores.appends import commit_appends
from dataagent_server.stores.sessions import ServerSessionStore

pytestmark = pytest.mark.every_database

ANSWER = {"text": "hello"}


@pytest.fixture
async def database(database: Database) -> Database:
    """A database that a server has opened once: its tenant and the engine's tables are there."""
    async with open_scripted_runs(database):
        pass
    return database


async def queued(database: Database, session_id: str = "s") -> RunRow:
    """A run of a new session that nobody works on."""
    # Without a server's runs open: a worker would take up what an earlier call queued.
    await ServerSessionStore(database, TENANT).create("u", "a", session_id=session_id)
    new = NewRun(
        session_id=session_id,
        user_id="u",
        assistant_id="a",
        project_id=None,
        text="go",
        context={},
    )
    return await database.write(
        lambda c: run_rows.insert_run(
            c, TENANT, new, RunLimits(per_tenant=100, queued_per_session=10)
        )
    )


async def lose(database: Database, *events: TextEvent | ToolResultEvent) -> list[str]:
    """Let a process take up what it may, say something in it, and end; name what it had."""

    def work(connection: Connection) -> list[str]:
        taken = leases.claim(connection, "gone", limit=50)
        for run in taken if events else []:
            item = Append(
                tenant_id=TENANT,
                session_id=run.session_id,
                run_id=run.run_id,
                fence=run.fence,
                events=[prepare_event(event, run.session_id, run.run_id) for event in events],
                journal=(),
            )
            commit_appends(connection, [item], check_known=True)
        leases.release_all_but(connection, ["living"])
        return [run.run_id for run in taken]

    return await database.write(work)


@pytest.mark.requirement("F4-3")
async def test_a_run_with_which_processes_end_is_given_up_with_an_error(database: Database):
    run = await queued(database)
    for _ in range(LOST_ATTEMPTS_MAX):
        assert await lose(database, TextEvent(content="and then")) == [run.run_id]
    async with open_scripted_runs(database, ANSWER) as runs:
        ended = await wait_for_status(runs, run, "failed")
        *_, error, done = await log_of(runs)
    assert isinstance(error, ErrorEvent)
    assert f"ended {LOST_ATTEMPTS_MAX} times in a row" in error.error
    assert (error.code, ended.error_code) == ("LIMIT_REACHED", "LIMIT_REACHED")
    assert isinstance(done, DoneEvent)
    assert done.reason == "error"


async def test_a_run_lost_less_often_goes_on(database: Database):
    run = await queued(database)
    for _ in range(LOST_ATTEMPTS_MAX - 1):
        await lose(database)
    async with open_scripted_runs(database, ANSWER) as runs:
        await wait_for_status(runs, run, "completed")


async def test_whoever_got_further_is_counted_anew(database: Database):
    run = await queued(database)
    for number in range(2 * LOST_ATTEMPTS_MAX):
        result = ToolResultEvent(
            tool_call_id=f"call-{number}", tool_name="ls", result="", status="success"
        )
        await lose(database, *([result] if number % 2 else []))
    found = await database.read(lambda c: run_rows.find_run(c, TENANT, run.run_id))
    assert found is not None
    assert found.lost_attempts == 1


async def test_runs_that_may_have_ended_a_process_are_tried_one_at_a_time(database: Database):
    suspects = [(await queued(database, f"s{number}")).run_id for number in range(3)]
    assert [sorted(await lose(database)) for _ in range(2)] == [sorted(suspects)] * 2
    innocent = (await queued(database, "new")).run_id
    assert await lose(database) == [innocent, suspects[0]]
