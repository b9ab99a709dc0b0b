"""What a command changed in the workspace, seen by comparing before with after.

A shadow of the workspace, outside of it, holds the contents of its files under their hashes. It is
brought up to date before and after each command; only files whose `stat` changed are read.

    places.py       which directories are passed over, and why
    snapshot.py     the value: path -> hash, size and mode
    reading.py      one file, exactly as it was surveyed
    store.py        contents and index; store_file.py, the SQLite file they are in;
                    store_folder.py, the private folder that lies in
    shadow.py       brings the store up to date and gives a snapshot; catching_up.py reads what is
                    new, as far as budget.py goes
    difference.py   two snapshots -> changes. Pure
    records.py      changes -> records with metrics and diffs, bounded
    notices.py      what is said when something could not be seen
    watch.py        before and after a command; `workspace_history/` asks it for every call
    marker.py       how a tool says that it runs programs

What is seen is what changed while the command ran, whoever changed it. Empty directories, pipes,
sockets and devices have no content and are not followed. `.gitignore` has no say here: a command
could write one to hide what it does.
"""

from dataagent_core.tools.command_changes.marker import runs_programs, runs_programs_metadata
from dataagent_core.tools.command_changes.watch import CommandReport, CommandWatch, Watched

__all__ = ["CommandReport", "CommandWatch", "Watched", "runs_programs", "runs_programs_metadata"]
