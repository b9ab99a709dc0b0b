"""Finds a user's sessions by words, the last used first, a page at a time.

It works with every store: the session store lists the sessions, the message store searches their
messages. `text_match.py` compares texts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dataagent_core.config.limits.sessions import (
    SEARCH_PAGE_DEFAULT,
    SEARCH_PAGE_MAX,
    SEARCH_SESSIONS_AT_ONCE,
    SEARCH_SESSIONS_PER_PAGE_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.session.search.text_match import Passage, SearchHit, SearchWords
from dataagent_core.session.state import Session
from dataagent_core.session.store import MessageStore, SessionStore
from dataagent_core.session.titles import title_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMatch:
    """A session that holds every word; without a passage, all of them are in its title."""

    session: Session
    title: str | None
    passage: Passage | None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        passage = self.passage
        return {
            "session_id": self.session.session_id,
            "title": self.title,
            "last_active": self.session.last_active.isoformat(),
            "message_id": passage.message_id if passage else None,
            "role": passage.role if passage else None,
            "snippet": passage.snippet if passage else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMatchPage:
    """One page; `next` asks for the one after it, and is None on the last."""

    items: list[SessionMatch]
    next: str | None


async def search_sessions(
    sessions: SessionStore,
    messages: MessageStore,
    user_id: str,
    query: str,
    *,
    limit: int = SEARCH_PAGE_DEFAULT,
    after: str | None = None,
) -> SessionMatchPage:
    """Find the sessions of a user that hold every word of the query.

    A page may be shorter than its limit, even empty, and still have a next one, because the number
    of sessions searched per page is limited.
    """
    words = SearchWords.of(query)
    if not 1 <= limit <= SEARCH_PAGE_MAX:
        raise ValidationError(f"limit is {limit}; it must be between 1 and {SEARCH_PAGE_MAX}.")
    candidates = _skip_earlier(await sessions.list_by_user(user_id), after)
    items: list[SessionMatch] = []
    last: Session | None = None
    seen = 0
    for batch in _batches(candidates[:SEARCH_SESSIONS_PER_PAGE_MAX]):
        hits = await messages.search([session.session_id for session in batch], words)
        for session in batch:
            seen, last = seen + 1, session
            if (found := match(session, title_of(session), hits, words)) is not None:
                items.append(found)
            if len(items) == limit:
                break
        if len(items) == limit:
            break
    position = None
    if last is not None and seen < len(candidates):
        position = f"{last.last_active.isoformat()} {last.session_id}"
    return SessionMatchPage(items=items, next=position)


def match(
    session: Session, title: str | None, hits: dict[str, SearchHit], words: SearchWords
) -> SessionMatch | None:
    """Return the match of a session that holds every word, else None."""
    hit = hits.get(session.session_id, SearchHit())
    in_title = words.within(title) if title else frozenset[str]()
    if in_title | hit.words != frozenset(words.folded):
        return None
    return SessionMatch(session=session, title=title, passage=hit.passage)


def _batches(sessions: Sequence[Session]) -> list[Sequence[Session]]:
    step = SEARCH_SESSIONS_AT_ONCE
    return [sessions[at : at + step] for at in range(0, len(sessions), step)]


def _skip_earlier(sessions: Sequence[Session], after: str | None) -> Sequence[Session]:
    """Skip the sessions of earlier pages, also if some were used or deleted since."""
    if after is None:
        return sessions
    last_active_text, _, session_id = after.partition(" ")
    try:
        last_active = datetime.fromisoformat(last_active_text)
    except ValueError as error:
        raise _bad_position_error(after) from error
    if last_active.tzinfo is None or not session_id:
        raise _bad_position_error(after)
    return [
        session
        for session in sessions
        if session.last_active < last_active
        or (session.last_active == last_active and session.session_id > session_id)
    ]


def _bad_position_error(after: str) -> ValidationError:
    return ValidationError(f"{after[:80]!r} is no place that a search gave out; leave it out.")
