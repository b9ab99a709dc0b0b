"""Imports MCP servers from the configuration file of another product.

The file may be JSON with comments and trailing commas, as VS Code and opencode write it. A server
that cannot be imported becomes a note and does not stop the others. A file that is no list of
servers is an error. `places_of` lists where each product keeps its file.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from dataagent_core.config.limits.mcp import (
    MCP_IMPORT_FILE_BYTES_MAX,
    MCP_SERVER_NAME_CHARS_MAX,
    MCP_SERVERS_MAX,
    MCP_TIMEOUT_S_MAX,
    MCP_TIMEOUT_S_MIN,
)
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.configuration.config_check import check_server, quote_value
from dataagent_core.mcp.configuration.config_file import config_from, parse_json, read_file
from dataagent_core.mcp.configuration.server_entry import server_from
from dataagent_core.mcp.configuration.variables import with_each_text
from dataagent_core.mcp.import_from.foreign_servers import (
    Fields,
    ForeignServers,
    ImportedServer,
    fields_of,
    find_claude,
    find_opencode,
    find_vscode,
    is_claude,
    is_opencode,
    is_vscode,
    translate_opencode_variables,
    translate_vscode_variables,
)

Product = Literal["claude-desktop", "claude-code", "opencode", "vscode"]
PRODUCTS: tuple[Product, ...] = get_args(Product)


def places_of(
    product: Product, *, home: Path, project: Path, platform: str, environ: Mapping[str, str]
) -> list[Path]:
    """List where a product's files may be; the one that takes precedence comes first.

    `platform` is `sys.platform`.
    """
    settings = _settings_folder(home, platform, environ)
    match product:
        case "claude-desktop":
            return [settings / "Claude" / "claude_desktop_config.json"]
        case "claude-code":
            own = Path(environ.get("CLAUDE_CONFIG_DIR") or home)
            return [project / ".mcp.json", own / ".claude.json"]
        case "opencode":
            # On every system, as opencode does.
            folder = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "opencode"
            names = ("opencode.json", "opencode.jsonc")
            return [parent / name for parent in (project, folder) for name in names]
        case "vscode":
            return [project / ".vscode" / "mcp.json", settings / "Code" / "User" / "mcp.json"]


def _settings_folder(home: Path, platform: str, environ: Mapping[str, str]) -> Path:
    """Return the folder in which graphical programs keep their settings."""
    if platform == "darwin":
        return home / "Library" / "Application Support"
    if platform == "win32":
        return Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
    return Path(environ.get("XDG_CONFIG_HOME") or home / ".config")


# An unclosed string or comment extends to the end: searching for its end repeatedly would be slow.
_TEXT = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
_COMMENT = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
# A string is matched first, so that what looks like a comment inside it stays.
_TOKEN = re.compile(f"(?P<text>{_TEXT})|(?P<comment>{_COMMENT})|(?P<comma>,)", re.DOTALL)
_ENDS = re.compile(rf"(?:\s|{_COMMENT})*+[\]}}]", re.DOTALL)


def without_comments(text: str) -> str:
    """Remove comments and trailing commas; line numbers stay the same."""

    def replace_token(found: re.Match[str]) -> str:
        if found["comment"] is not None:
            return "\n" * found[0].count("\n") or " "
        if found["comma"] is not None:
            return "" if _ENDS.match(text, found.end()) else ","
        return found[0]

    return _TOKEN.sub(replace_token, text)


# Keys that change what a server does and have no counterpart here.
_NOT_TAKEN = ("cwd", "envFile", "headersHelper")


def read_foreign(path: Path, project: Path | None = None) -> ImportedServer:
    """Read a file of another product; `project` is the folder the person works in."""
    text = read_file(path, MCP_IMPORT_FILE_BYTES_MAX)
    if text is None:
        raise NotFoundError(f"There is no file {path}. Name the one to import from.")
    return import_from_text(parse_json(without_comments(text), str(path)), str(path), project)


def import_from_text(data: object, where: str, project: Path | None = None) -> ImportedServer:
    """Import the servers of a file's content; the product is detected from the content."""
    content = fields_of(data)
    if isinstance(content.get("servers"), list):
        return ImportedServer("DataAgent", config_from(data, where))
    found = _find_servers(content, project)
    if found is None:
        raise ValidationError(
            f"{where} holds no MCP servers of a known form: 'mcpServers' (Claude and others), "
            "'mcp' (opencode) or 'servers' (VS Code). Name another file."
        )
    return _convert_servers(found, where, project)


def _find_servers(content: Fields, project: Path | None) -> ForeignServers | None:
    if is_claude(content):
        return find_claude(content, project)
    if is_vscode(content):
        return find_vscode(content)
    if is_opencode(content):
        return find_opencode(content)
    return None


def _convert_servers(found: ForeignServers, where: str, project: Path | None) -> ImportedServer:
    servers: dict[str, MCPServerConfig] = {}
    notes = list(found.notes)
    for name, fields in found.entries:
        if len(servers) == MCP_SERVERS_MAX:
            notes.append(
                f"{where} holds more than {MCP_SERVERS_MAX} servers; the rest is left out."
            )
            break
        try:
            server, server_notes = _convert_server(
                _make_server_name(name), fields, found.form, where, project
            )
        except ValidationError as error:
            notes.append(f"left out: {error}")
            continue
        if server.name in servers:
            notes.append(f"left out: {name!r} would be a second server {server.name!r}.")
            continue
        if server.name != name:
            notes.append(f"{quote_value(name)} is called {server.name!r} here.")
        servers[server.name] = server
        notes += server_notes
    return ImportedServer(found.form, MCPConfig(servers=list(servers.values())), tuple(notes))


def _convert_server(
    name: str, fields: Fields, form: str, where: str, project: Path | None
) -> tuple[MCPServerConfig, list[str]]:
    asked: set[str] = set()

    def translate(field: str, text: str) -> str:
        del field
        match form:
            case "opencode":
                return translate_opencode_variables(text)
            case "VS Code":
                return translate_vscode_variables(text, project, asked)
            case _:
                return text

    server = with_each_text(server_from(name, _without_odd_timeout(fields), where), translate)
    check_server(server, where)
    notes = [
        f"{name!r} needs a value: set the variable {variable} before it is started."
        for variable in sorted(asked)
    ]
    notes += [f"{name!r}: its {key!r} was not taken over." for key in _NOT_TAKEN if fields.get(key)]
    if "{file:" in json.dumps(fields):
        notes.append(f"{name!r} reads a file by '{{file:...}}': write its value or a variable.")
    if fields.get("timeout") is not None and "timeout" not in _without_odd_timeout(fields):
        notes.append(f"{name!r}: its timeout was not taken over; ours is in seconds.")
    return server, notes


def _without_odd_timeout(fields: Fields) -> Fields:
    """Leave out a timeout that cannot be in seconds: others mean milliseconds, or calls."""
    timeout = fields.get("timeout")
    if isinstance(timeout, int) and MCP_TIMEOUT_S_MIN <= timeout <= MCP_TIMEOUT_S_MAX:
        return fields
    return {key: value for key, value in fields.items() if key != "timeout"}


def _make_server_name(name: str) -> str:
    """Make a valid name; one without letters or digits stays, and is refused."""
    made = re.sub(r"[^A-Za-z0-9_.-]+", "-", name)
    made = re.sub(r"_{2,}", "_", made).lstrip("-_.")[:MCP_SERVER_NAME_CHARS_MAX]
    return made.rstrip("-") or name
