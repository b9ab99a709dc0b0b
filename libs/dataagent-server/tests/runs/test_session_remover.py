"""Sessions that nobody uses are deleted in the one way sessions are deleted, on each database."""

from datetime import datetime, timedelta

import pytest
from scripted_runs import HOME, PERSON, TENANT, open_scripted_runs, send_message, wait_for_status
from sqlalchemy import select, update

from dataagent_core.errors import ConflictError
from dataagent_core.secrets import open_keyring
from dataagent_core.session.state import now
from dataagent_server.db.database import Database
from dataagent_server.db.tables.audit import audit_log
from dataagent_server.db.tables.conversations import agent_execution_events, messages, sessions
from dataagent_server.db.tables.people import tenants
from dataagent_server.db.tables.runs import agent_executions, execution_checkpoints
from dataagent_server.identity.audit.trail import AuditTrail
from dataagent_server.identity.auth.principal import retention
from dataagent_server.runs.run_services import RunServices
from dataagent_server.runs.session_operations.session_remover import SessionRemover
from dataagent_server.sessions.session_service import SessionService

pytestmark = pytest.mark.every_database

WRITE = {"tool_calls": [{"name": "write_file", "args": {"file_path": "/a.txt", "content": "hi"}}]}
DAY = timedelta(days=1)


def remover_of(database: Database, runs: RunServices) -> SessionRemover:
    audit = AuditTrail(open_keyring(HOME / "secret.key"))
    return SessionRemover(database, SessionService(database, audit), runs)


async def last_used(database: Database, session_id: str, moment: datetime) -> None:
    mine = update(sessions).where(sessions.c.session_id == session_id)
    await database.write(lambda c: c.execute(mine.values(last_active=moment)))


async def left(database: Database) -> set[str]:
    return await database.read(lambda c: set(c.execute(select(sessions.c.session_id)).scalars()))


async def test_only_what_nobody_used_goes_and_all_of_it(database: Database):
    async with open_scripted_runs(database, {"text": "hello"}) as runs:
        for number in range(3):
            run = await send_message(runs, session_id=f"s{number}")
            await wait_for_status(runs, run, "completed")
        await last_used(database, "s0", now() - 2 * DAY)
        await last_used(database, "s1", now() - 3 * DAY)
        remover = remover_of(database, runs)
        assert await remover.remove_idle(now() - DAY) == 2
        assert await remover.remove_idle(now() - DAY) == 0
        assert await left(database) == {"s2"}
        for table in (messages, agent_execution_events, agent_executions, execution_checkpoints):
            rows = select(table.c.session_id).distinct()
            assert await database.read(lambda c, r=rows: set(c.execute(r).scalars())) == {"s2"}
    said = select(audit_log.c.actor).where(audit_log.c.action == "session.delete")
    assert await database.read(lambda c: set(c.execute(said).scalars())) == {"retention"}


async def test_a_session_that_waits_for_a_person_stays(database: Database):
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "waiting_approval")
        await last_used(database, "s", now() - 2 * DAY)
        remover = remover_of(database, runs)
        assert await remover.remove_idle(now() - DAY) == 0
        await runs.service.cancel(PERSON, run.run_id)
        await wait_for_status(runs, run, "cancelled")
        assert await remover.remove_idle(now() - DAY) == 1


async def test_what_was_used_after_it_was_found_idle_stays(database: Database):
    async with open_scripted_runs(database, {"text": "hello"}) as runs:
        await wait_for_status(runs, await send_message(runs), "completed")
        remover = remover_of(database, runs)
        # As if somebody had written between the look and the deletion.
        with pytest.raises(ConflictError, match="used meanwhile"):
            await remover.remove(retention(TENANT), "s", unused_since=now() - DAY)
        assert await left(database) == {"s"}


async def test_a_suspended_tenants_sessions_stay(database: Database):
    async with open_scripted_runs(database, {"text": "hello"}) as runs:
        await wait_for_status(runs, await send_message(runs), "completed")
        await last_used(database, "s", now() - 2 * DAY)
        off = update(tenants).where(tenants.c.tenant_id == TENANT).values(is_active=False)
        await database.write(lambda c: c.execute(off))
        assert await remover_of(database, runs).remove_idle(now() - DAY) == 0
