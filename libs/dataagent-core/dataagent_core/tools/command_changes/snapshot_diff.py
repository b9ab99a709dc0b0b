"""What changed between two snapshots of a workspace. Pure.

Absence proves something only where a snapshot looked: beneath a directory that one of the two
passed over or could not read, nothing is said. Such a directory is itself one change when it
appears or goes.
"""

import os
from dataclasses import dataclass

from dataagent_core.config.limits import SHADOW_STAMP_NS
from dataagent_core.tools.command_changes.workspace_snapshot import FileState, WorkspaceSnapshot


@dataclass(frozen=True, slots=True)
class SnapshotChange:
    """One file, or passed-over directory (`/x/`), before and after; `None` where there is none."""

    path: str
    before: FileState | None
    after: FileState | None

    @property
    def operation(self) -> str:
        """Name it as the file tools do."""
        if self.after is None:
            return "delete"
        return "write" if self.before is None else "edit"


_DIRECTORY = FileState(None, 0, 0o040000, 0)


def compare_snapshots(before: WorkspaceSnapshot, after: WorkspaceSnapshot) -> list[SnapshotChange]:
    """List the changes in byte order of their paths."""
    unknown = before.passed_over | after.passed_over | before.unreadable | after.unreadable
    found = [
        SnapshotChange(path, was, now)
        for path, now in after.files.items()
        if ((was := before.files.get(path)) is None or not was.equals(now))
        and (was is not None or _is_new(path, now, before, unknown))
    ]
    if after.complete:
        gone = before.files.keys() - after.files.keys()
        found += [
            SnapshotChange(p, before.files[p], None) for p in gone if not _beneath(p, unknown)
        ]
    found += _directories(before, after, unknown)
    return sorted(found, key=lambda change: os.fsencode(change.path))


def _is_new(path: str, now: FileState, before: WorkspaceSnapshot, unknown: frozenset[str]) -> bool:
    if _beneath(path, unknown):
        return False
    # A limit hid it, or it was not there: its time of change tells which.
    return before.complete or now.changed_ns >= before.taken_ns - SHADOW_STAMP_NS


def _directories(
    before: WorkspaceSnapshot, after: WorkspaceSnapshot, unknown: frozenset[str]
) -> list[SnapshotChange]:
    made = after.passed_over - before.passed_over if before.complete else ()
    gone = before.passed_over - after.passed_over if after.complete else ()
    found = [
        SnapshotChange(f"{path}/", None, _DIRECTORY) for path in made if not _beneath(path, unknown)
    ]
    return found + [
        SnapshotChange(f"{p}/", _DIRECTORY, None) for p in gone if not _beneath(p, unknown)
    ]


def _beneath(path: str, folders: frozenset[str]) -> bool:
    while path:
        path = path.rpartition("/")[0]
        if path in folders:
            return True
    return False
