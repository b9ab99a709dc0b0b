"""Messages in SQLite."""

import json
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from dataagent_core.config.limits import MESSAGES_PAGE_DEFAULT
from dataagent_core.ids import new_id
from dataagent_core.session.searching import Gathered, Hit, Words
from dataagent_core.session.state import Message, Role, now
from dataagent_core.session.store import MessageStore
from dataagent_core.session.stores.encoding import json_text
from dataagent_core.session.stores.paging import checked_count
from dataagent_core.session.stores.sqlite.database import SqliteDatabase

_COLUMNS = "message_id, session_id, role, content, created_at, metadata"


class SqliteMessageStore(MessageStore):
    """The messages of one tenant's sessions."""

    def __init__(self, database: SqliteDatabase, tenant_id: str) -> None:
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
        chosen = message_id or new_id()
        # Text from a person or a model may hold lone surrogates, which TEXT cannot store.
        encoded = content.encode("utf-8", "surrogatepass")
        kept = json_text(metadata or {}, "a message's metadata")
        moment = (created_at or now()).astimezone(UTC).isoformat()
        row = (chosen, session_id, role, encoded, moment, kept)
        await self._database.write(
            lambda connection: connection.execute(
                f"INSERT INTO messages (tenant_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (tenant_id, session_id, message_id) DO NOTHING",
                (self._tenant_id, *row),
            )
        )
        return chosen

    async def get_message(self, session_id: str, message_id: str) -> Message | None:
        found = await self._select("AND message_id = ?", (session_id, message_id))
        return found[0] if found else None

    async def get_messages(
        self, session_id: str, limit: int = MESSAGES_PAGE_DEFAULT, offset: int = 0
    ) -> list[Message]:
        page = (checked_count(limit, "limit"), checked_count(offset, "offset"))
        return await self._select("ORDER BY position LIMIT ? OFFSET ?", (session_id, *page))

    async def search(self, session_ids: Sequence[str], words: Words) -> dict[str, Hit]:
        def look(connection: sqlite3.Connection) -> dict[str, Hit]:
            # In Python: SQLite folds the case of ASCII only, and the texts are kept as bytes.
            looking = Gathered(words)
            rows = connection.execute(
                "SELECT session_id, message_id, role, content FROM messages WHERE tenant_id = ? "
                f"AND session_id IN ({', '.join('?' * len(session_ids))}) ORDER BY position",
                (self._tenant_id, *session_ids),
            )
            for session_id, message_id, role, content in rows:
                looking.see(session_id, message_id, role, content.decode("utf-8", "surrogatepass"))
            return looking.hits

        return await self._database.read(look)

    async def delete_messages(self, session_id: str) -> int:
        def remove(connection: sqlite3.Connection) -> int:
            return connection.execute(
                "DELETE FROM messages WHERE tenant_id = ? AND session_id = ?",
                (self._tenant_id, session_id),
            ).rowcount

        return await self._database.write(remove)

    async def _select(self, rest: str, values: Sequence[object]) -> list[Message]:
        rows = await self._database.read(
            lambda connection: connection.execute(
                f"SELECT {_COLUMNS} FROM messages WHERE tenant_id = ? AND session_id = ? {rest}",
                (self._tenant_id, *values),
            ).fetchall()
        )
        return [_message(row) for row in rows]


def _message(row: Sequence[Any]) -> Message:
    return Message(
        message_id=row[0],
        session_id=row[1],
        role=row[2],
        content=row[3].decode("utf-8", "surrogatepass"),
        created_at=datetime.fromisoformat(row[4]),
        metadata=json.loads(row[5]),
    )
