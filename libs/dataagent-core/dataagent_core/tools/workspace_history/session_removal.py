"""Removes the history of a deleted session from all workspaces."""

from pathlib import Path

from dataagent_core.tools.command_changes.content_database import open_content_database
from dataagent_core.tools.workspace_history.history_store import HistoryStore
from dataagent_core.tools.workspace_history.workspace_lock import lock_workspace


def forget_session(shadows: Path, session_id: str) -> None:
    """Remove its calls and changes; unreferenced contents are removed by the next clean-up."""
    if not shadows.is_dir():
        return
    for folder in sorted(path for path in shadows.iterdir() if path.is_dir()):
        with lock_workspace(folder), open_content_database(folder) as store:
            rows = HistoryStore(store.connection)
            with rows.transaction():
                rows.forget(session_id)
