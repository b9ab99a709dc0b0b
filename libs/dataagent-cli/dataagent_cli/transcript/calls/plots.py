"""A chart the agent drew, as text beneath its line: from the spec that lies beside the picture."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.output.sanitize import sanitize_text
from dataagent_core.errors import DataAgentError

if TYPE_CHECKING:
    from dataagent_core.events import ToolResultEvent

# Gives the bytes of a file of the workspace, or nothing when it is gone or larger than asked for.
Read = Callable[[str, int], bytes | None]

_SPEC_ENDING = ".vl.json"
_SPEC_BYTES_MAX = 5_000_000
_INDENT_CELLS = 4


def reader_of(workspace: Path) -> Read:
    """Read files beneath a directory of this machine, whatever links lie in it."""

    def read(path: str, bytes_max: int) -> bytes | None:
        from dataagent_core.sandbox.files.safe_root import SafeRoot

        try:
            return SafeRoot(workspace, links="beneath").read_bytes(path, bytes_max)
        except (DataAgentError, OSError, ValueError):
            return None  # changed or gone by now: its path is shown anyway

    return read


def plot_lines(event: "ToolResultEvent", read: Read, width_cells: int) -> list[str]:
    """Give the lines of the charts a call made; none when there is none to be read."""
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
    """Say whether a file is a chart's spec and not something a person opens."""
    return path.endswith(_SPEC_ENDING)
