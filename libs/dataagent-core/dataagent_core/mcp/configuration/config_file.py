"""Reads `mcp.json` in any of the three forms in use, and writes it in the first.

    {"servers": [{"name": "fs", "command": "uvx", ...}]}         S0's list
    {"servers": {"fs": {"type": "stdio", "command": ...}}}       S2's map
    {"mcpServers": {"fs": {"command": ...}, "x": {"url": ...}}}  what most products write

One entry is read in `server_entry.py`, values are checked in `config_check.py`; files of other
products are imported in `import_from/`. The file is written atomically, readable by its owner only.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from dataagent_core.config.files.atomic_write import write_atomically
from dataagent_core.config.files.text_file import read_text
from dataagent_core.config.limits.mcp import MCP_FILE_BYTES_MAX
from dataagent_core.errors import ConfigurationError, ValidationError
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.configuration.config_check import check_config, quote_value
from dataagent_core.mcp.configuration.server_entry import server_from

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


_LIST_OR_MAP = "servers"
_COMMON = "mcpServers"


def read_config(path: Path) -> MCPConfig:
    """Read a file of servers; a missing file holds none."""
    text = read_file(path, MCP_FILE_BYTES_MAX)
    return MCPConfig() if text is None else config_from(parse_json(text, str(path)), str(path))


def config_from(data: object, where: str) -> MCPConfig:
    """Read the servers from a file's content; `where` names it in errors."""
    config = MCPConfig(
        servers=[server_from(name, entry, where) for name, entry in _read_entries(data, where)]
    )
    check_config(config, where)
    return config


def read_file(path: Path, bytes_max: int) -> str | None:
    """Read a whole file; None if it is missing."""
    # If it cannot be checked, opening it raises the reason.
    with suppress(OSError):
        if path.exists() and not path.is_file():
            # Opening a named pipe would wait forever.
            raise ConfigurationError(f"{path} is not a file. Move it away.")
    return read_text(path, bytes_max, "a list of MCP servers")


def parse_json(text: str, where: str) -> object:
    """Parse JSON; an object with a duplicate key is an error."""
    try:
        return json.loads(text, object_pairs_hook=_check_unique_keys)
    except _DuplicateKeyError as error:
        raise ConfigurationError(
            f"{where} names {quote_value(error.key)} twice in one object. Rename or remove "
            "one of them."
        ) from None
    except (ValueError, RecursionError) as error:
        problem = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
        raise ConfigurationError(
            f"{where} is not valid JSON: {problem}. Correct it, or move the file away."
        ) from None


class _DuplicateKeyError(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _check_unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _DuplicateKeyError(key)
        found[key] = value
    return found


def _read_entries(data: object, where: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    if not isinstance(data, dict):
        raise ValidationError(f'{where} is not a JSON object: write {{"servers": []}} there.')
    content = cast("dict[str, object]", data)
    found = [key for key in (_LIST_OR_MAP, _COMMON) if content.get(key) is not None]
    if len(found) > 1:
        raise ValidationError(
            f"{where} has both {_LIST_OR_MAP!r} and {_COMMON!r}. Put all servers under one of them."
        )
    if not found:
        _check_no_other_keys(content, where)
        return
    match content[found[0]]:
        case list() as listed if found[0] == _LIST_OR_MAP:
            yield from _read_list(cast("list[object]", listed), where)
        case dict() as mapped:
            for name, entry in cast("dict[str, object]", mapped).items():
                yield name, _check_object(entry, f"{where}: the server {quote_value(name)}")
        case _:
            raise ValidationError(f"{where}: {found[0]!r} must be an object of servers by name.")


def _read_list(entries: list[object], where: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    for number, entry in enumerate(entries, 1):
        fields = _check_object(entry, f"{where}: server number {number}")
        name = fields.get("name")
        if not isinstance(name, str):
            raise ValidationError(f"{where}: server number {number} has no 'name': give it one.")
        yield name, fields


def _check_object(entry: object, what: str) -> Mapping[str, object]:
    if not isinstance(entry, dict):
        raise ValidationError(
            f'{what} is not an object: write {{"command": ...}} or {{"url": ...}}.'
        )
    return cast("Mapping[str, object]", entry)


def _check_no_other_keys(content: dict[str, object], where: str) -> None:
    """Refuse a file with content under unknown keys only."""
    others = [key for key in content if not key.startswith("$") and content[key] is not None]
    if others:
        raise ValidationError(
            f"{where} holds {quote_value(others[0])} but neither {_LIST_OR_MAP!r} nor "
            f"{_COMMON!r}. Put "
            "the servers under one of these; a file of another product is taken over with "
            "`dataagent mcp import FILE`."
        )
