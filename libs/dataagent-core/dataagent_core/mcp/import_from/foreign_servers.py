"""What was found in another product's file: its servers as they stand there, and the result."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

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
