"""Stores in memory: for tests, and for library users who keep nothing.

They keep copies and refuse what JSON cannot hold, as a database does, so that code that works with
them works with every other store.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT, MESSAGES_PAGE_DEFAULT
from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.events import Event, from_json
from dataagent_core.ids import checked_id, new_id
from dataagent_core.session.log import EventLog, Intent, JournalEntry, JournalRecord
from dataagent_core.session.search.text_match import SearchHit, SearchWords, group_hits
from dataagent_core.session.state import Message, Role, Session, now
from dataagent_core.session.store import MessageStore, SessionStore, checked_count
from dataagent_core.session.stores.encoding import event_line, json_copy


class MemorySessionStore(SessionStore):
    """Sessions in a dictionary."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}

    async def create(
        self, user_id: str, assistant_id: str, *, session_id: str | None = None
    ) -> Session:
        chosen = checked_id(session_id, "session id") if session_id else new_id()
        if chosen in self._sessions:
            raise ConflictError(f"session {chosen!r} already exists.")
        session = Session(session_id=chosen, user_id=user_id, assistant_id=assistant_id)
        self._sessions[chosen] = _session_copy(session)
        return session

    async def get(self, session_id: str) -> Session | None:
        session = self._sessions.get(session_id)
        return _session_copy(session) if session else None

    async def update(self, session: Session) -> None:
        if session.session_id not in self._sessions:
            raise NotFoundError(f"there is no session {session.session_id!r}.")
        self._sessions[session.session_id] = _session_copy(session)

    async def delete(self, session_id: str) -> None:
        self._sessions.pop(session_id, None)

    async def list_by_user(self, user_id: str) -> list[Session]:
        return self._newest_first(s for s in self._sessions.values() if s.user_id == user_id)

    async def list_by_assistant(self, assistant_id: str) -> list[Session]:
        matching = (s for s in self._sessions.values() if s.assistant_id == assistant_id)
        return self._newest_first(matching)

    async def list_expired(self, timeout_s: float) -> list[Session]:
        deadline = now() - timedelta(seconds=timeout_s)
        return self._newest_first(s for s in self._sessions.values() if s.last_active <= deadline)

    @staticmethod
    def _newest_first(sessions: Iterable[Session]) -> list[Session]:
        by_id = sorted(sessions, key=lambda s: s.session_id)
        newest_first = sorted(by_id, key=lambda s: s.last_active, reverse=True)
        return [_session_copy(session) for session in newest_first]


def _session_copy(session: Session) -> Session:
    return replace(
        session,
        state=json_copy(session.state, "a session's state"),
        metadata=json_copy(session.metadata, "a session's metadata"),
    )


class MemoryMessageStore(MessageStore):
    """Messages in lists."""

    def __init__(self) -> None:
        self._messages: dict[str, list[Message]] = {}

    async def save_message(
        self,
        session_id: str,
        role: Role,
        content: str,
        metadata: dict[str, Any] | None = None,
        *,
        message_id: str | None = None,
        created_at: datetime | None = None,
    ) -> str:
        chosen = message_id or new_id()
        if await self.get_message(session_id, chosen) is None:
            message = Message(
                message_id=chosen,
                session_id=session_id,
                role=role,
                content=content,
                created_at=created_at or now(),
                metadata=json_copy(metadata or {}, "a message's metadata"),
            )
            self._messages.setdefault(session_id, []).append(message)
        return chosen

    async def get_message(self, session_id: str, message_id: str) -> Message | None:
        known = self._messages.get(session_id, [])
        return next((_message_copy(m) for m in known if m.message_id == message_id), None)

    async def get_messages(
        self, session_id: str, limit: int = MESSAGES_PAGE_DEFAULT, offset: int = 0
    ) -> list[Message]:
        first = checked_count(offset, "offset")
        known = self._messages.get(session_id, [])
        return [_message_copy(m) for m in known[first : first + checked_count(limit, "limit")]]

    async def search(self, session_ids: Sequence[str], words: SearchWords) -> dict[str, SearchHit]:
        return group_hits(
            words, (m for name in dict.fromkeys(session_ids) for m in self._messages.get(name, []))
        )

    async def delete_messages(self, session_id: str) -> int:
        return len(self._messages.pop(session_id, []))


def _message_copy(message: Message) -> Message:
    return replace(message, metadata=json_copy(message.metadata, "a message's metadata"))


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
            self._add_record(run_id, record)
            self._runs.setdefault(session_id, set()).add(run_id)
        return [event for event, _ in taken]

    def _add_record(self, run_id: str, record: JournalRecord) -> None:
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


__all__ = ["MemoryEventLog", "MemoryMessageStore", "MemorySessionStore"]
