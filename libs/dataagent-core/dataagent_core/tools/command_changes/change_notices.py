"""What a person is told when a command's changes could not all be seen."""

import logging

from dataagent_core.config.limits import COMMAND_PLACES_NAMED_MAX, SHADOW_ENTRIES_SEEN_MAX
from dataagent_core.tools.command_changes.workspace_snapshot import WorkspaceSnapshot

logger = logging.getLogger(__name__)


def describe_unseen(after: WorkspaceSnapshot) -> list[str]:
    """Say which parts of the workspace were not looked at."""
    notices: list[str] = []
    if not after.complete:
        notices.append(
            f"The workspace has more than {SHADOW_ENTRIES_SEEN_MAX} entries; what commands change "
            "in its deepest folders is not seen."
        )
    if after.unreadable:
        named = sorted(path or "/" for path in after.unreadable)[:COMMAND_PLACES_NAMED_MAX]
        more = len(after.unreadable) - len(named)
        tail = f" and {more} more" if more else ""
        notices.append(
            f"What commands change in {', '.join(named)}{tail} is not seen: it cannot be opened."
        )
    return notices


def describe_failure(error: Exception) -> str:
    """Say that there is nothing to report, and why."""
    logger.warning("a command's changes cannot be seen", exc_info=error)
    return (
        f"What the command changed in the workspace is not known: {type(error).__name__}: {error}."
    )
