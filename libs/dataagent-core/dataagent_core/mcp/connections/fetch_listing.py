"""Lists all tools, resources or prompts of a server, within limits.

The SDK refuses a whole page of `tools/list` for one malformed tool. So `ListingPages` removes
malformed entries from a page before the SDK sees it, and keeps their names for a note. The same is
true of resources, their templates and prompts.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeVar, cast

from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import find_invalid_x_mcp_header
from mcp_types import (
    METHOD_NOT_FOUND,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    Resource,
    ResourceTemplate,
    Tool,
)
from mcp_types.methods import validate_server_result
from mcp_types.version import LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from dataagent_core.config.limits.mcp import (
    MCP_LISTING_BYTES_MAX,
    MCP_LISTING_PAGES_MAX,
    MCP_LISTING_PROMPTS_MAX,
    MCP_LISTING_RESOURCES_MAX,
    MCP_LISTING_TOOLS_MAX,
    MCP_WARNINGS_PER_SERVER_MAX,
)
from dataagent_core.mcp.connections.reasons import shorten_reason

# What a page calls its entries.
ListingKey = Literal["tools", "resources", "resourceTemplates", "prompts"]
_NAME_CHARS_MAX = 100
_WHY_CHARS_MAX = 200


@dataclass(frozen=True, slots=True)
class _EntryKind:
    method: str
    model: type[BaseModel]
    noun: str


_KINDS: Final[Mapping[ListingKey, _EntryKind]] = {
    "tools": _EntryKind("tools/list", ListToolsResult, "tool"),
    "resources": _EntryKind("resources/list", ListResourcesResult, "resource"),
    "resourceTemplates": _EntryKind(
        "resources/templates/list", ListResourceTemplatesResult, "resource template"
    ),
    "prompts": _EntryKind("prompts/list", ListPromptsResult, "prompt"),
}


class ListingPages:
    """The pages of the listings of one session; `version` is the protocol it speaks."""

    def __init__(self) -> None:
        self.version: str = LATEST_HANDSHAKE_VERSION
        self._left_out: dict[ListingKey, list[str]] = {}

    def begin(self, key: ListingKey = "tools") -> None:
        """Forget what was left out of the previous listing."""
        self._left_out.pop(key, None)

    def remove_malformed(self, result: dict[str, Any]) -> None:
        """Remove the malformed entries of a result, if it is a page of a listing."""
        for key, kind in _KINDS.items():
            if isinstance(result.get(key), list):
                self._remove_from(result, key, kind)

    def _remove_from(self, result: dict[str, Any], key: ListingKey, kind: _EntryKind) -> None:
        entries = cast("list[object]", result[key])
        rest = {name: value for name, value in result.items() if name != key}

        def problem_with(some: list[object]) -> str | None:
            return self._problem({**rest, key: some}, kind)

        # Most pages are valid as a whole; if the rest of the page is invalid, no entry is at fault.
        if problem_with(entries) is None or problem_with([]) is not None:
            return
        kept: list[object] = []
        left_out = self._left_out.setdefault(key, [])
        for number, entry in enumerate(entries, start=1):
            problem = problem_with([entry])
            if problem is None:
                kept.append(entry)
            else:
                left_out.append(f"{_name(entry, number)} ({problem})")
        result[key] = kept

    @property
    def note(self) -> str:
        """A sentence with the tools that were left out; empty if none was."""
        return self.note_on("tools")

    def note_on(self, key: ListingKey) -> str:
        """Return a sentence with the entries of a listing that were left out."""
        left_out = self._left_out.get(key)
        if not left_out:
            return ""
        shown = left_out[:MCP_WARNINGS_PER_SERVER_MAX]
        more = len(left_out) - len(shown)
        names = "; ".join(shown) + (f"; and {more} more" if more else "")
        return f"{_KINDS[key].noun.capitalize()}s it describes wrongly are left out: {names}."

    def _problem(self, page: Mapping[str, Any], kind: _EntryKind) -> str | None:
        try:
            validate_server_result(kind.method, self.version, page)
            read = kind.model.model_validate(page, by_name=False)
            # An entry that cannot be serialized cannot be cached or shown to a model.
            read.model_dump_json()
            if isinstance(read, ListToolsResult) and self.version in MODERN_PROTOCOL_VERSIONS:
                for tool in read.tools:
                    if wrong := find_invalid_x_mcp_header(tool.input_schema):
                        return wrong
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(str(part) for part in first["loc"][2:]) or f"the {kind.noun}"
            return shorten_reason(f"{where}: {first['msg']}")[:_WHY_CHARS_MAX]
        except (ValueError, TypeError, RecursionError) as error:
            return shorten_reason(str(error))[:_WHY_CHARS_MAX]
        return None


def _name(entry: object, number: int) -> str:
    if isinstance(entry, dict):
        name = cast("dict[str, object]", entry).get("name")
        if isinstance(name, str) and name:
            return f"{name!r:.{_NAME_CHARS_MAX}}"
    return f"number {number} of its list"


ItemT = TypeVar("ItemT", bound=BaseModel)
# A page, and the cursor of the next one.
Page = tuple[Sequence[ItemT], str | None]
FetchPage = Callable[[PaginatedRequestParams], Awaitable[Page[ItemT]]]


@dataclass(frozen=True, slots=True)
class FetchedListing(Generic[ItemT]):
    """The entries, and a note on those that were left out."""

    items: tuple[ItemT, ...]
    size_bytes: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class _ListingKind(Generic[ItemT]):
    nouns: str
    # Only the first entry of an identity counts: a request can reach only one.
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
    collected = _CollectedEntries(kind)
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(MCP_LISTING_PAGES_MAX):
        try:
            items, following = await fetch_page(PaginatedRequestParams(cursor=cursor))
        except MCPError as error:
            if error.code == METHOD_NOT_FOUND and cursor is None:
                return FetchedListing(())  # the server has none of this kind
            raise
        cursor = following
        if (note := collected.add(items)) or cursor is None:
            return collected.finish(note)
        if cursor in seen:
            return collected.finish(
                f"Its listing of {kind.nouns} goes in a circle; the rest is left out."
            )
        seen.add(cursor)
    return collected.finish(
        f"It lists {kind.nouns} on more than {MCP_LISTING_PAGES_MAX} pages; the rest is left out."
    )


class _CollectedEntries(Generic[ItemT]):
    def __init__(self, kind: _ListingKind[ItemT]) -> None:
        self._kind = kind
        self._items: dict[str, ItemT] = {}
        self._size_bytes = 0

    def add(self, items: Iterable[ItemT]) -> str:
        """Add entries; returns a sentence when a limit is reached."""
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

    def finish(self, note: str) -> FetchedListing[ItemT]:
        return FetchedListing(tuple(self._items.values()), self._size_bytes, note)
