"""Limits of the stores."""

from typing import Final

# How much of a deleted session is removed in one transaction: some milliseconds of SQLite's writer.
REMOVED_ROWS_AT_ONCE_MAX: Final = 2_000
REMOVALS_AT_ONCE_MAX: Final = 100
