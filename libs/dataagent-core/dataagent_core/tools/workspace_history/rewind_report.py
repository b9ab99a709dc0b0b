"""Events and notices of a rewind."""

from collections.abc import Sequence

from dataagent_core.config.limits import SHADOW_BYTES_MAX, SHADOW_FILE_BYTES_MAX, SHADOW_FILES_MAX
from dataagent_core.config.limits.history import REWIND_PLACES_NAMED_MAX
from dataagent_core.events import FileOperationEvent
from dataagent_core.language.unicode_text import storable
from dataagent_core.tools.command_changes.change_records import make_change_records
from dataagent_core.tools.command_changes.workspace_shadow import ReadContent
from dataagent_core.tools.command_changes.workspace_snapshot import WorkspaceSnapshot
from dataagent_core.tools.workspace_history.history_store import PastChange

TOOL = "rewind"
# Begins the id of every event of a rewind.
EVENT_PREFIX = "rewind:"


def make_rewind_events(
    past: Sequence[PastChange], contents: ReadContent
) -> list[FileOperationEvent]:
    """Make the event of each restored file; a repeated change has the same id again."""
    events: list[FileOperationEvent] = []
    for number, record in enumerate(
        make_change_records(TOOL, [p.change for p in past], contents)[0]
    ):
        # Beyond the limit the last event counts the rest.
        untold = past[min(number, len(past) - 1)].untold
        events.append(
            FileOperationEvent(
                event_id=f"{EVENT_PREFIX}{untold}",
                operation=record.operation,
                file_path=storable(record.display_path),
                metrics={**record.metrics, TOOL: 1},
                diff=storable(record.diff),
                status=record.status,
            )
        )
    return events


def describe_untracked(now: WorkspaceSnapshot) -> list[str]:
    """Return notices on the parts of a workspace that cannot be restored."""
    notices: list[str] = []
    if places := sorted(now.passed_over):
        named = ", ".join(f"{place}/" for place in places[:REWIND_PLACES_NAMED_MAX])
        more = len(places) - REWIND_PLACES_NAMED_MAX
        tail = f" and {more} more" if more > 0 else ""
        notices.append(f"Not looked into, and so as they are: {named}{tail}.")
    if places := sorted(place or "/" for place in now.unreadable):
        named = ", ".join(places[:REWIND_PLACES_NAMED_MAX])
        notices.append(f"Cannot be opened, and so as they are: {named}.")
    if not now.complete:
        notices.append("The workspace has more entries than are looked at; the deepest are as is.")
    large = sum(state.sha256 is None for state in now.files.values())
    if large:
        notices.append(
            f"{large} files are not kept, and what an agent changes in them cannot go back: kept "
            f"are files up to {SHADOW_FILE_BYTES_MAX} bytes, the first {SHADOW_FILES_MAX} of them "
            f"and {SHADOW_BYTES_MAX} bytes in all."
        )
    return notices
