"""opencode: `mcp`, with `local` and `remote` servers, milliseconds, and `{env:NAME}`."""

import math
import re
from typing import Any

from dataagent_core.config.limits.mcp import MCP_TIMEOUT_S_MAX, MCP_TIMEOUT_S_MIN
from dataagent_core.mcp.import_from.foreign_servers import Fields, ForeignServers, objects_in

_KINDS = ("local", "remote")
_VARIABLE = re.compile(r"\{env:([A-Za-z_][A-Za-z0-9_]*)\}")


def is_opencode(content: Fields) -> bool:
    """Say whether the file is opencode's."""
    return any(fields.get("type") in _KINDS for _, fields in objects_in(content.get("mcp")))


def find_opencode(content: Fields) -> ForeignServers:
    """Bring opencode's keys into ours."""
    found = ForeignServers("opencode")
    for name, fields in objects_in(content.get("mcp")):
        if fields.get("type") not in _KINDS:
            # Without a type it only switches a server of another file on or off.
            found.notes.append(f"{name!r} is neither 'local' nor 'remote' and was left out.")
            continue
        found.entries.append((name, _translated(fields)))
    return found


def _translated(fields: Fields) -> Fields:
    made: dict[str, Any] = {key: value for key, value in fields.items() if key != "type"}
    match fields.get("command"):
        case [command, *arguments]:
            made |= {"command": command, "args": arguments}
        case _:
            pass
    if "environment" in fields:
        made["env"] = fields["environment"]
    if not isinstance(fields.get("oauth"), dict):
        # `false` means that no sign-in is tried; ours is tried only when the server asks.
        made.pop("oauth", None)
    timeout_ms = fields.get("timeout")
    if isinstance(timeout_ms, int | float) and math.isfinite(timeout_ms):
        seconds = math.ceil(timeout_ms / 1000)
        made["timeout"] = min(max(seconds, MCP_TIMEOUT_S_MIN), MCP_TIMEOUT_S_MAX)
    return made


def with_our_variables(text: str) -> str:
    """Write opencode's variables as ours."""
    return _VARIABLE.sub(r"${\1}", text)
