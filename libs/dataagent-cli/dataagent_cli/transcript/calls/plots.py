"""A chart of the agent as text below its line, drawn from the spec beside the picture."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.output.sanitize import sanitize_text
from dataagent_core.errors import DataAgentError

if TYPE_CHECKING:
    from dataagent_core.events import ToolResultEvent

# Returns the bytes of a workspace file, or None if it is missing or too large.
Read = Callable[[str, int], bytes | None]

_SPEC_ENDING = ".vl.json"
_SPEC_BYTES_MAX = 5_000_000
_INDENT_CELLS = 4


def reader_of(workspace: Path) -> Read:
    """Return a reader of files in a directory of this machine; links cannot leave it."""

    def read(path: str, bytes_max: int) -> bytes | None:
        from dataagent_core.sandbox.files.safe_root import SafeRoot

        try:
            return SafeRoot(workspace, links="beneath").read_bytes(path, bytes_max)
        except (DataAgentError, OSError, ValueError):
            return None  # changed or removed since: its path is shown anyway

    return read


def plot_lines(event: "ToolResultEvent", read: Read, width_cells: int) -> list[str]:
    """Return the lines of a call's charts; none if no chart can be read."""
    specs = [str(file["path"]) for file in event.artifacts if is_spec(str(file.get("path", "")))]
    if not specs:
        return []
    from dataagent_core.tools.data.charts.terminal_chart import render_terminal_chart

    lines: list[str] = []
    for path in specs:
        try:
            spec = json.loads(read(path, _SPEC_BYTES_MAX) or b"")
        except ValueError:
            continue
        if isinstance(spec, dict):
            lines += sanitize_text(
                render_terminal_chart(spec, width_cells - _INDENT_CELLS)
            ).splitlines()
    return lines


def is_spec(path: str) -> bool:
    """Say whether a file is a chart's spec, which a person does not open."""
    return path.endswith(_SPEC_ENDING)
