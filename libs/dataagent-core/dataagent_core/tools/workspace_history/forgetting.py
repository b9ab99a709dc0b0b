"""Removes what is kept of a session that is deleted, in whichever workspaces it worked."""

from pathlib import Path

from dataagent_core.tools.command_changes.store_file import open_store
from dataagent_core.tools.workspace_history.lock import locked
from dataagent_core.tools.workspace_history.rows import HistoryRows


def forget_session(shadows: Path, session_id: str) -> None:
    """Remove its calls and changes; contents nothing else needs go with the next clean-up."""
    if not shadows.is_dir():
        return
    for folder in sorted(path for path in shadows.iterdir() if path.is_dir()):
        with locked(folder), open_store(folder) as store:
            rows = HistoryRows(store.connection)
            with rows.transaction():
                rows.forget(session_id)
