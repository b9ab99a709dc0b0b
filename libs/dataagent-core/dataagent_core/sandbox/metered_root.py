"""A `SafeRoot` whose writes are counted against a quota before they happen.

Every host-side write into a person's workspace goes through it: the file tools' and deepagents'.
"""

from pathlib import Path

from dataagent_core.errors import NotFoundError
from dataagent_core.sandbox.acting import acting_as
from dataagent_core.sandbox.masks import DeniedNow, nothing_denied
from dataagent_core.sandbox.quota import Growth, WorkspaceQuota
from dataagent_core.sandbox.safe_node import Node
from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.sandbox.safe_paths import parts_of, shown_path
from dataagent_core.sandbox.safe_restore import Held, IsExpected
from dataagent_core.sandbox.safe_write import Expected


class MeteredRoot(SafeRoot):
    """Opens as a server does: no links, regular files with one name. `owner` owns what is made."""

    def __init__(
        self,
        path: Path,
        quota: WorkspaceQuota,
        owner: int | None = None,
        denied_now: DeniedNow = nothing_denied,
    ) -> None:
        super().__init__(path, links="refuse", denied_now=denied_now)
        self.quota = quota
        self.owner = owner

    def ruled_by(self, denied_now: DeniedNow) -> "MeteredRoot":
        """Open the same directory, without reading what rules deny."""
        return MeteredRoot(self.path, self.quota, self.owner, denied_now)

    def write_atomic(self, path: str, data: bytes, *, expected: Expected = None) -> None:
        """Write a whole file if there is room for what it adds."""

        def growth() -> Growth:
            before = self._node(path)
            added_bytes = len(data) - (before.size_bytes if before else 0)
            return Growth(added_bytes, 0 if before else missing_entries(self, path))

        with self.quota.writing(growth), acting_as(self.owner):
            super().write_atomic(path, data, expected=expected)

    def unlink(self, path: str) -> None:
        """Remove a file, or a link itself, and give its room back."""

        def growth() -> Growth:
            before = self._node(path)
            return Growth(-before.size_bytes if before and before.links == 1 else 0, -1)

        with self.quota.writing(growth), acting_as(self.owner):
            super().unlink(path)

    def put_back(self, path: str, wanted: Held | None, is_expected: IsExpected) -> None:
        """Let a name hold what it held before, if there is room for what that adds."""

        def growth() -> Growth:
            before = self.look_at(path)
            held_bytes = before.size_bytes if before and before.kind == "file" else 0
            if wanted is None:
                return Growth(-held_bytes if before and before.links == 1 else 0, -1)
            added_files = 0 if before else missing_entries(self, path)
            return Growth(len(wanted.data) - held_bytes, added_files)

        with self.quota.writing(growth), acting_as(self.owner):
            super().put_back(path, wanted, is_expected)

    def _node(self, path: str) -> Node | None:
        try:
            return self.stat_any(path)
        except NotFoundError:
            return None


def missing_entries(root: SafeRoot, path: str) -> int:
    """Count the names of a path that do not exist yet: the file, and folders above it."""
    parts = parts_of(path)
    there = 0
    while there < len(parts) and root.exists(shown_path(parts[: there + 1])):
        there += 1
    return len(parts) - there
