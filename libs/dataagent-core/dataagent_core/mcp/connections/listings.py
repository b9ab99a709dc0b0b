"""What each server listed last time: in memory, and on disk where a folder was given.

One tuple stands for one listing: it is replaced only when the server lists something else, so
whoever kept it sees with `is` whether anything changed.
"""

import asyncio
import logging
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_core.config.mcp_limits import MCP_LISTINGS_KEPT_BYTES_MAX, MCP_LISTINGS_KEPT_MAX
from dataagent_core.mcp.connections.key import Key
from dataagent_core.mcp.connections.listing_files import read_listing, write_listing

if TYPE_CHECKING:
    from mcp_types import Tool

logger = logging.getLogger(__name__)


class Listings:
    """The listings of all owners, each under its own key."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._kept: OrderedDict[Key, tuple[tuple[Tool, ...], int]] = OrderedDict()
        self._size_bytes = 0

    def recalled(self, key: Key) -> "tuple[Tool, ...] | None":
        """Look in memory alone."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        self._kept.move_to_end(key)
        return kept[0]

    async def find(self, key: Key) -> "tuple[Tool, ...] | None":
        tools = self.recalled(key)
        if tools is not None or self._folder is None:
            return tools
        found = await asyncio.to_thread(read_listing, self._folder, key)
        # Somebody else may have read it, or the server have listed anew, in the meantime.
        tools = self.recalled(key)
        if tools is None and found is not None:
            tools = self._remember(key, found, sum(len(t.model_dump_json()) for t in found))
        return tools

    async def keep(
        self, key: Key, tools: "tuple[Tool, ...]", size_bytes: int
    ) -> "tuple[Tool, ...]":
        """Keep it; answers with the tuple that was kept before when nothing changed."""
        former = await self.find(key)
        if former is not None and former == tools:
            return former
        self._remember(key, tools, size_bytes)
        if self._folder is not None:
            try:
                await asyncio.to_thread(write_listing, self._folder, key, tools)
            except OSError as error:
                logger.warning("the tools of %r are not kept on disk: %s", key.server, error)
        return tools

    def _remember(self, key: Key, tools: "tuple[Tool, ...]", size_bytes: int) -> "tuple[Tool, ...]":
        self._forget(key)
        self._kept[key] = (tools, size_bytes)
        self._size_bytes += size_bytes
        while len(self._kept) > MCP_LISTINGS_KEPT_MAX or (
            self._size_bytes > MCP_LISTINGS_KEPT_BYTES_MAX and len(self._kept) > 1
        ):
            self._forget(next(iter(self._kept)))
        return tools

    def _forget(self, key: Key) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._size_bytes -= kept[1]
