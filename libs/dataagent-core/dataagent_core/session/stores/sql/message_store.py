"""Messages in an SQL database."""

import asyncio
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from dataagent_core.config.limits import MESSAGES_PAGE_DEFAULT
from dataagent_core.ids import new_id
from dataagent_core.session.search.text_match import GroupedHits, SearchHit, SearchWords
from dataagent_core.session.state import Message, Role, now
from dataagent_core.session.store import MessageStore, checked_count
from dataagent_core.session.stores.encoding import json_copy
from dataagent_core.session.stores.sql.connection import SqlConnection, SqlDatabase
from dataagent_core.session.stores.sql.dialect import (
    decode_text,
    encode_text,
    insert_ignore,
    placeholders,
    read_moment,
)

_COLUMNS: Final = ("message_id", "session_id", "role", "content", "created_at", "metadata")
# Messages that a search holds in memory at a time.
_SEARCHED_AT_ONCE: Final = 500


class SqlMessageStore(MessageStore):
    """The messages of one tenant's sessions."""

    def __init__(self, database: SqlDatabase, tenant_id: str) -> None:
        self._database = database
        self._tenant_id = tenant_id

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
        await self._database.write(self._make_insert(message))
        return message.message_id

    def _make_insert(self, message: Message) -> Callable[[SqlConnection], None]:
        # The server's store also checks the lease of the run, in the same transaction.
        return lambda connection: insert_message(connection, self._tenant_id, message)

    async def get_message(self, session_id: str, message_id: str) -> Message | None:
        found = await self._select("AND message_id = ?", (session_id, message_id))
        return found[0] if found else None

    async def get_messages(
        self, session_id: str, limit: int = MESSAGES_PAGE_DEFAULT, offset: int = 0
    ) -> list[Message]:
        page = (checked_count(limit, "limit"), checked_count(offset, "offset"))
        return await self._select("ORDER BY position LIMIT ? OFFSET ?", (session_id, *page))

    async def search(self, session_ids: Sequence[str], words: SearchWords) -> dict[str, SearchHit]:
        # In Python: the databases do not agree on what folding is, and texts are kept as bytes.
        grouped = GroupedHits(words)
        if not session_ids:
            return grouped.hits
        statement = (
            "SELECT position, session_id, message_id, role, content FROM messages "
            f"WHERE tenant_id = ? AND session_id IN ({placeholders(len(session_ids))}) "
            "AND position > ? ORDER BY position LIMIT ?"
        )
        last = 0
        while True:
            values = (self._tenant_id, *session_ids, last, _SEARCHED_AT_ONCE)
            rows = await self._database.read(
                lambda c, values=values: c.execute(statement, values).fetchall()
            )
            await asyncio.to_thread(_see_all, grouped, rows)
            if len(rows) < _SEARCHED_AT_ONCE:
                return grouped.hits
            last = rows[-1][0]

    async def delete_messages(self, session_id: str) -> int:
        def remove(connection: SqlConnection) -> int:
            return connection.execute(
                "DELETE FROM messages WHERE tenant_id = ? AND session_id = ?",
                (self._tenant_id, session_id),
            ).rowcount

        return await self._database.write(remove)

    async def _select(self, rest: str, values: Sequence[object]) -> list[Message]:
        rows = await self._database.read(
            lambda connection: connection.execute(
                f"SELECT {', '.join(_COLUMNS)} FROM messages "
                f"WHERE tenant_id = ? AND session_id = ? {rest}",
                (self._tenant_id, *values),
            ).fetchall()
        )
        return [_message(row) for row in rows]


def insert_message(connection: SqlConnection, tenant_id: str, message: Message) -> None:
    """Write a message, inside a transaction that may do more; a known id changes nothing."""
    connection.execute(
        insert_ignore(connection.dialect.name, "messages", ("tenant_id", *_COLUMNS)),
        (
            tenant_id,
            message.message_id,
            message.session_id,
            message.role,
            encode_text(message.content),
            connection.dialect.moment(message.created_at),
            json.dumps(message.metadata),
        ),
    )


def _see_all(grouped: GroupedHits, rows: Sequence[Sequence[Any]]) -> None:
    for _, session_id, message_id, role, content in rows:
        grouped.see(session_id, message_id, role, decode_text(content))


def _message(row: Sequence[Any]) -> Message:
    return Message(
        message_id=row[0],
        session_id=row[1],
        role=row[2],
        content=decode_text(row[3]),
        created_at=read_moment(row[4]),
        metadata=json.loads(row[5]),
    )
