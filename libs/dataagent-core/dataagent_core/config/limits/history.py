"""Limits of the workspace history, which a rewind restores files from."""

from typing import Final

# The oldest go first when there are more, when they are older, or when what only they need is more.
HISTORY_CALLS_MAX: Final = 10_000
HISTORY_S_MAX: Final = 30 * 86_400.0
HISTORY_BYTES_MAX: Final = 200_000_000
# Pruned when the first call of a process begins, then after so many calls.
HISTORY_PRUNED_EVERY_CALLS: Final = 100

# One snapshot or rewind at a time in a workspace; how long another one waits for it.
HISTORY_LOCK_S: Final = 30.0
HISTORY_LOCK_PAUSE_S: Final = 0.01
# How long a call of another session counts as still running.
HISTORY_OTHERS_S: Final = 2 * 3_600.0

# Empty folders a rewind clears out of the way of a file.
REWIND_FOLDERS_CLEARED_MAX: Final = 200
# The files that a report about a rewind names.
REWIND_FILES_TOLD_MAX: Final = 50
REWIND_KEPT_LISTED_MAX: Final = 1_000
REWIND_PLACES_NAMED_MAX: Final = 20
