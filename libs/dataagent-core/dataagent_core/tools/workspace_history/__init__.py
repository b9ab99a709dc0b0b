"""Earlier states of a workspace, and the rewind to them.

Before and after every call that may touch files a snapshot is taken (`call_watch.py`, which shares
the store of `command_changes`), and `call_recorder.py` records what changed as the agent's.
`rewind_plan.py` plans a rewind, `file_rewind.py` executes it, `workspace_history.py` offers rewind,
undo and changes to the clients. `history_store.py` stores calls and changes, `history_retention.py`
removes old ones. A file is restored only if nobody but the agent changed it since; all others are
listed.
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
