"""What a command changed in the workspace, seen by comparing before with after.

A shadow of the workspace, outside of it, holds the contents of its files under their hashes. It is
brought up to date before and after each command; only files whose `stat` changed are read.

    workspace_shadow.py       which directories are passed over, and why
    workspace_snapshot.py     the value: path -> hash, size and mode
    content_update.py      one file, exactly as it was surveyed
    content_store.py        contents and index; content_database.py, the SQLite file they are in;
                    workspace_shadow.py, the private folder that lies in
    workspace_shadow.py       brings the store up to date and gives a snapshot; content_update.py
    reads what is
                    new, as far as content_update.py goes
    snapshot_diff.py   two snapshots -> changes. Pure
    change_records.py      changes -> records with metrics and diffs, bounded
    change_notices.py      what is said when something could not be seen
    command_watch.py        before and after a command; `workspace_history/` asks it for every call
    program_marker.py       how a tool says that it runs programs

What is seen is what changed while the command ran, whoever changed it. Empty directories, pipes,
sockets and devices have no content and are not followed. `.gitignore` has no say here: a command
could write one to hide what it does.
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
