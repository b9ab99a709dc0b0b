"""The event log and journal in an SQL database: events, numbers and records in one transaction."""

from collections.abc import Sequence

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT
from dataagent_core.events import Event, from_json
from dataagent_core.session.log import EventLog, JournalEntry, JournalRecord
from dataagent_core.session.store import checked_count
from dataagent_core.session.stores.sql.connection import SqlConnection, SqlDatabase
from dataagent_core.session.stores.sql.dialect import placeholders
from dataagent_core.session.stores.sql.event_appends import (
    Append,
    last_seq,
    prepare_event,
    write_appends,
)
from dataagent_core.session.stores.sql.journal_records import journal_entries


class SqlEventLog(EventLog):
    """The events and tool calls of one tenant's sessions, with one writer at a time."""

    def __init__(self, database: SqlDatabase, tenant_id: str) -> None:
        self._database = database
        self._tenant_id = tenant_id

    async def append(
        self,
        session_id: str,
        run_id: str,
        events: Sequence[Event],
        journal: Sequence[JournalRecord] = (),
    ) -> list[Event]:
        item = Append(
            tenant_id=self._tenant_id,
            session_id=session_id,
            run_id=run_id,
            events=[prepare_event(event, session_id, run_id) for event in events],
            journal=journal,
        )

        def write(connection: SqlConnection) -> list[Event]:
            numbers = {item.session: last_seq(connection, item.session)}
            (stored,) = write_appends(connection, [item], numbers, check_known=True)
            return stored

        return await self._database.write(write)

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
        """Read like `read`, but return numbers and JSON, for callers that only pass them on."""
        page = checked_count(limit, "limit")
        condition, values = "", list[object]()
        if run_id is not None:
            condition += " AND run_id = ?"
            values.append(run_id)
        if types is not None:
            # An empty list is no SQL outside SQLite; NULL is equal to nothing.
            condition += f" AND event_type IN ({placeholders(len(types)) or 'NULL'})"
            values.extend(types)
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT seq, event_data FROM agent_execution_events "
                f"WHERE tenant_id = ? AND session_id = ? AND seq > ?{condition} "
                "ORDER BY seq LIMIT ?",
                (self._tenant_id, session_id, after, *values, page),
            ).fetchall()
        )
        return [(row[0], row[1]) for row in rows]

    async def last_seq(self, session_id: str) -> int:
        return await self._database.read(lambda c: last_seq(c, (self._tenant_id, session_id)))

    async def journal(self, run_id: str) -> list[JournalEntry]:
        return await self._database.read(lambda c: journal_entries(c, self._tenant_id, run_id))

    async def delete(self, session_id: str) -> None:
        await self._database.write(lambda c: self._delete(c, session_id))

    def _delete(self, connection: SqlConnection, session_id: str) -> None:
        for table in ("agent_execution_events", "tool_execution_records"):
            connection.execute(
                f"DELETE FROM {table} WHERE tenant_id = ? AND session_id = ?",
                (self._tenant_id, session_id),
            )
