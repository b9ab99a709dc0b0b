"""A `SafeRoot` whose writes are counted against a quota before they happen.

Every host-side write into a person's workspace goes through it: the file tools' and deepagents'.
"""

from pathlib import Path

from dataagent_core.errors import NotFoundError
from dataagent_core.sandbox.files.file_node import FileNode
from dataagent_core.sandbox.files.file_restore import IsExpected, StoredContent
from dataagent_core.sandbox.files.file_write import ExpectedVersion
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.files.user_switch import act_as
from dataagent_core.sandbox.files.workspace_quota import WorkspaceQuota, WriteGrowth
from dataagent_core.sandbox.paths.path_masks import FindDenials, deny_nothing
from dataagent_core.sandbox.paths.tool_paths import format_path, split_path


class MeteredRoot(SafeRoot):
    """Opens as a server does: no links, regular files with one name. `owner` owns what is made."""

    def __init__(
        self,
        path: Path,
        quota: WorkspaceQuota,
        owner: int | None = None,
        denied_now: FindDenials = deny_nothing,
    ) -> None:
        super().__init__(path, links="refuse", denied_now=denied_now)
        self.quota = quota
        self.owner = owner

    def with_rules(self, denied_now: FindDenials) -> "MeteredRoot":
        """Open the same directory, without reading what rules deny."""
        return MeteredRoot(self.path, self.quota, self.owner, denied_now)

    def write_atomic(self, path: str, data: bytes, *, expected: ExpectedVersion = None) -> None:
        """Write a whole file if the quota allows what it adds."""

        def growth() -> WriteGrowth:
            before = self._find_node(path)
            added_bytes = len(data) - (before.size_bytes if before else 0)
            return WriteGrowth(added_bytes, 0 if before else count_missing_entries(self, path))

        with self.quota.writing(growth), act_as(self.owner):
            super().write_atomic(path, data, expected=expected)

    def unlink(self, path: str) -> None:
        """Remove a file, or a link itself, and free its quota."""

        def growth() -> WriteGrowth:
            before = self._find_node(path)
            return WriteGrowth(-before.size_bytes if before and before.links == 1 else 0, -1)

        with self.quota.writing(growth), act_as(self.owner):
            super().unlink(path)

    def put_back(self, path: str, wanted: StoredContent | None, is_expected: IsExpected) -> None:
        """Restore the earlier content of a name, if the quota allows what that adds."""

        def growth() -> WriteGrowth:
            before = self.look_at(path)
            held_bytes = before.size_bytes if before and before.kind == "file" else 0
            if wanted is None:
                return WriteGrowth(-held_bytes if before and before.links == 1 else 0, -1)
            added_files = 0 if before else count_missing_entries(self, path)
            return WriteGrowth(len(wanted.data) - held_bytes, added_files)

        with self.quota.writing(growth), act_as(self.owner):
            super().put_back(path, wanted, is_expected)

    def _find_node(self, path: str) -> FileNode | None:
        try:
            return self.stat_any(path)
        except NotFoundError:
            return None


def count_missing_entries(root: SafeRoot, path: str) -> int:
    """Count the names of a path that do not exist yet: the file, and folders above it."""
    parts = split_path(path)
    there = 0
    while there < len(parts) and root.exists(format_path(parts[: there + 1])):
        there += 1
    return len(parts) - there
