"""Lists of sessions with titles and projects, in pages, for very long lists.

Pages go from the last used to the first and continue after a position (a time and an id), so that
page 5,000 costs as much as page 1 and a session used meanwhile is not shown twice.
"""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Row, Select, and_, exists, or_, select, update

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.session.search.text_match import Passage
from dataagent_core.session.state import Session, now
from dataagent_server.db.database import Database
from dataagent_server.db.tables.conversations import TITLE_CHARS_MAX, session_shares, sessions
from dataagent_server.stores.session_planning import PLANNING_COLUMNS, PlanningColumns
from dataagent_server.stores.sessions import SESSION_COLUMNS, session_of, title_columns

PAGE_DEFAULT = 50
PAGE_MAX = 500
# `view`: read a session; `answer`: also answer its requests.
SharePermission = Literal["view", "answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSession(PlanningColumns):
    """A session with the server's columns."""

    session: Session
    project_id: str | None
    title: str | None
    # The chosen model.
    model: str | None = None
    # The passage that a search found.
    passage: Passage | None = None
    # Whether it is shared at all, and the reader's permission by a share.
    shared: bool = False
    permission: SharePermission | None = None
    # The store that has the session's record, if that is not its row (`sessions/records.py`).
    store: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFilter:
    """A filter of sessions: all given conditions apply."""

    user_id: str | None = None
    # Only sessions shared with this user.
    shared_with: str | None = None
    project_id: str | None = None
    assistant_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPage:
    """One page; `next_cursor` is that of the next page, None on the last."""

    items: Sequence[ListedSession]
    next_cursor: str | None


class SessionLists:
    """Lists of one tenant's sessions."""

    def __init__(self, database: Database, tenant_id: str, reader: str | None = None) -> None:
        self._database = database
        self._tenant_id = tenant_id
        self._make_listed = _select_for(reader)

    async def get(self, session_id: str) -> ListedSession | None:
        """Return one session with its title and project."""
        found = self._make_listed.where(
            sessions.c.tenant_id == self._tenant_id, sessions.c.session_id == session_id
        )
        row = await self._database.read(lambda c: c.execute(found).one_or_none())
        return None if row is None else _make_listed(row)

    async def page(
        self, which: SessionFilter, *, limit: int = PAGE_DEFAULT, cursor: str | None = None
    ) -> SessionPage:
        """Return one page, the last used first."""
        validate_limit(limit)
        conditions = [sessions.c.tenant_id == self._tenant_id, *_make_conditions(which)]
        if cursor is not None:
            conditions.append(_make_after(cursor))
        statement = (
            self._make_listed.where(*conditions)
            .order_by(sessions.c.last_active.desc(), sessions.c.session_id.desc())
            .limit(limit + 1)
        )
        rows = await self._database.read(lambda c: c.execute(statement).all())
        items = [_make_listed(row) for row in rows[:limit]]
        more = len(rows) > limit
        return SessionPage(items=items, next_cursor=cursor_of(items[-1]) if more else None)

    async def rename(self, session_id: str, title: str | None) -> None:
        """Set or remove a session's title."""
        if title is not None and not 1 <= len(title) <= TITLE_CHARS_MAX:
            raise ValidationError(f"a title has 1 to {TITLE_CHARS_MAX} characters.")
        await self._change(session_id, title_columns(title))

    async def move(self, session_id: str, project_id: str | None) -> None:
        """Move a session into a project, or into none."""
        await self._change(session_id, {"project_id": project_id})

    async def touch(self, session_id: str) -> None:
        """Note that a session was used now."""
        await self._change(session_id, {"last_active": now()})

    async def _change(self, session_id: str, values: dict[str, Any]) -> None:
        one = (sessions.c.tenant_id == self._tenant_id, sessions.c.session_id == session_id)
        change = update(sessions).where(*one).values(values)
        if not await self._database.write(lambda c: c.execute(change).rowcount):
            raise NotFoundError(f"there is no session {session_id!r}.")


def _select_for(reader: str | None) -> Select[*tuple[Any, ...]]:
    shares = session_shares.c
    here = and_(
        shares.tenant_id == sessions.c.tenant_id, shares.session_id == sessions.c.session_id
    )
    theirs = select(shares.permission).where(here, shares.user_id == reader).scalar_subquery()
    return select(
        *SESSION_COLUMNS,
        sessions.c.project_id,
        sessions.c.title,
        sessions.c.model,
        sessions.c.store,
        *(sessions.c[name] for name in PLANNING_COLUMNS),
        exists().where(here).label("shared"),
        theirs.label("permission"),
    )


def _make_listed(row: Row[Any]) -> ListedSession:
    return ListedSession(
        session=session_of(row),
        project_id=row.project_id,
        title=row.title,
        model=row.model,
        shared=bool(row.shared),
        permission=row.permission,
        store=row.store,
        **{name: getattr(row, name) for name in PLANNING_COLUMNS},
    )


def _make_conditions(which: SessionFilter) -> list[ColumnElement[bool]]:
    named = {
        sessions.c.user_id: which.user_id,
        sessions.c.project_id: which.project_id,
        sessions.c.assistant_id: which.assistant_id,
    }
    conditions = [column == value for column, value in named.items() if value is not None]
    if which.shared_with is not None:
        shares = session_shares.c
        theirs = select(shares.session_id).where(
            shares.tenant_id == sessions.c.tenant_id, shares.user_id == which.shared_with
        )
        conditions.append(sessions.c.session_id.in_(theirs))
    return conditions


def _make_after(cursor: str) -> ColumnElement[bool]:
    last_active, session_id = _parse_cursor(cursor)
    return and_(
        # Redundant, but an index can begin here.
        sessions.c.last_active <= last_active,
        or_(sessions.c.last_active < last_active, sessions.c.session_id < session_id),
    )


def validate_limit(limit: int) -> None:
    """Refuse an invalid page size."""
    if not 1 <= limit <= PAGE_MAX:
        raise ValidationError(f"limit is {limit}; it must be between 1 and {PAGE_MAX}.")


def cursor_of(item: ListedSession) -> str:
    """Return the cursor after a session."""
    position = [item.session.last_active.isoformat(), item.session.session_id]
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode()


def _parse_cursor(cursor: str) -> tuple[datetime, str]:
    wrong = ValidationError("this cursor is none that a list gave out.")
    try:
        moment, session_id = json.loads(base64.b64decode(cursor.encode(), b"-_", validate=True))
        last_active = datetime.fromisoformat(moment)
    except (binascii.Error, ValueError, TypeError) as error:
        raise wrong from error
    if last_active.tzinfo is None or not isinstance(session_id, str):
        raise wrong
    return last_active, session_id
