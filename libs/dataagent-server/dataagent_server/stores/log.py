"""The event log and journal of one tenant. Writing: `log_writer.py`; the rows: `appends.py`."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Integer, bindparam, delete, func, select
from sqlalchemy.sql import Select

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT
from dataagent_core.events import Event, from_json
from dataagent_core.session.log import NO_RUN, EventLog, JournalEntry, JournalRecord
from dataagent_core.session.stores.paging import checked_count
from dataagent_server.db.tables.conversations import (
    agent_execution_events as events,
)
from dataagent_server.db.tables.conversations import session_counters, tool_execution_records
from dataagent_server.stores.appends import Append, prepared
from dataagent_server.stores.fences import Fences, NoFences
from dataagent_server.stores.journal import entries
from dataagent_server.stores.log_writer import LogWriter


class SqlEventLog(EventLog):
    """Events and tool calls of one tenant's sessions."""

    def __init__(self, writer: LogWriter, tenant_id: str, fences: Fences | None = None) -> None:
        self._writer = writer
        self._database = writer.database
        self._tenant_id = tenant_id
        self._fences = fences or NoFences()

    async def append(
        self,
        session_id: str,
        run_id: str,
        events: Sequence[Event],
        journal: Sequence[JournalRecord] = (),
    ) -> list[Event]:
        """Do what the port says; a run that was taken over is a `LeaseLostError`."""
        ready = [prepared(event, session_id, run_id) for event in events]
        if not ready and not journal:
            return []
        return await self._writer.append(
            Append(
                tenant_id=self._tenant_id,
                session_id=session_id,
                run_id=run_id,
                # What belongs to no run has no worker who could lose it.
                fence=None if run_id == NO_RUN else self._fences.fence_of(run_id),
                events=ready,
                journal=journal,
            )
        )

    async def read(
        self,
        session_id: str,
        *,
        after: int = 0,
        limit: int = EVENTS_PAGE_DEFAULT,
        run_id: str | None = None,
        types: Sequence[str] | None = None,
    ) -> list[Event]:
        lines = await self.read_lines(session_id, after, limit, run_id=run_id, types=types)
        return [from_json(line) for _, line in lines]

    async def read_lines(
        self,
        session_id: str,
        after: int = 0,
        limit: int = EVENTS_PAGE_DEFAULT,
        *,
        run_id: str | None = None,
        types: Sequence[str] | None = None,
    ) -> list[tuple[int, str]]:
        """Read like `read`, but as numbers and JSON, for those who only pass them on."""
        page = _page(of_run=run_id is not None, of_types=types is not None)
        asked = {
            "tenant": self._tenant_id,
            "session": session_id,
            "after": after,
            "count": checked_count(limit, "limit"),
            **({} if run_id is None else {"run": run_id}),
            **({} if types is None else {"types": list(types)}),
        }
        return await self._database.read(
            lambda connection: [(row[0], row[1]) for row in connection.execute(page, asked)]
        )

    async def last_seq(self, session_id: str) -> int:
        newest = self._of(session_id, func.max(events.c.seq))
        return await self._database.read(lambda c: c.execute(newest).scalar() or 0)

    async def journal(self, run_id: str) -> list[JournalEntry]:
        return await self._database.read(lambda c: entries(c, self._tenant_id, run_id))

    async def delete(self, session_id: str) -> None:
        await self._database.write(lambda c: delete_log(c, self._tenant_id, session_id))

    def _of(self, session_id: str, *columns: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
        scope = (events.c.tenant_id == self._tenant_id, events.c.session_id == session_id)
        return select(*columns).where(*scope)


@cache
def _page(*, of_run: bool, of_types: bool) -> Select[int, str]:
    """Build the statement of `read_lines` once: a run asks before each of its calls."""
    page = select(events.c.seq, events.c.event_data).where(
        events.c.tenant_id == bindparam("tenant"),
        events.c.session_id == bindparam("session"),
        events.c.seq > bindparam("after"),
    )
    if of_run:
        page = page.where(events.c.run_id == bindparam("run"))
    if of_types:
        page = page.where(events.c.event_type.in_(bindparam("types", expanding=True)))
    return page.order_by(events.c.seq).limit(bindparam("count", type_=Integer))


def delete_log(connection: Connection, tenant_id: str, session_id: str) -> None:
    """Remove a session's events and journal; its numbers begin again at 1."""
    for table in (events, tool_execution_records, session_counters):
        connection.execute(
            delete(table).where(table.c.tenant_id == tenant_id, table.c.session_id == session_id)
        )
