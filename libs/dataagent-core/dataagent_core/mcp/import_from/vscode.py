"""VS Code: `servers` by name, and `inputs` that it would ask the person for."""

import re
from pathlib import Path

from dataagent_core.mcp.import_from.foreign_servers import (
    Fields,
    ForeignServers,
    fields_of,
    objects_in,
)

_INPUT = re.compile(r"\$\{input:([^}]*)\}")
_ENVIRONMENT = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")


def is_vscode(content: Fields) -> bool:
    """Say whether the file is VS Code's: its own, or its settings with `mcp` inside."""
    return bool(_holder(content))


def find_vscode(content: Fields) -> ForeignServers:
    """Take the servers; their placeholders are translated text by text, later."""
    found = ForeignServers("VS Code")
    found.add_all(_holder(content).get("servers"))
    return found


def _holder(content: Fields) -> Fields:
    for holder in (content, fields_of(content.get("mcp"))):
        if objects_in(holder.get("servers")) or ("inputs" in holder and "servers" in holder):
            return holder
    return {}


def with_our_variables(text: str, folder: Path | None, asked: set[str]) -> str:
    """Write VS Code's placeholders as variables; those it would ask for are added to `asked`."""

    def variable(found: re.Match[str]) -> str:
        name = re.sub(r"\W", "_", found[1], flags=re.ASCII).upper()
        name = name if name[:1].isalpha() else f"INPUT_{name}"
        asked.add(name)
        return f"${{{name}}}"

    text = _ENVIRONMENT.sub(r"${\1}", _INPUT.sub(variable, text))
    text = text.replace("${userHome}", "${HOME}")
    return text if folder is None else text.replace("${workspaceFolder}", str(folder))
