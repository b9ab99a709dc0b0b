"""The event log and journal in SQLite: numbers, events and journal rows in one transaction."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT
from dataagent_core.events import Event, from_json
from dataagent_core.ids import new_id
from dataagent_core.session.log import EventLog, Intent, JournalEntry, JournalRecord
from dataagent_core.session.stores.encoding import event_line
from dataagent_core.session.stores.paging import checked_count
from dataagent_core.session.stores.sqlite.database import SqliteDatabase

_INSERT_EVENT = """
INSERT INTO agent_execution_events
    (tenant_id, session_id, seq, run_id, event_id, event_type, event_data)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant_id, session_id, event_id) DO NOTHING
"""
_INSERT_INTENT = """
INSERT INTO tool_execution_records
    (tenant_id, session_id, run_id, call_key, tool_name, args_hash, probe)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant_id, run_id, call_key) DO NOTHING
"""
_INSERT_OUTCOME = """
INSERT INTO tool_execution_records
    (tenant_id, session_id, run_id, call_key, tool_name, args_hash, payload, receipt)
VALUES (?, ?, ?, ?, ?, '', ?, ?)
ON CONFLICT (tenant_id, run_id, call_key) DO UPDATE
    SET payload = excluded.payload, receipt = excluded.receipt WHERE payload IS NULL
"""


class SqliteEventLog(EventLog):
    """The events and tool calls of one tenant's sessions."""

    def __init__(self, database: SqliteDatabase, tenant_id: str) -> None:
        self._database = database
        self._tenant_id = tenant_id

    async def append(
        self,
        session_id: str,
        run_id: str,
        events: Sequence[Event],
        journal: Sequence[JournalRecord] = (),
    ) -> list[Event]:
        def insert(connection: sqlite3.Connection) -> list[Event]:
            stored: list[Event] = []
            seq = self._last_seq(connection, session_id)
            for event in events:
                taken = replace(
                    event,
                    event_id=event.event_id or new_id(),
                    session_id=session_id,
                    run_id=run_id,
                    seq=seq + 1,
                )
                line, stored_event = event_line(taken)
                row = (
                    self._tenant_id,
                    session_id,
                    taken.seq,
                    run_id,
                    taken.event_id,
                    taken.event_type,
                    line,
                )
                if connection.execute(_INSERT_EVENT, row).rowcount:
                    seq += 1
                    stored.append(stored_event)
            for record in journal:
                self._insert_record(connection, session_id, run_id, record)
            return stored

        return await self._database.write(insert)

    def _insert_record(
        self, connection: sqlite3.Connection, session_id: str, run_id: str, record: JournalRecord
    ) -> None:
        scope = (self._tenant_id, session_id, run_id, record.call_key, record.tool_name)
        if isinstance(record, Intent):
            connection.execute(_INSERT_INTENT, (*scope, record.args_hash, record.probe))
        else:
            connection.execute(_INSERT_OUTCOME, (*scope, record.payload, record.receipt))

    async def read(
        self,
        session_id: str,
        *,
        after: int = 0,
        limit: int = EVENTS_PAGE_DEFAULT,
        run_id: str | None = None,
        types: Sequence[str] | None = None,
    ) -> list[Event]:
        page = checked_count(limit, "limit")
        condition, values = "", list[object]()
        if run_id is not None:
            condition += " AND run_id = ?"
            values.append(run_id)
        if types is not None:
            condition += f" AND event_type IN ({', '.join('?' * len(types))})"
            values.extend(types)
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT event_data FROM agent_execution_events "
                f"WHERE tenant_id = ? AND session_id = ? AND seq > ?{condition} "
                "ORDER BY seq LIMIT ?",
                (self._tenant_id, session_id, after, *values, page),
            ).fetchall()
        )
        return [from_json(row[0]) for row in rows]

    async def last_seq(self, session_id: str) -> int:
        return await self._database.read(lambda connection: self._last_seq(connection, session_id))

    def _last_seq(self, connection: sqlite3.Connection, session_id: str) -> int:
        found = connection.execute(
            "SELECT MAX(seq) FROM agent_execution_events WHERE tenant_id = ? AND session_id = ?",
            (self._tenant_id, session_id),
        ).fetchone()
        return found[0] or 0

    async def journal(self, run_id: str) -> list[JournalEntry]:
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT call_key, tool_name, args_hash, payload, receipt, probe "
                "FROM tool_execution_records WHERE tenant_id = ? AND run_id = ? ORDER BY position",
                (self._tenant_id, run_id),
            ).fetchall()
        )
        return [
            JournalEntry(
                run_id=run_id,
                call_key=row[0],
                tool_name=row[1],
                args_hash=row[2],
                payload=row[3],
                receipt=row[4],
                probe=row[5],
            )
            for row in rows
        ]

    async def delete(self, session_id: str) -> None:
        def remove(connection: sqlite3.Connection) -> None:
            for table in ("agent_execution_events", "tool_execution_records"):
                connection.execute(
                    f"DELETE FROM {table} WHERE tenant_id = ? AND session_id = ?",
                    (self._tenant_id, session_id),
                )

        await self._database.write(remove)
