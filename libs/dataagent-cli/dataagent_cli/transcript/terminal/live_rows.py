"""Fits the parts that still change above the prompt. Pure."""

from collections.abc import Sequence

from rich.text import Text

from dataagent_cli.transcript.terminal.line_breaks import cut_to
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

# Rows for the prompt, the status line and some earlier output.
_ROWS_KEPT_FREE = 8
_ROWS_MIN = 4


def fit_rows(text: Sequence[Text], rows: Sequence[Text], look: TerminalStyle) -> list[Text]:
    """Return all rows that fit, and the end of the streamed text."""
    room = max(_ROWS_MIN, look.height_rows - _ROWS_KEPT_FREE)
    below = list(rows)[:room]
    above = list(text)[-(room - len(below)) :] if room > len(below) else []
    return [cut_to(line, look.room_cells) for line in (*above, *below)]
