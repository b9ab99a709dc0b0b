"""What a command changed in the workspace, found by comparing snapshots before and after.

`workspace_shadow.py` keeps the contents of files by hash (`content_database.py`) and reads only
files whose `stat` changed. `snapshot_diff.py` compares two `workspace_snapshot.py`,
`change_records.py` makes bounded records, and `command_watch.py` does this around a command.
Changes count whoever made them. Empty directories, pipes, sockets and devices are not followed;
`.gitignore` is ignored, because a command could write one to hide changes.
"""

from dataagent_core.tools.command_changes.command_watch import (
    CommandReport,
    CommandWatch,
    RunningCommand,
)
from dataagent_core.tools.command_changes.program_marker import make_program_metadata, runs_programs

__all__ = [
    "CommandReport",
    "CommandWatch",
    "RunningCommand",
    "make_program_metadata",
    "runs_programs",
]
