"""Rows for the benchmarks, written past the server: what it would take hours to say to it."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from sqlalchemy import Table, insert, select, text

from dataagent_core.events import TextEvent
from dataagent_core.session.state import now
from dataagent_server.db.database import Database
from dataagent_server.db.migrate import migrate_open
from dataagent_server.db.open_database import open_database
from dataagent_server.db.tables.conversations import messages, sessions
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter

AT_ONCE = 2000


@asynccontextmanager
async def opened(url: str) -> AsyncGenerator[Database]:
    database = await open_database(url)
    try:
        yield database
    finally:
        await database.aclose()


async def make_schema(url: str) -> None:
    async with opened(url) as database:
        await migrate_open(database)


async def owner_of(database: Database, session_id: str) -> tuple[str, str]:
    """Return the tenant and the user of a session."""
    found = select(sessions.c.tenant_id, sessions.c.user_id).where(
        sessions.c.session_id == session_id
    )
    row = await database.read(lambda c: c.execute(found).one())
    return row[0], row[1]


async def log_with(database: Database, session_id: str, count: int) -> ServerEventLog:
    """Give a session a log of so many events."""
    tenant_id, _ = await owner_of(database, session_id)
    log = ServerEventLog(LogWriter(database), tenant_id)
    for _ in range(0, count, AT_ONCE):
        await log.append(session_id, "r", [TextEvent(content="hello world " * 4)] * AT_ONCE)
    return log


async def fill_sessions(database: Database, like: str, count: int, begin: int = 0) -> list[str]:
    """Make sessions, half of them of the owner of `like`; return some that have 100 messages."""
    tenant_id, user_id = await owner_of(database, like)
    moment = now()
    rows = [
        {
            "tenant_id": tenant_id,
            "session_id": f"s{n:06}",
            "user_id": user_id if n % 2 else f"user{n % 30}",
            "assistant_id": "default",
            "created_at": moment,
            "last_active": moment - timedelta(seconds=n * 7919 % 1_000_003),
            "state": {},
            "metadata": {},
            "title": f"Title {n} of things",
            "title_folded": f"title {n} of things",
        }
        for n in range(begin, count)
    ]
    await _insert(database, sessions, rows)
    talked = [f"s{n:06}" for n in range(begin + 1, min(count, begin + 2000), 2)]
    said = [
        {
            "tenant_id": tenant_id,
            "session_id": session,
            "message_id": f"m{n}",
            "role": "user",
            "content": "hello " * 20,
            "created_at": moment,
            "metadata": {},
        }
        for session in talked
        for n in range(100)
    ]
    await _insert(database, messages, said)
    if database.dialect == "postgresql":
        # Its own vacuum would do this within a minute.
        await database.write(lambda c: c.execute(text("ANALYZE")))
    return talked


async def _insert(database: Database, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    for begin in range(0, len(rows), AT_ONCE):
        part = rows[begin : begin + AT_ONCE]
        await database.write(lambda c, part=part: c.execute(insert(table), part))
