"""The names of MCP tools for a model: `mcp__{tenant}_{server}__{tool}` (S2 §10.5). Pure.

Every provider accepts at most 64 letters, digits, `_` and `-`. A name that is plain and short is
used as it is; any other is cleaned, truncated, and ends in a hash of the original. A name depends
only on its three parts, so it stays when other tools come and go, and all tools of one server share
one prefix. A server chooses the names of its tools, but not the prefix.
"""

import hashlib
import json
import re
from typing import Final, NamedTuple

from dataagent_core.config.limits import TOOL_NAME_CHARS_MAX
from dataagent_core.config.limits.mcp import MCP_NAME_PREFIX_CHARS_MAX
from dataagent_core.permissions.tool_groups import MCP_PREFIX

_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_-]+")
_PLAIN = re.compile(r"[A-Za-z0-9_-]+\Z")
# A name that ends like our hashes gets one too, or a server could take a hashed name.
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
    chars_left = TOOL_NAME_CHARS_MAX - len(prefix)
    if _PLAIN.match(tool) and not _HASHED.match(tool) and len(tool) <= chars_left:
        return prefix + tool
    return prefix + _add_hash(tool, chars_left, [tenant, server, tool])


def server_prefix(tenant: str, server: str) -> str:
    """Return the prefix of the names of all tools of a server."""
    prefix = f"{MCP_PREFIX}{tenant}_{server}__"
    if (
        _is_plain_part(tenant)
        and _is_plain_part(server)
        and len(prefix) <= MCP_NAME_PREFIX_CHARS_MAX
    ):
        return prefix
    short_tenant = _clean(tenant)[:_TENANT_CHARS].strip("_")
    chars_left = MCP_NAME_PREFIX_CHARS_MAX - len(f"{MCP_PREFIX}{short_tenant}___")
    return f"{MCP_PREFIX}{short_tenant}_{_add_hash(server, chars_left, [tenant, server])}__"


def _is_plain_part(text: str) -> bool:
    # `__` separates the server from the tool, so it may not stand inside.
    if not _PLAIN.match(text) or _HASHED.match(text):
        return False
    return "__" not in text and not text.startswith("_") and not text.endswith("_")


def _add_hash(text: str, chars_left: int, identity: list[str]) -> str:
    whole = json.dumps(identity).encode()
    digest = hashlib.sha256(whole).hexdigest()[:_HASH_CHARS]
    kept = _clean(text)[: chars_left - _HASH_CHARS - 1].strip("_")
    return f"{kept or _NAMELESS}_{digest}"


def _clean(text: str) -> str:
    return re.sub("__+", "_", _NOT_ALLOWED.sub("_", text)).strip("_")
