"""What the tools of MCP servers are called: `mcp__{tenant}_{server}__{tool}` (S2 §10.5). Pure.

Every provider takes at most 64 letters, digits, `_` and `-`. A name that is plain and short enough
is used as it is; any other is cleaned, cut, and ends in a hash of the original. A name depends on
nothing but its own three parts, so it stays when other tools come and go, and all tools of one
server share one prefix. A server chooses its tools' names freely, but not what stands before them.
"""

import hashlib
import json
import re
from typing import Final, NamedTuple

from dataagent_core.config.limits import TOOL_NAME_CHARS_MAX
from dataagent_core.config.limits.mcp import MCP_NAME_PREFIX_CHARS_MAX

_START: Final = "mcp__"
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_-]+")
_PLAIN = re.compile(r"[A-Za-z0-9_-]+\Z")
# What ends like our own hashes gets one too, or a server could take a hashed name.
_HASHED = re.compile(r".*_[0-9a-f]{8}\Z")
_HASH_CHARS: Final = 8
_TENANT_CHARS: Final = 8
_NAMELESS: Final = "x"


class ServerTool(NamedTuple):
    """A tool as its server calls it."""

    server: str
    tool: str


def tool_name(tenant: str, server: str, tool: str) -> str:
    """Name a tool of a server for a model."""
    prefix = server_prefix(tenant, server)
    room = TOOL_NAME_CHARS_MAX - len(prefix)
    if _PLAIN.match(tool) and not _HASHED.match(tool) and len(tool) <= room:
        return prefix + tool
    return prefix + _hashed(tool, room, [tenant, server, tool])


def server_prefix(tenant: str, server: str) -> str:
    """Give what the names of all tools of a server begin with."""
    prefix = f"{_START}{tenant}_{server}__"
    if _plain_part(tenant) and _plain_part(server) and len(prefix) <= MCP_NAME_PREFIX_CHARS_MAX:
        return prefix
    short_tenant = _cleaned(tenant)[:_TENANT_CHARS].strip("_")
    room = MCP_NAME_PREFIX_CHARS_MAX - len(f"{_START}{short_tenant}___")
    return f"{_START}{short_tenant}_{_hashed(server, room, [tenant, server])}__"


def _plain_part(text: str) -> bool:
    # `__` separates the server from the tool, so it may not stand inside.
    if not _PLAIN.match(text) or _HASHED.match(text):
        return False
    return "__" not in text and not text.startswith("_") and not text.endswith("_")


def _hashed(text: str, room: int, identity: list[str]) -> str:
    whole = json.dumps(identity).encode()
    digest = hashlib.sha256(whole).hexdigest()[:_HASH_CHARS]
    kept = _cleaned(text)[: room - _HASH_CHARS - 1].strip("_")
    return f"{kept or _NAMELESS}_{digest}"


def _cleaned(text: str) -> str:
    return re.sub("__+", "_", _NOT_ALLOWED.sub("_", text)).strip("_")
