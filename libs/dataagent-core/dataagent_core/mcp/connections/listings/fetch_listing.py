"""Asks a server for all its tools, resources or prompts, within limits."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from mcp_types import (
    METHOD_NOT_FOUND,
    PaginatedRequestParams,
    Prompt,
    Resource,
    ResourceTemplate,
    Tool,
)
from pydantic import BaseModel

from dataagent_core.config.limits.mcp import (
    MCP_LISTING_BYTES_MAX,
    MCP_LISTING_PAGES_MAX,
    MCP_LISTING_PROMPTS_MAX,
    MCP_LISTING_RESOURCES_MAX,
    MCP_LISTING_TOOLS_MAX,
)

ItemT = TypeVar("ItemT", bound=BaseModel)
# A page, and the cursor of the next one.
Page = tuple[Sequence[ItemT], str | None]
FetchPage = Callable[[PaginatedRequestParams], Awaitable[Page[ItemT]]]


@dataclass(frozen=True, slots=True)
class FetchedListing(Generic[ItemT]):
    """The entries, and what of them was left out."""

    items: tuple[ItemT, ...]
    size_bytes: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class _ListingKind(Generic[ItemT]):
    nouns: str
    # The first of an identity counts: a request could only ever reach one.
    identity: Callable[[ItemT], str]
    count_max: int


_TOOLS: _ListingKind[Tool] = _ListingKind("tools", lambda tool: tool.name, MCP_LISTING_TOOLS_MAX)
_RESOURCES: _ListingKind[Resource] = _ListingKind(
    "resources", lambda one: one.uri, MCP_LISTING_RESOURCES_MAX
)
_TEMPLATES: _ListingKind[ResourceTemplate] = _ListingKind(
    "resource templates", lambda one: one.uri_template, MCP_LISTING_RESOURCES_MAX
)
_PROMPTS: _ListingKind[Prompt] = _ListingKind(
    "prompts", lambda prompt: prompt.name, MCP_LISTING_PROMPTS_MAX
)


async def fetch_tools(session: ClientSession) -> FetchedListing[Tool]:
    """List the tools."""

    async def page(params: PaginatedRequestParams) -> Page[Tool]:
        result = await session.list_tools(params=params)
        return result.tools, result.next_cursor

    return await _fetch(_TOOLS, page)


async def fetch_resources(session: ClientSession) -> FetchedListing[Resource]:
    """List the resources."""

    async def page(params: PaginatedRequestParams) -> Page[Resource]:
        result = await session.list_resources(params=params)
        return result.resources, result.next_cursor

    return await _fetch(_RESOURCES, page)


async def fetch_templates(session: ClientSession) -> FetchedListing[ResourceTemplate]:
    """List the templates of resources."""

    async def page(params: PaginatedRequestParams) -> Page[ResourceTemplate]:
        result = await session.list_resource_templates(params=params)
        return result.resource_templates, result.next_cursor

    return await _fetch(_TEMPLATES, page)


async def fetch_prompts(session: ClientSession) -> FetchedListing[Prompt]:
    """List the prompts."""

    async def page(params: PaginatedRequestParams) -> Page[Prompt]:
        result = await session.list_prompts(params=params)
        return result.prompts, result.next_cursor

    return await _fetch(_PROMPTS, page)


async def _fetch(kind: _ListingKind[ItemT], fetch_page: FetchPage[ItemT]) -> FetchedListing[ItemT]:
    """Follow the pages as far as the limits go."""
    gathered = _CollectedEntries(kind)
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(MCP_LISTING_PAGES_MAX):
        try:
            items, following = await fetch_page(PaginatedRequestParams(cursor=cursor))
        except MCPError as error:
            if error.code == METHOD_NOT_FOUND and cursor is None:
                return FetchedListing(())  # a server of the other kinds alone
            raise
        cursor = following
        if (note := gathered.add(items)) or cursor is None:
            return gathered.fetched(note)
        if cursor in seen:
            return gathered.fetched(
                f"Its listing of {kind.nouns} goes in a circle; the rest is left out."
            )
        seen.add(cursor)
    return gathered.fetched(
        f"It lists {kind.nouns} on more than {MCP_LISTING_PAGES_MAX} pages; the rest is left out."
    )


class _CollectedEntries(Generic[ItemT]):
    def __init__(self, kind: _ListingKind[ItemT]) -> None:
        self._kind = kind
        self._items: dict[str, ItemT] = {}
        self._size_bytes = 0

    def add(self, items: Iterable[ItemT]) -> str:
        """Take them in; answers with a sentence when a limit is reached."""
        kind = self._kind
        for item in items:
            identity = kind.identity(item)
            if identity in self._items:
                continue
            size = len(item.model_dump_json())
            if len(self._items) == kind.count_max:
                return f"It lists more than {kind.count_max:,} {kind.nouns}; the rest is left out."
            if self._size_bytes + size > MCP_LISTING_BYTES_MAX:
                return (
                    f"Its {kind.nouns} take more than {MCP_LISTING_BYTES_MAX // 1024**2} MB to"
                    " describe; the rest is left out."
                )
            self._size_bytes += size
            self._items[identity] = item
        return ""

    def fetched(self, note: str) -> FetchedListing[ItemT]:
        return FetchedListing(tuple(self._items.values()), self._size_bytes, note)
