"""What was found in another product's file: its servers as they stand there, and the result.

Claude Desktop and Claude Code: `mcpServers`, in Claude Code also beneath each project.

VS Code: `servers` by name, and `inputs` that it would ask the person for.

opencode: `mcp`, with `local` and `remote` servers, milliseconds, and `{env:NAME}`.
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
    """The servers that were taken over, and a sentence on everything that was not."""

    # What the file seems to be: "Claude", "opencode", "VS Code", "DataAgent".
    form: str
    config: MCPConfig
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class ForeignServers:
    """A file's servers by name, in the keys that `entry.py` reads, and notes on the way."""

    form: str
    entries: list[tuple[str, Fields]] = field(default_factory=list[tuple[str, Fields]])
    notes: list[str] = field(default_factory=list[str])

    def add_all(self, entries: object) -> None:
        """Take the servers of an object by name; what is no object holds none."""
        self.entries += objects_in(entries)


def objects_in(value: object) -> list[tuple[str, Fields]]:
    """List the objects an object holds, by key."""
    return [
        (key, cast("Fields", inner))
        for key, inner in fields_of(value).items()
        if isinstance(inner, dict)
    ]


def fields_of(value: object) -> Fields:
    """Give an object; anything else has no fields."""
    return cast("Fields", value) if isinstance(value, dict) else {}


_CLAUDE_SERVERS = "mcpServers"
_CLAUDE_PROJECTS = "projects"


def is_claude(content: Fields) -> bool:
    """Say whether the file is one of Claude's, or of the many that copied its form."""
    return _CLAUDE_SERVERS in content or any(
        _CLAUDE_SERVERS in project for _, project in objects_in(content.get(_CLAUDE_PROJECTS))
    )


def find_claude(content: Fields, project: Path | None) -> ForeignServers:
    """Take the servers for all projects and those of one; a project's own come first."""
    found = ForeignServers("Claude")
    others = 0
    mine: Fields = {}
    for folder, inner in objects_in(content.get(_CLAUDE_PROJECTS)):
        if project is not None and Path(folder) == project:
            mine = fields_of(inner.get(_CLAUDE_SERVERS))
        else:
            others += len(fields_of(inner.get(_CLAUDE_SERVERS)))
    found.add_all({**fields_of(content.get(_CLAUDE_SERVERS)), **mine})
    if others:
        found.notes.append(
            f"{others} servers belong to other projects: run the import in their folders."
        )
    return found


_VSCODE_INPUT = re.compile(r"\$\{input:([^}]*)\}")
_VSCODE_ENVIRONMENT = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")


def is_vscode(content: Fields) -> bool:
    """Say whether the file is VS Code's: its own, or its settings with `mcp` inside."""
    return bool(_find_vscode_holder(content))


def find_vscode(content: Fields) -> ForeignServers:
    """Take the servers; their placeholders are translated text by text, later."""
    found = ForeignServers("VS Code")
    found.add_all(_find_vscode_holder(content).get("servers"))
    return found


def _find_vscode_holder(content: Fields) -> Fields:
    for holder in (content, fields_of(content.get("mcp"))):
        if objects_in(holder.get("servers")) or ("inputs" in holder and "servers" in holder):
            return holder
    return {}


def translate_vscode_variables(text: str, folder: Path | None, asked: set[str]) -> str:
    """Write VS Code's placeholders as variables; those it would ask for are added to `asked`."""

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
    """Say whether the file is opencode's."""
    return any(
        fields.get("type") in _OPENCODE_KINDS for _, fields in objects_in(content.get("mcp"))
    )


def find_opencode(content: Fields) -> ForeignServers:
    """Bring opencode's keys into ours."""
    found = ForeignServers("opencode")
    for name, fields in objects_in(content.get("mcp")):
        if fields.get("type") not in _OPENCODE_KINDS:
            # Without a type it only switches a server of another file on or off.
            found.notes.append(f"{name!r} is neither 'local' nor 'remote' and was left out.")
            continue
        found.entries.append((name, _translate_opencode_fields(fields)))
    return found


def _translate_opencode_fields(fields: Fields) -> Fields:
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


def translate_opencode_variables(text: str) -> str:
    """Write opencode's variables as ours."""
    return _OPENCODE_VARIABLE.sub(r"${\1}", text)
