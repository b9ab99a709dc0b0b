"""Listings on disk, so that a tool can be offered before its server is started.

One file for each owner and configuration, readable by its owner alone. Nothing here is trusted
further than the server itself: a call compares with what the server lists then.
"""

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_core.config.mcp_limits import MCP_LISTING_BYTES_MAX, MCP_LISTING_FILES_MAX
from dataagent_core.mcp.connections.key import Key

if TYPE_CHECKING:
    from mcp_types import Tool

# Names of fields and JSON's own marks come on top of what was counted.
_FILE_BYTES_MAX = 2 * MCP_LISTING_BYTES_MAX


def read_listing(folder: Path, key: Key) -> "tuple[Tool, ...] | None":
    """Read what was listed; None when nothing was, or when it cannot be read."""
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


def write_listing(folder: Path, key: Key, tools: "tuple[Tool, ...]") -> None:
    """Write it whole or not at all, and let the oldest files go; may raise an `OSError`."""
    from mcp_types import ListToolsResult

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = _path(folder, key)
    aside = path.with_suffix(f".{os.getpid()}")
    listed = ListToolsResult(tools=list(tools), ttl_ms=0, cache_scope="private")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(aside, flags, 0o600), "wb") as file:
        file.write(listed.model_dump_json(by_alias=True, exclude_none=True).encode())
    aside.replace(path)
    _drop_oldest(folder)


def _path(folder: Path, key: Key) -> Path:
    # Hashed: the names are people's and may hold anything.
    text = json.dumps([key.owner.tenant_id, key.owner.user_id, key.server, key.digest])
    return folder / f"{hashlib.sha256(text.encode()).hexdigest()}.json"


def _drop_oldest(folder: Path) -> None:
    with os.scandir(folder) as entries:
        files = [(entry.stat().st_mtime, entry.path) for entry in entries if entry.is_file()]
    for _, path in sorted(files)[:-MCP_LISTING_FILES_MAX]:
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            os.unlink(path)  # noqa: PTH108
