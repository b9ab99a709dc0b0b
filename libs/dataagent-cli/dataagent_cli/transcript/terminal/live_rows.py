"""What still changes, put together to fit above the prompt. Pure."""

from collections.abc import Sequence

from rich.text import Text

from dataagent_cli.transcript.terminal.line_breaks import cut_to
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

# The prompt, the status line and some room to see what came before.
_ROWS_KEPT_FREE = 8
_ROWS_MIN = 4


def fit_rows(text: Sequence[Text], rows: Sequence[Text], look: TerminalStyle) -> list[Text]:
    """Give all rows that fit, and of the text being written its end."""
    room = max(_ROWS_MIN, look.height_rows - _ROWS_KEPT_FREE)
    below = list(rows)[:room]
    above = list(text)[-(room - len(below)) :] if room > len(below) else []
    return [cut_to(line, look.room_cells) for line in (*above, *below)]
