"""Earlier states of a workspace, and the way back to them.

Before and after every call that may touch files the workspace is looked at (`command_changes`,
whose store of contents this shares), and what changed meanwhile is written down as the agent's. So
for each file it is known what it held before the agent's first change, and what the agent left.

    which.py        the calls that are watched
    watch.py        before and after a call; what the pipeline uses
    record.py       what changed since the last look, and whose it is
    rows.py         calls and changes in the store; seen.py, the last look; pruning.py, what goes
    lock.py         one look or rewind at a time in a workspace, whichever process
    plan.py         what a rewind would do. Pure
    putting_back.py does it, file by file
    telling.py      what was done as events, changes with their diffs
    runs.py         from a message to the runs since
    history.py      rewind, undo, changes: what the faces use; forgetting.py, a deleted session

A file goes back only if nobody but the agent changed it since; every other one is listed and left.
"""

from dataagent_core.tools.workspace_history.history import (
    Changed,
    FileChange,
    Rewound,
    WorkspaceHistory,
)
from dataagent_core.tools.workspace_history.plan import KeptFile, Why
from dataagent_core.tools.workspace_history.watch import CallWatch

__all__ = [
    "CallWatch",
    "Changed",
    "FileChange",
    "KeptFile",
    "Rewound",
    "Why",
    "WorkspaceHistory",
]
