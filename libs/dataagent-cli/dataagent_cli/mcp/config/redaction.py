"""A server as it may be shown: possible secrets become `***`."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from dataagent_cli.mcp.config.gather import ServerEntry
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.configuration.variables import is_variable

MASK = "***"
_LOGIN = re.compile(r"(?<=://)[^/@?#]*@")
_QUERY = re.compile(r"\?[^#]*")


def redact_location(server: MCPServerConfig) -> str:
    """Return the command as one would type it, or the address."""
    if server.transport == "stdio":
        return shlex.join([server.command, *server.args])
    return redact_url(server.url)


def redact_url(url: str) -> str:
    """Return an address without its login and its query, which may hold keys."""
    return _QUERY.sub(f"?{MASK}", _LOGIN.sub(f"{MASK}@", url))


def state_of(entry: ServerEntry) -> str:
    """Return the key of a server's state in the message catalogue."""
    if entry.is_refused:
        return "refused"
    if entry.server.disabled:
        return "disabled"
    return "asks" if entry.must_be_asked else "enabled"


def document_of(entry: ServerEntry) -> dict[str, Any]:
    """Return a server as JSON, for a program."""
    server = entry.server
    fields = asdict(server)
    fields["env"] = _mask_values(server.env)
    fields["headers"] = _mask_values(server.headers)
    fields["url"] = redact_url(server.url)
    if server.oauth is not None and server.oauth.client_secret:
        fields["oauth"]["client_secret"] = MASK
    return {
        **fields,
        "state": state_of(entry),
        "from": entry.origin,
        "file": str(entry.file),
    }


def _mask_values(table: Mapping[str, str]) -> dict[str, str]:
    # The name of a variable is not secret and says where the value comes from.
    return {name: text if is_variable(text) else MASK for name, text in table.items()}
