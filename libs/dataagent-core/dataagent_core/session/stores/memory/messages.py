"""Messages in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from dataagent_core.config.limits import MESSAGES_PAGE_DEFAULT
from dataagent_core.ids import new_id
from dataagent_core.session.search.text_match import SearchHit, SearchWords, group_hits
from dataagent_core.session.state import Message, Role, now
from dataagent_core.session.store import MessageStore, checked_count
from dataagent_core.session.stores.encoding import json_copy


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
