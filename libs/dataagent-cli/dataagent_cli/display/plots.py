"""A chart the agent drew, as text beneath its line: from the spec that lies beside the picture."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.harmless import cleaned
from dataagent_core.errors import DataAgentError

if TYPE_CHECKING:
    from dataagent_core.events import ToolResultEvent

_SPEC_ENDING = ".vl.json"
_SPEC_BYTES_MAX = 5_000_000
_INDENT_CELLS = 4


def plot_lines(event: "ToolResultEvent", workspace: Path, width_cells: int) -> list[str]:
    """Give the lines of the charts a call made; none when there is none to be read."""
    specs = [str(file["path"]) for file in event.artifacts if _is_spec(str(file.get("path", "")))]
    if not specs:
        return []
    from dataagent_core.sandbox.safe_open import SafeRoot
    from dataagent_core.tools.data.charts.terminal import plotted

    root = SafeRoot(workspace, links="beneath")
    lines: list[str] = []
    for path in specs:
        try:
            spec = json.loads(root.read_bytes(path, _SPEC_BYTES_MAX))
        except (DataAgentError, OSError, ValueError):
            continue  # changed or gone by now: the picture's path is in the line above
        if isinstance(spec, dict):
            lines += cleaned(plotted(spec, width_cells - _INDENT_CELLS)).splitlines()
    return lines


def _is_spec(path: str) -> bool:
    return path.endswith(_SPEC_ENDING)
