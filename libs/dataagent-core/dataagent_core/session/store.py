"""`SessionStore` and `MessageStore`: the ports to stored sessions and messages (S0).

A store is opened for one tenant and sees nothing of another. The adapters are in `stores/`; each
passes the suites in `dataagent_core.testing.conformance`. `all_messages` and `newest_messages` read
page by page.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from dataagent_core.config.limits import MESSAGES_PAGE_DEFAULT
from dataagent_core.errors import ValidationError
from dataagent_core.session.search.text_match import SearchHit, SearchWords
from dataagent_core.session.state import Message, Role, Session

_INTEGER_MAX = 2**63 - 1


def checked_count(value: int, name: str) -> int:
    """Return a limit or an offset; raise if it is invalid."""
    if not 0 <= value <= _INTEGER_MAX:
        raise ValidationError(f"{name} is {value}; it must be 0 or more.")
    return value


class SessionStore(ABC):
    """Stores sessions."""

    @abstractmethod
    async def create(
        self, user_id: str, assistant_id: str, *, session_id: str | None = None
    ) -> Session:
        """Make a session; a chosen id that is taken is a `ConflictError`."""

    @abstractmethod
    async def get(self, session_id: str) -> Session | None: ...

    @abstractmethod
    async def update(self, session: Session) -> None:
        """Replace a session; one that does not exist is a `NotFoundError`.

        State or metadata that JSON cannot hold is a `ValidationError`.
        """

    @abstractmethod
    async def delete(self, session_id: str) -> None:
        """Remove a session, if it exists."""

    @abstractmethod
    async def list_by_user(self, user_id: str) -> list[Session]:
        """List a user's sessions, the last used first."""

    @abstractmethod
    async def list_by_assistant(self, assistant_id: str) -> list[Session]:
        """List an assistant's sessions, the last used first."""

    @abstractmethod
    async def list_expired(self, timeout_s: float) -> list[Session]:
        """List the sessions not used for this long."""

    async def cleanup_expired(self, timeout_s: float) -> int:
        """Remove the sessions not used for this long; return how many."""
        expired = await self.list_expired(timeout_s)
        for session in expired:
            await self.delete(session.session_id)
        return len(expired)


class MessageStore(ABC):
    """Stores the messages of sessions in order."""

    @abstractmethod
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
        """Save a message and return its id; saving a known id again changes nothing.

        It was said now, unless `created_at` says when: a copy keeps its moment.
        Metadata that JSON cannot hold is a `ValidationError`.
        """

    @abstractmethod
    async def get_message(self, session_id: str, message_id: str) -> Message | None: ...

    @abstractmethod
    async def get_messages(
        self, session_id: str, limit: int = MESSAGES_PAGE_DEFAULT, offset: int = 0
    ) -> list[Message]:
        """Return messages in the order they were saved.

        A negative `limit` or `offset` is a `ValidationError`.
        """

    @abstractmethod
    async def search(self, session_ids: Sequence[str], words: SearchWords) -> dict[str, SearchHit]:
        """Find which of the words the messages of these sessions hold, and where.

        Sessions that hold none of them are left out. Whose sessions they are is for the caller
        to know (`session/search/session_search.py`).
        """

    @abstractmethod
    async def delete_messages(self, session_id: str) -> int:
        """Remove a session's messages; return how many there were."""


async def all_messages(store: MessageStore, session_id: str) -> list[Message]:
    """Read all messages in order."""
    messages: list[Message] = []
    while True:
        page = await store.get_messages(session_id, offset=len(messages))
        messages.extend(page)
        if len(page) < MESSAGES_PAGE_DEFAULT:
            return messages


async def newest_messages(store: MessageStore, session_id: str, count: int) -> list[Message]:
    """Read the newest messages, in order.

    Stores count from the oldest one: of a long session the end is found first, by halving.
    """
    page = await store.get_messages(session_id, limit=count)
    if len(page) < count:
        return page
    there, beyond = count - 1, 2 * count
    while await store.get_messages(session_id, limit=1, offset=beyond):
        there, beyond = beyond, 2 * beyond
    while beyond - there > 1:
        middle = (there + beyond) // 2
        if await store.get_messages(session_id, limit=1, offset=middle):
            there = middle
        else:
            beyond = middle
    return await store.get_messages(session_id, limit=count, offset=beyond - count)
