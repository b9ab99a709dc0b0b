"""The page of a list that a request asks for."""

from typing import Annotated, TypeVar

from fastapi import Depends, Query

from dataagent_server.api.models.base import ResponseModel
from dataagent_server.api.models.common import Page
from dataagent_server.common.pagination import (
    PAGE_ROWS_DEFAULT,
    PAGE_ROWS_MAX,
    ItemPage,
    PageRequest,
)

S = TypeVar("S", bound=ResponseModel)


# The server makes up cursors; these are their characters.
Cursor = Annotated[
    str | None,
    Query(pattern=r"^[A-Za-z0-9_-]{1,500}={0,2}$", description="`next` of the page before"),
]


def read_page_request(
    after: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=PAGE_ROWS_MAX)] = PAGE_ROWS_DEFAULT,
) -> PageRequest:
    """Read the page request from the query."""
    return PageRequest(after, limit)


Paging = Annotated[PageRequest, Depends(read_page_request)]


def page_of(kind: type[S], found: ItemPage[object]) -> Page[S]:
    """Return a page of a service's values."""
    return Page[kind](items=[kind.model_validate(one) for one in found.items], next=found.next)
