"""Writes `mcp.json` in S0's list form, atomically and readable by its owner only."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dataagent_core.config.files.atomic_write import write_atomically
from dataagent_core.errors import ConfigurationError
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.configuration.config_check import check_config

# S0's fields are always written; ours only if they are set.
_ALWAYS = ("name", "command", "args", "env", "disabled", "timeout")
_NOTHING: tuple[object, ...] = (None, "", [], {})


def write_config(config: MCPConfig, path: Path) -> None:
    """Replace the file; an invalid configuration is refused."""
    check_config(config, str(path))
    text = json.dumps({"servers": [as_entry(server) for server in config.servers]}, indent=2)
    try:
        # A symbolic link stays: its target is replaced.
        write_atomically(path.resolve(), text + "\n")
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be written: {error.strerror or error}. Make its folder writable, or "
            "set DATAAGENT_HOME to one you own."
        ) from error


def as_entry(server: MCPServerConfig) -> dict[str, Any]:
    """Return one server as an object of the list."""
    fields = asdict(server)
    if server.transport != "stdio":
        # A reader of S0's form alone would start an empty command.
        always: tuple[str, ...] = ("name", "transport", "url", "disabled", "timeout")
    else:
        always = _ALWAYS
        fields.pop("transport")
    # An empty `oauth` is not the same as none.
    return {
        key: value
        for key, value in fields.items()
        if key in always or not any(value == nothing for nothing in _NOTHING)
    }
