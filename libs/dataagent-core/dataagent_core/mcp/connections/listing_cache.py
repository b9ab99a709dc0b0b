"""The last listing of each server, in memory and, if a folder is given, on disk.

With a listing on disk a tool can be offered before its server is started. There is one file per
owner and configuration, readable by its owner only; a call still compares with what the server
lists then. A listing is one tuple that is replaced only when it differs, so callers can compare
with `is`.
"""

import asyncio
import contextlib
import hashlib
import json
import logging
import os
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_core.config.limits.mcp import (
    MCP_LISTING_BYTES_MAX,
    MCP_LISTING_FILES_MAX,
    MCP_LISTINGS_KEPT_BYTES_MAX,
    MCP_LISTINGS_KEPT_MAX,
)
from dataagent_core.mcp.connections.connection_key import ConnectionKey

if TYPE_CHECKING:
    from mcp_types import Tool


# Field names and JSON syntax are not in the counted size.
_FILE_BYTES_MAX = 2 * MCP_LISTING_BYTES_MAX


def read_listing(folder: Path, key: ConnectionKey) -> "tuple[Tool, ...] | None":
    """Read a listing; None if there is none, or if it cannot be read."""
    from mcp_types import ListToolsResult

    path = _path(folder, key)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(_FILE_BYTES_MAX + 1)
        if len(data) > _FILE_BYTES_MAX:
            return None
        return tuple(ListToolsResult.model_validate_json(data).tools)
    except (OSError, ValueError):
        return None


def write_listing(folder: Path, key: ConnectionKey, tools: "tuple[Tool, ...]") -> None:
    """Write a listing atomically and delete the oldest files; may raise an `OSError`."""
    from mcp_types import ListToolsResult

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = _path(folder, key)
    temporary = path.with_suffix(f".{os.getpid()}")
    listed = ListToolsResult(tools=list(tools), ttl_ms=0, cache_scope="private")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
        file.write(listed.model_dump_json(by_alias=True, exclude_none=True).encode())
    temporary.replace(path)
    _drop_oldest(folder)


def _path(folder: Path, key: ConnectionKey) -> Path:
    # Hashed: the names may hold any character.
    text = json.dumps([key.owner.tenant_id, key.owner.user_id, key.server, key.digest])
    return folder / f"{hashlib.sha256(text.encode()).hexdigest()}.json"


def _drop_oldest(folder: Path) -> None:
    with os.scandir(folder) as entries:
        files = [(entry.stat().st_mtime, entry.path) for entry in entries if entry.is_file()]
    for _, path in sorted(files)[:-MCP_LISTING_FILES_MAX]:
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            os.unlink(path)  # noqa: PTH108


logger = logging.getLogger(__name__)


class ListingCache:
    """The listings of all owners, each under its own key."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._kept: OrderedDict[ConnectionKey, tuple[tuple[Tool, ...], int]] = OrderedDict()
        self._size_bytes = 0

    def get_cached(self, key: ConnectionKey) -> "tuple[Tool, ...] | None":
        """Return the listing in memory, if there is one."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        self._kept.move_to_end(key)
        return kept[0]

    async def find(self, key: ConnectionKey) -> "tuple[Tool, ...] | None":
        tools = self.get_cached(key)
        if tools is not None or self._folder is None:
            return tools
        found = await asyncio.to_thread(read_listing, self._folder, key)
        # Meanwhile another task may have read it, or the server may have listed again.
        tools = self.get_cached(key)
        if tools is None and found is not None:
            tools = self._remember(key, found, sum(len(t.model_dump_json()) for t in found))
        return tools

    async def keep(
        self, key: ConnectionKey, tools: "tuple[Tool, ...]", size_bytes: int
    ) -> "tuple[Tool, ...]":
        """Keep a listing; returns the tuple that was kept before if nothing changed."""
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

    def _remember(
        self, key: ConnectionKey, tools: "tuple[Tool, ...]", size_bytes: int
    ) -> "tuple[Tool, ...]":
        self._forget(key)
        self._kept[key] = (tools, size_bytes)
        self._size_bytes += size_bytes
        while len(self._kept) > MCP_LISTINGS_KEPT_MAX or (
            self._size_bytes > MCP_LISTINGS_KEPT_BYTES_MAX and len(self._kept) > 1
        ):
            self._forget(next(iter(self._kept)))
        return tools

    def _forget(self, key: ConnectionKey) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._size_bytes -= kept[1]
