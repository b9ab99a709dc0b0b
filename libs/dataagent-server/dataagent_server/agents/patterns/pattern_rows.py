"""Lists of patterns, and the runs one was learned from. Single patterns are core's statements."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, and_, select, type_coerce

from dataagent_core.errors import NotFoundError
from dataagent_core.patterns import InteractionPattern
from dataagent_core.patterns.sql.pattern_rows import COLUMNS, read_row
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import ItemPage, PageRequest, apply, make_page
from dataagent_server.db.tables.conversations import session_shares as shares
from dataagent_server.db.tables.patterns import interaction_patterns as table
from dataagent_server.db.tables.runs import agent_executions as runs
from dataagent_server.db.types import Json, LongText

# Core reads JSON itself.
_SELECTED: Final = [
    type_coerce(table.c[name], LongText).label(name)
    if isinstance(table.c[name].type, Json)
    else table.c[name]
    for name in COLUMNS
]
# Rows that one page reads at most, where few of them are shown.
SCANNED_MAX: Final = 2_000
_SCANNED_AT_ONCE: Final = 100
# Ids in one statement.
_IDS_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOfPattern:
    """What is shown of a run beside a pattern."""

    user_id: str
    session_id: str
    pattern_id: str | None
    # Whether its session is shared with the reader.
    is_shared: bool


def list_page(
    connection: Connection,
    tenant_id: TenantId,
    user_id: str | None,
    page_request: PageRequest,
    is_shown: Callable[[InteractionPattern], bool],
) -> ItemPage[InteractionPattern]:
    """List the patterns to show, the last changed first.

    Who may see a pattern and in which state it is are computed, so rows are read until the page is
    full or `SCANNED_MAX` are read: a page may be short, and has a next one nevertheless.
    """
    query = select(*_SELECTED).where(table.c.tenant_id == tenant_id)
    if user_id is not None:
        query = query.where(table.c.user_id == user_id)
    shown: list[InteractionPattern] = []
    after = page_request.after
    for _ in range(SCANNED_MAX // _SCANNED_AT_ONCE):
        request = PageRequest(after, _SCANNED_AT_ONCE)
        ordered = apply(query, request, table.c.updated_at, table.c.id, newest_first=True)
        rows = [read_row(row) for row in connection.execute(ordered)]
        page = make_page(rows, request, _position)
        shown += filter(is_shown, page.items)
        after = page.next
        if after is None or len(shown) > page_request.limit:
            break
    found = make_page(shown, page_request, _position)
    return found if found.next is not None else replace(found, next=after)


def _position(pattern: InteractionPattern) -> tuple[datetime, str]:
    return pattern.updated_at, pattern.id


def hold(connection: Connection, tenant_id: TenantId, pattern_id: str) -> None:
    """Keep a pattern from being deleted until the transaction ends."""
    mine = (table.c.tenant_id == tenant_id, table.c.id == pattern_id)
    if connection.execute(select(table.c.id).where(*mine).with_for_update()).first() is None:
        raise not_found(pattern_id)


def not_found(pattern_id: str) -> NotFoundError:
    """Say that there is no such pattern, or none for whoever asks."""
    return NotFoundError(f"There is no pattern {pattern_id[:80]!r}.")


def find_runs(
    connection: Connection, tenant_id: TenantId, reader_id: str, run_ids: Iterable[str]
) -> dict[str, RunOfPattern]:
    """Find those of some runs that are still there."""
    with_reader = and_(
        shares.c.tenant_id == runs.c.tenant_id,
        shares.c.session_id == runs.c.session_id,
        shares.c.user_id == reader_id,
    )
    query = (
        select(
            runs.c.run_id,
            runs.c.user_id,
            runs.c.session_id,
            runs.c.workflow_pattern_id,
            shares.c.permission,
        )
        .outerjoin(shares, with_reader)
        .where(runs.c.tenant_id == tenant_id)
    )
    ids = sorted(set(run_ids))
    return {
        row.run_id: RunOfPattern(
            user_id=row.user_id,
            session_id=row.session_id,
            pattern_id=row.workflow_pattern_id,
            is_shared=row.permission is not None,
        )
        for first in range(0, len(ids), _IDS_AT_ONCE)
        for row in connection.execute(
            query.where(runs.c.run_id.in_(ids[first : first + _IDS_AT_ONCE]))
        )
    }
