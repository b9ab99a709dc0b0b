"""The event log and journal in memory."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT
from dataagent_core.events import Event, from_json
from dataagent_core.ids import new_id
from dataagent_core.session.log import EventLog, Intent, JournalEntry, JournalRecord
from dataagent_core.session.store import checked_count
from dataagent_core.session.stores.encoding import event_line


class MemoryEventLog(EventLog):
    """Events and journal in lists."""

    def __init__(self) -> None:
        self._events: dict[str, list[tuple[Event, str]]] = {}
        self._ids: dict[str, set[str]] = {}
        self._journal: dict[str, dict[str, JournalEntry]] = {}
        self._runs: dict[str, set[str]] = {}

    async def append(
        self,
        session_id: str,
        run_id: str,
        events: Sequence[Event],
        journal: Sequence[JournalRecord] = (),
    ) -> list[Event]:
        known = self._events.get(session_id, [])
        ids = self._ids.get(session_id, set())
        fresh: set[str] = set()
        taken: list[tuple[Event, str]] = []
        for event in events:
            event_id = event.event_id or new_id()
            if event_id in ids or event_id in fresh:
                continue
            fresh.add(event_id)
            line, stored = event_line(
                replace(
                    event,
                    event_id=event_id,
                    session_id=session_id,
                    run_id=run_id,
                    seq=len(known) + len(taken) + 1,
                )
            )
            taken.append((stored, line))
        # Nothing is kept before this line, so a bad event leaves no trace.
        self._events.setdefault(session_id, []).extend(taken)
        self._ids.setdefault(session_id, set()).update(fresh)
        for record in journal:
            self._take(run_id, record)
            self._runs.setdefault(session_id, set()).add(run_id)
        return [event for event, _ in taken]

    def _take(self, run_id: str, record: JournalRecord) -> None:
        entries = self._journal.setdefault(run_id, {})
        known = entries.get(record.call_key)
        if isinstance(record, Intent):
            if known is None:
                entries[record.call_key] = JournalEntry(
                    run_id=run_id,
                    call_key=record.call_key,
                    tool_name=record.tool_name,
                    args_hash=record.args_hash,
                    probe=record.probe,
                )
            return
        if known is not None and known.payload is not None:
            return
        entries[record.call_key] = JournalEntry(
            run_id=run_id,
            call_key=record.call_key,
            tool_name=known.tool_name if known else record.tool_name,
            args_hash=known.args_hash if known else "",
            payload=record.payload,
            receipt=record.receipt,
            probe=known.probe if known else None,
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
        found = (
            line
            for event, line in self._events.get(session_id, [])[max(after, 0) :]
            if (run_id is None or event.run_id == run_id)
            and (types is None or event.event_type in types)
        )
        return [from_json(line) for line in islice(found, checked_count(limit, "limit"))]

    async def last_seq(self, session_id: str) -> int:
        return len(self._events.get(session_id, []))

    async def journal(self, run_id: str) -> list[JournalEntry]:
        return list(self._journal.get(run_id, {}).values())

    async def delete(self, session_id: str) -> None:
        self._events.pop(session_id, None)
        self._ids.pop(session_id, None)
        for run_id in self._runs.pop(session_id, set()):
            self._journal.pop(run_id, None)
