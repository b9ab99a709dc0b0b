"""Reads the servers in configuration files of other products. Pure.

Claude Desktop and Claude Code have `mcpServers`, Claude Code also beneath each project. VS Code has
`servers` by name, and `inputs` that it would ask the person for. opencode has `mcp`, with `local`
and `remote` servers, milliseconds, and `{env:NAME}`.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from dataagent_core.config.limits.mcp import MCP_TIMEOUT_S_MAX, MCP_TIMEOUT_S_MIN
from dataagent_core.mcp.config import MCPConfig

Fields = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ImportedServer:
    """The imported servers, and a note on everything that was not imported."""

    # The detected form: "Claude", "opencode", "VS Code", "DataAgent".
    form: str
    config: MCPConfig
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class ForeignServers:
    """A file's servers by name, with the keys that `server_entry.py` reads, and notes."""

    form: str
    entries: list[tuple[str, Fields]] = field(default_factory=list[tuple[str, Fields]])
    notes: list[str] = field(default_factory=list[str])

    def add_all(self, entries: object) -> None:
        """Add the servers of an object by name; any other value holds none."""
        self.entries += objects_in(entries)


def objects_in(value: object) -> list[tuple[str, Fields]]:
    """List the objects an object holds, by key."""
    return [
        (key, cast("Fields", inner))
        for key, inner in fields_of(value).items()
        if isinstance(inner, dict)
    ]


def fields_of(value: object) -> Fields:
    """Return an object; any other value has no fields."""
    return cast("Fields", value) if isinstance(value, dict) else {}


_CLAUDE_SERVERS = "mcpServers"
_CLAUDE_PROJECTS = "projects"


def is_claude(content: Fields) -> bool:
    """Return whether the file has Claude's form, which many others use too."""
    return _CLAUDE_SERVERS in content or any(
        _CLAUDE_SERVERS in project for _, project in objects_in(content.get(_CLAUDE_PROJECTS))
    )


def find_claude(content: Fields, project: Path | None) -> ForeignServers:
    """Read the servers for all projects and those of one; a project's own take precedence."""
    found = ForeignServers("Claude")
    others = 0
    own: Fields = {}
    for folder, inner in objects_in(content.get(_CLAUDE_PROJECTS)):
        if project is not None and Path(folder) == project:
            own = fields_of(inner.get(_CLAUDE_SERVERS))
        else:
            others += len(fields_of(inner.get(_CLAUDE_SERVERS)))
    found.add_all({**fields_of(content.get(_CLAUDE_SERVERS)), **own})
    if others:
        found.notes.append(
            f"{others} servers belong to other projects: run the import in their folders."
        )
    return found


_VSCODE_INPUT = re.compile(r"\$\{input:([^}]*)\}")
_VSCODE_ENVIRONMENT = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")


def is_vscode(content: Fields) -> bool:
    """Return whether the file is VS Code's `mcp.json`, or its settings with `mcp` inside."""
    return bool(_find_vscode_holder(content))


def find_vscode(content: Fields) -> ForeignServers:
    """Read the servers; their placeholders are translated later, text by text."""
    found = ForeignServers("VS Code")
    found.add_all(_find_vscode_holder(content).get("servers"))
    return found


def _find_vscode_holder(content: Fields) -> Fields:
    for holder in (content, fields_of(content.get("mcp"))):
        if objects_in(holder.get("servers")) or ("inputs" in holder and "servers" in holder):
            return holder
    return {}


def translate_vscode_variables(text: str, folder: Path | None, asked: set[str]) -> str:
    """Translate VS Code's placeholders; variables it would ask for are added to `asked`."""

    def variable(found: re.Match[str]) -> str:
        name = re.sub(r"\W", "_", found[1], flags=re.ASCII).upper()
        name = name if name[:1].isalpha() else f"INPUT_{name}"
        asked.add(name)
        return f"${{{name}}}"

    text = _VSCODE_ENVIRONMENT.sub(r"${\1}", _VSCODE_INPUT.sub(variable, text))
    text = text.replace("${userHome}", "${HOME}")
    return text if folder is None else text.replace("${workspaceFolder}", str(folder))


_OPENCODE_KINDS = ("local", "remote")
_OPENCODE_VARIABLE = re.compile(r"\{env:([A-Za-z_][A-Za-z0-9_]*)\}")


def is_opencode(content: Fields) -> bool:
    """Return whether the file is opencode's."""
    return any(
        fields.get("type") in _OPENCODE_KINDS for _, fields in objects_in(content.get("mcp"))
    )


def find_opencode(content: Fields) -> ForeignServers:
    """Read the servers and translate their keys."""
    found = ForeignServers("opencode")
    for name, fields in objects_in(content.get("mcp")):
        if fields.get("type") not in _OPENCODE_KINDS:
            # Without a type it only switches a server of another file on or off.
            found.notes.append(f"{name!r} is neither 'local' nor 'remote' and was left out.")
            continue
        found.entries.append((name, _translate_opencode_fields(fields)))
    return found


def _translate_opencode_fields(fields: Fields) -> Fields:
    translated: dict[str, Any] = {key: value for key, value in fields.items() if key != "type"}
    match fields.get("command"):
        case [command, *arguments]:
            translated |= {"command": command, "args": arguments}
        case _:
            pass
    if "environment" in fields:
        translated["env"] = fields["environment"]
    if not isinstance(fields.get("oauth"), dict):
        # `false` means no sign-in; ours happens only if the server asks.
        translated.pop("oauth", None)
    timeout_ms = fields.get("timeout")
    if isinstance(timeout_ms, int | float) and math.isfinite(timeout_ms):
        seconds = math.ceil(timeout_ms / 1000)
        translated["timeout"] = min(max(seconds, MCP_TIMEOUT_S_MIN), MCP_TIMEOUT_S_MAX)
    return translated


def translate_opencode_variables(text: str) -> str:
    """Translate opencode's variables."""
    return _OPENCODE_VARIABLE.sub(r"${\1}", text)
