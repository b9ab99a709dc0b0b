"""Changes as records for events: counts, and a unified diff where both contents are kept.

`describe_unseen` and `describe_failure` word what could not be seen.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.config.limits import (
    COMMAND_CHANGES_MAX,
    COMMAND_DIFF_CHARS_MAX,
    COMMAND_PLACES_NAMED_MAX,
    SHADOW_BYTES_MAX,
    SHADOW_ENTRIES_SEEN_MAX,
    SHADOW_FILE_BYTES_MAX,
    SHADOW_FILES_MAX,
)
from dataagent_core.tools.command_changes.snapshot_diff import SnapshotChange
from dataagent_core.tools.command_changes.workspace_shadow import ReadContent
from dataagent_core.tools.command_changes.workspace_snapshot import FileState, WorkspaceSnapshot
from dataagent_core.tools.file_tracker import FileOpRecord
from dataagent_core.tools.output.file_diff import compare_file

logger = logging.getLogger(__name__)


def describe_unseen(after: WorkspaceSnapshot) -> list[str]:
    """Return notices on the parts of the workspace that were not read."""
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
    """Return the notice of a report that failed."""
    logger.warning("a command's changes cannot be seen", exc_info=error)
    return (
        f"What the command changed in the workspace is not known: {type(error).__name__}: {error}."
    )


@dataclass(frozen=True, slots=True)
class ChangeComparison:
    """The comparison of one change; `missing` if a content to compare is not stored."""

    metrics: dict[str, int]
    diff: str | None
    missing: bool = False


def make_change_records(
    tool_name: str, changes: Sequence[SnapshotChange], contents: ReadContent
) -> tuple[list[FileOpRecord], list[str]]:
    """Make a record of each change, up to a limit, and notices on what is left out."""
    records: list[FileOpRecord] = []
    not_kept = too_long = chars = 0
    for change in changes[:COMMAND_CHANGES_MAX]:
        compared = _compare_change(change, contents)
        diff = compared.diff
        if diff is not None and chars + len(diff) > COMMAND_DIFF_CHARS_MAX:
            diff = None
            too_long += 1
        chars += len(diff or "")
        not_kept += compared.missing
        records.append(
            _make_record(tool_name, change.operation, change.path, compared.metrics, diff)
        )
    if left := Counter(change.operation for change in changes[COMMAND_CHANGES_MAX:]):
        metrics = {f"more_{operation}": count for operation, count in sorted(left.items())}
        records.append(_make_record(tool_name, "more", "/", metrics, None))
    return records, _describe_missing_diffs(not_kept, too_long)


def _describe_missing_diffs(not_kept: int, too_long: int) -> list[str]:
    notices: list[str] = []
    if not_kept:
        notices.append(
            f"{not_kept} of the changes come without a diff: only files up to "
            f"{SHADOW_FILE_BYTES_MAX} bytes are kept to compare with, the first {SHADOW_FILES_MAX} "
            f"of them and {SHADOW_BYTES_MAX} bytes in all, and none that cannot be read."
        )
    if too_long:
        notices.append(
            f"{too_long} of the changes come without a diff: {COMMAND_DIFF_CHARS_MAX} characters "
            "of diffs are recorded of one command."
        )
    return notices


def _make_record(
    tool_name: str, operation: str, path: str, metrics: dict[str, int], diff: str | None
) -> FileOpRecord:
    return FileOpRecord(
        tool_name=tool_name,
        operation=operation,
        display_path=path,
        metrics=metrics,
        diff=diff,
        status="success",
    )


def _compare_change(change: SnapshotChange, contents: ReadContent) -> ChangeComparison:
    if change.path.endswith("/"):
        return ChangeComparison({}, None)
    sizes = _size_metrics(change)
    modes = _mode_lines(change)
    if _has_same_content(change):
        return ChangeComparison(sizes, modes.rstrip("\n") or None)
    before, after = _read_content(change.before, contents), _read_content(change.after, contents)
    if before is None or after is None:
        return ChangeComparison(sizes, modes.rstrip("\n") or None, missing=True)
    metrics, diff = compare_file(change.path, before, after)
    return ChangeComparison(sizes | metrics, diff if diff is None else modes + diff)


def _has_same_content(change: SnapshotChange) -> bool:
    before, after = change.before, change.after
    if before is None or after is None or before.sha256 is None:
        return False
    return before.sha256 == after.sha256


def _read_content(state: FileState | None, contents: ReadContent) -> bytes | None:
    if state is None:
        return b""
    return None if state.sha256 is None else contents(state.sha256)


def _size_metrics(change: SnapshotChange) -> dict[str, int]:
    before, after = change.before, change.after
    return {
        **({"bytes_before": before.size_bytes} if before else {}),
        "bytes_written": after.size_bytes if after else 0,
    }


def _mode_lines(change: SnapshotChange) -> str:
    before, after = change.before, change.after
    if before is None or after is None or before.mode == after.mode:
        return ""
    return f"old mode {before.mode:o}\nnew mode {after.mode:o}\n"
