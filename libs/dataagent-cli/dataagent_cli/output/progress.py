"""The progress of a call: one changing line on a terminal, elsewhere a line now and then."""

import math
import time
from collections.abc import Callable
from typing import Final

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.streams import Output
from dataagent_cli.output.text_width import cut

PLAIN_PAUSE_S: Final = 5.0
_BAR_CELLS: Final = 20
_WHOLE_MAX: Final = 1e15


class Progress:
    """Shows the progress of the calls of one run."""

    def __init__(self, output: Output, clock: Callable[[], float] = time.monotonic) -> None:
        self._output = output
        self._clock = clock
        self._last_s = -math.inf

    def show(self, progress: float, total: float | None, message: str | None) -> None:
        """Show one step; a step that comes too soon after the last plain line is skipped."""
        text = progress_line(progress, total, message or "")
        # The last cell stays free: a terminal would start a new line there.
        room = self._output.width_cells - 1
        if self._output.redraws:
            self._output.status(cut(text, room), dim=True)
        elif self._clock() - self._last_s >= PLAIN_PAUSE_S:
            self._last_s = self._clock()
            self._output.note(cut(text, room), dim=True)


def progress_line(
    progress: float, total: float | None, message: str, bar_cells: int = _BAR_CELLS
) -> str:
    """Write a step, as a bar if the total is known."""
    text = one_line(message)
    if text and total is None and progress == 0:
        return f"… {text}"
    if total is None or not total > 0:
        return f"… {_number(progress)} {text}".rstrip()
    full = round(bar_cells * min(max(progress / total, 0.0), 1.0))
    bar = "#" * full + "-" * (bar_cells - full)
    return f"[{bar}] {_number(progress)}/{_number(total)} {text}".rstrip()


def _number(value: float) -> str:
    whole = float(value).is_integer() and abs(value) < _WHOLE_MAX
    return str(int(value)) if whole else f"{value:g}"
