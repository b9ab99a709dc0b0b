"""Searches sessions for words, in their titles and messages.

It searches the pages of `session_lists.py` one after the other; core matches the texts. A page ends
when it is full or much was searched, and the next continues there.
"""

from collections.abc import Sequence
from dataclasses import replace

from dataagent_core.config.limits.sessions import (
    SEARCH_SESSIONS_AT_ONCE,
    SEARCH_SESSIONS_PER_PAGE_MAX,
)
from dataagent_core.session.search.session_search import match
from dataagent_core.session.search.text_match import SearchWords
from dataagent_core.session.titles import title_of
from dataagent_server.db.database import Database
from dataagent_server.stores.messages import ServerMessageStore
from dataagent_server.stores.session_lists import (
    ListedSession,
    SessionFilter,
    SessionLists,
    SessionPage,
    cursor_of,
    validate_limit,
)


class SessionSearch:
    """Searches one tenant's sessions."""

    def __init__(self, database: Database, tenant_id: str, reader: str | None = None) -> None:
        self._lists = SessionLists(database, tenant_id, reader)
        self._messages = ServerMessageStore(database, tenant_id)

    async def page(
        self, which: SessionFilter, query: str, *, limit: int, cursor: str | None = None
    ) -> SessionPage:
        """Return one page of sessions that contain every word, the last used first."""
        words = SearchWords.of(query)
        validate_limit(limit)
        items: list[ListedSession] = []
        seen = 0
        while True:
            part = await self._lists.page(which, limit=SEARCH_SESSIONS_AT_ONCE, cursor=cursor)
            found = await self._search(part.items, words)
            if len(items) + len(found) >= limit:
                items += found[: limit - len(items)]
                more = part.next_cursor is not None or items[-1].session != part.items[-1].session
                return SessionPage(items=items, next_cursor=cursor_of(items[-1]) if more else None)
            items += found
            seen += len(part.items)
            cursor = part.next_cursor
            if cursor is None or seen >= SEARCH_SESSIONS_PER_PAGE_MAX:
                return SessionPage(items=items, next_cursor=cursor)

    async def _search(
        self, listed: Sequence[ListedSession], words: SearchWords
    ) -> list[ListedSession]:
        hits = await self._messages.search([one.session.session_id for one in listed], words)
        found: list[ListedSession] = []
        for one in listed:
            # A session of the terminal has its title in its metadata.
            title = one.title or title_of(one.session)
            if (matched := match(one.session, title, hits, words)) is not None:
                found.append(replace(one, passage=matched.passage))
        return found
