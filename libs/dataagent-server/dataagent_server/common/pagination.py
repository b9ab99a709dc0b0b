"""Lists in pages, the newest last or first; a page begins after the last row of the one before."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import ColumnElement, Select, and_, or_

from dataagent_core.errors import ValidationError

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
PAGE_ROWS_DEFAULT: Final = 50
PAGE_ROWS_MAX: Final = 500


@dataclass(frozen=True, slots=True)
class ItemPage(Generic[T_co]):
    """Some rows and the cursor of the next page; `next` is None on the last page."""

    items: Sequence[T_co]
    next: str | None


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The page a request asks for."""

    after: str | None = None
    limit: int = PAGE_ROWS_DEFAULT

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= PAGE_ROWS_MAX:
            raise ValidationError(f"limit is {self.limit}; it must be 1 to {PAGE_ROWS_MAX}.")


def apply(
    query: Select[*tuple[Any, ...]],
    page_request: PageRequest,
    created_at: ColumnElement[Any],
    item_id: ColumnElement[Any],
    *,
    newest_first: bool = False,
) -> Select[*tuple[Any, ...]]:
    """Order by time, then by id, after the cursor; one extra row shows whether there is more."""
    if page_request.after is not None:
        moment, last = _read_cursor(page_request.after)
        later, next_id = (
            (created_at < moment, item_id < last)
            if newest_first
            else (created_at > moment, item_id > last)
        )
        query = query.where(or_(later, and_(created_at == moment, next_id)))
    order = (created_at.desc(), item_id.desc()) if newest_first else (created_at, item_id)
    return query.order_by(*order).limit(page_request.limit + 1)


def make_page(
    items: Sequence[T], page_request: PageRequest, position: Callable[[T], tuple[datetime, str]]
) -> ItemPage[T]:
    """Drop the extra row and name the cursor of the next page."""
    if len(items) <= page_request.limit:
        return ItemPage(items, None)
    shown = items[: page_request.limit]
    moment, item_id = position(shown[-1])
    cursor = json.dumps([moment.isoformat(), item_id])
    return ItemPage(shown, base64.urlsafe_b64encode(cursor.encode()).decode().rstrip("="))


def _read_cursor(text: str) -> tuple[datetime, str]:
    try:
        padded = text + "=" * (-len(text) % 4)
        moment, item_id = json.loads(base64.b64decode(padded, b"-_", validate=True))
        parsed = datetime.fromisoformat(moment)
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise _invalid_cursor(text) from None
    if parsed.tzinfo is None or not isinstance(item_id, str) or not item_id.isprintable():
        raise _invalid_cursor(text)
    return parsed, item_id


def _invalid_cursor(text: str) -> ValidationError:
    return ValidationError(
        f"after={text[:80]!r} is not a place in a list. Use `next` of the page before."
    )
