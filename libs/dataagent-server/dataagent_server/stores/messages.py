"""Messages of one tenant."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select
from sqlalchemy.sql import Select

from dataagent_core.config.limits import MESSAGES_PAGE_DEFAULT
from dataagent_core.ids import new_id
from dataagent_core.session.searching import Gathered, Hit, Words
from dataagent_core.session.state import Message, Role, now
from dataagent_core.session.store import MessageStore
from dataagent_core.session.stores.encoding import json_copy
from dataagent_core.session.stores.paging import checked_count
from dataagent_server.db.database import Database
from dataagent_server.db.tables.conversations import messages
from dataagent_server.db.upsert import insert_ignore
from dataagent_server.stores.fences import Fences, NoFences, hold_run

_COLUMNS = [
    messages.c[name]
    for name in ("message_id", "session_id", "role", "content", "created_at", "metadata")
]

# Messages that a search holds in memory at a time.
_SEARCHED_AT_ONCE = 500


class SqlMessageStore(MessageStore):
    """The messages of one tenant's sessions."""

    def __init__(self, database: Database, tenant_id: str, fences: Fences | None = None) -> None:
        self._database = database
        self._tenant_id = tenant_id
        self._fences = fences or NoFences()

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
        message = Message(
            message_id=message_id or new_id(),
            session_id=session_id,
            role=role,
            content=content,
            created_at=created_at or now(),
            metadata=json_copy(metadata or {}, "a message's metadata"),
        )
        # The engine names a run's messages after it; whoever lost the run speaks for it no more.
        run_id, named, _ = message.message_id.partition(":")
        fence = self._fences.fence_of(run_id) if named else None

        def work(connection: Connection) -> None:
            hold_run(connection, run_id, fence)
            insert_message(connection, self._tenant_id, message)

        await self._database.write(work)
        return message.message_id

    async def get_message(self, session_id: str, message_id: str) -> Message | None:
        found = self._of(session_id).where(messages.c.message_id == message_id)
        row = await self._database.read(lambda c: c.execute(found).one_or_none())
        return None if row is None else _message(row)

    async def get_messages(
        self, session_id: str, limit: int = MESSAGES_PAGE_DEFAULT, offset: int = 0
    ) -> list[Message]:
        page = (
            self._of(session_id)
            .order_by(messages.c.position)
            .limit(checked_count(limit, "limit"))
            .offset(checked_count(offset, "offset"))
        )
        rows = await self._database.read(lambda c: c.execute(page).all())
        return [_message(row) for row in rows]

    async def search(self, session_ids: Sequence[str], words: Words) -> dict[str, Hit]:
        # In Python: the databases do not agree on what folding is, and texts are kept as bytes.
        looking = Gathered(words)
        names = ("position", "session_id", "message_id", "role", "content")
        wanted = (
            select(*(messages.c[name] for name in names))
            .where(messages.c.tenant_id == self._tenant_id)
            .where(messages.c.session_id.in_(session_ids))
            .order_by(messages.c.position)
            .limit(_SEARCHED_AT_ONCE)
        )
        last = 0
        while True:
            page = wanted.where(messages.c.position > last)
            rows = await self._database.read(lambda c, page=page: c.execute(page).all())
            await asyncio.to_thread(_see_all, looking, rows)
            if len(rows) < _SEARCHED_AT_ONCE:
                return looking.hits
            last = rows[-1].position

    async def delete_messages(self, session_id: str) -> int:
        return await self._database.write(lambda c: delete_all(c, self._tenant_id, session_id))

    def _of(self, session_id: str) -> Select[*tuple[Any, ...]]:
        return select(*_COLUMNS).where(
            messages.c.tenant_id == self._tenant_id, messages.c.session_id == session_id
        )


def _see_all(looking: Gathered, rows: Sequence[Row[Any]]) -> None:
    for row in rows:
        looking.see(row.session_id, row.message_id, row.role, row.content)


def insert_message(connection: Connection, tenant_id: str, message: Message) -> None:
    """Write a message, inside a transaction that may do more; a known id changes nothing."""
    insert_ignore(
        connection,
        messages,
        {
            "tenant_id": tenant_id,
            "session_id": message.session_id,
            "message_id": message.message_id,
            "role": message.role,
            "content": message.content,
            "created_at": message.created_at,
            "metadata": message.metadata,
        },
    )


def delete_all(connection: Connection, tenant_id: str, session_id: str) -> int:
    """Remove a session's messages, and say how many there were."""
    return connection.execute(
        delete(messages).where(
            messages.c.tenant_id == tenant_id, messages.c.session_id == session_id
        )
    ).rowcount


def _message(row: Row[Any]) -> Message:
    return Message(
        message_id=row.message_id,
        session_id=row.session_id,
        role=row.role,
        content=row.content,
        created_at=row.created_at,
        metadata=row.metadata,
    )
