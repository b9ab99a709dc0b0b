"""Limits of what is shown, kept and processed at once; each with its unit."""

from typing import Final

# A longer block of Markdown is printed in parts, so that the part that is rendered again at every
# redraw stays small.
BLOCK_LINES_MAX: Final = 60
BLOCK_CHARS_MAX: Final = 8_000
LINE_CHARS_MAX: Final = 4_000
CODE_LINES_AT_ONCE: Final = 20
COLOURED_CHARS_MAX: Final = 3_000
TABLE_LINES_AT_ONCE: Final = 60
TABLE_HEAD_CHARS_MAX: Final = 2_000

# Longer text is cut.
ERROR_LINES_MAX: Final = 20
DIFF_LINES_MAX: Final = 40
CHANGES_SHOWN_MAX: Final = 8
SAID_LINES_MAX: Final = 12
PLAN_LINES_MAX: Final = 30
UNFOLDED_LINES_MAX: Final = 2_000
UNFOLDED_CHARS_MAX: Final = 200_000
# How many of the latest items can be unfolded.
FOLDED_MAX: Final = 300
SUBAGENT_CALLS_KEPT_MAX: Final = 200

LIVE_ROWS_OF_CALLS_MAX: Final = 8
LIVE_ROWS_OF_PLAN_MAX: Final = 8
LIVE_ROWS_OF_THOUGHT_MAX: Final = 2
THOUGHT_CHARS_KEPT_MAX: Final = 100_000

# Pictures: limits of reading, decoding and sending to the terminal.
PICTURE_BYTES_MAX: Final = 20_000_000
PICTURE_PIXELS_MAX: Final = 40_000_000
PICTURE_WIDTH_CELLS_MAX: Final = 80
PICTURE_HEIGHT_CELLS_MAX: Final = 24
PICTURES_OF_CALL_MAX: Final = 4
FILES_OF_CALL_MAX: Final = 8
