"""Asks a server for all its tools, within limits."""

from collections.abc import Iterable
from dataclasses import dataclass

from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from mcp_types import METHOD_NOT_FOUND, PaginatedRequestParams, Tool

from dataagent_core.config.mcp_limits import (
    MCP_LISTING_BYTES_MAX,
    MCP_LISTING_PAGES_MAX,
    MCP_LISTING_TOOLS_MAX,
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """The tools, and what of them was left out."""

    tools: tuple[Tool, ...]
    size_bytes: int = 0
    note: str = ""


async def fetch_tools(session: ClientSession) -> Fetched:
    """Follow the pages as far as the limits go."""
    gathered = _Gathered()
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(MCP_LISTING_PAGES_MAX):
        try:
            page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor))
        except MCPError as error:
            if error.code == METHOD_NOT_FOUND and cursor is None:
                return Fetched(())  # a server of prompts or resources alone
            raise
        cursor = page.next_cursor
        if (note := gathered.add(page.tools)) or cursor is None:
            return gathered.fetched(note)
        if cursor in seen:
            return gathered.fetched("Its listing of tools goes in a circle; the rest is left out.")
        seen.add(cursor)
    return gathered.fetched(
        f"It lists tools on more than {MCP_LISTING_PAGES_MAX} pages; the rest is left out."
    )


class _Gathered:
    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}
        self._size_bytes = 0

    def add(self, tools: Iterable[Tool]) -> str:
        """Take them in; answers with a sentence when a limit is reached."""
        for tool in tools:
            if tool.name in self._tools:
                continue  # the first of a name counts: a call could only ever reach one
            size = len(tool.model_dump_json())
            if len(self._tools) == MCP_LISTING_TOOLS_MAX:
                return f"It lists more than {MCP_LISTING_TOOLS_MAX:,} tools; the rest is left out."
            if self._size_bytes + size > MCP_LISTING_BYTES_MAX:
                return (
                    f"Its tools take more than {MCP_LISTING_BYTES_MAX // 1024**2} MB to describe;"
                    " the rest is left out."
                )
            self._size_bytes += size
            self._tools[tool.name] = tool
        return ""

    def fetched(self, note: str) -> Fetched:
        return Fetched(tuple(self._tools.values()), self._size_bytes, note)
