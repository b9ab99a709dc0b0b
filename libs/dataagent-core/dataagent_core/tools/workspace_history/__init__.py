"""Earlier states of a workspace, and the way back to them.

Before and after every call that may touch files the workspace is looked at (`command_changes`,
whose store of contents this shares), and what changed meanwhile is written down as the agent's. So
for each file it is known what it held before the agent's first change, and what the agent left.

    watched_calls.py        the calls that are watched call_watch.py        before and after a call;
    what the pipeline uses call_recorder.py       what changed since the last look, and whose it is
    history_store.py         calls and changes in the store; last_look.py, the last look;
    history_retention.py, what goes workspace_lock.py         one look or rewind at a time in a
    workspace, whichever process rewind_plan.py         what a rewind would do. Pure file_rewind.py
    does it, file by file rewind_report.py      what was done as events, changes with their diffs
    rewind_runs.py         from a message to the runs since workspace_history.py      rewind, undo,
    changes: what the faces use; session_removal.py, a deleted session

A file goes back only if nobody but the agent changed it since; every other one is listed and left.
"""

from dataagent_core.tools.workspace_history.call_watch import CallWatch
from dataagent_core.tools.workspace_history.rewind_plan import KeptFile, KeptReason
from dataagent_core.tools.workspace_history.workspace_history import (
    ChangeReport,
    FileChange,
    RewindResult,
    WorkspaceHistory,
)

__all__ = [
    "CallWatch",
    "ChangeReport",
    "FileChange",
    "KeptFile",
    "KeptReason",
    "RewindResult",
    "WorkspaceHistory",
]
