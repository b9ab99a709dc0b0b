"""Limits of the prompt."""

from typing import Final

# Finished output is printed, and the live part drawn, at most this often.
FRAME_S: Final = 1 / 30
# The elapsed time of an active run is updated this often.
TICK_S: Final = 0.5
# How long to wait after Esc: it may be the beginning of a key like Alt-Enter.
ESCAPE_S: Final = 0.05
ESCAPE_THEN_KEY_S: Final = 0.25

LIVE_ROWS_MAX: Final = 16
# Rows for the input, the status line and some of the printed text.
ROWS_KEPT_MIN: Final = 8
INPUT_ROWS_MAX: Final = 10
COMPLETIONS_ROWS_MAX: Final = 6
QUEUE_ROWS_MAX: Final = 4
COMPLETIONS_MAX: Final = 50

PASTED_LINES_MAX: Final = 8
PASTED_CHARS_MAX: Final = 1_500
PASTES_KEPT_MAX: Final = 100

HISTORY_ENTRIES_MAX: Final = 2_000
HISTORY_ENTRY_CHARS_MAX: Final = 20_000
HISTORY_FILE_BYTES_MAX: Final = 10_000_000

# The number of runs that are shown of a resumed session.
RUNS_SHOWN_MAX: Final = 3
LINE_OUTPUT_LINES_MAX: Final = 200

# The owner of the clipboard may never deliver its content.
CLIPBOARD_S_MAX: Final = 5.0
CLIPBOARD_REASON_CHARS_MAX: Final = 200
# Text typed while a command has the terminal.
TYPED_AHEAD_BYTES_MAX: Final = 65_536
