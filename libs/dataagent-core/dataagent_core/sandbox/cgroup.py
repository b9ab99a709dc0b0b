"""A cgroup for one run, where we were given a part of the tree: then the kernel holds the totals.

It needs cgroup v2 with the `memory` and `pids` controllers enabled for the children of our own
group (systemd: `Delegate=yes` and DataAgent in a group below). With cgroup v1 the `pids` hierarchy
alone is used, where we may write to it: memory can be watched, but whoever forks faster than the
watchdog is given the processor can only be stopped by the kernel. Elsewhere the watchdog is alone.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Self
from uuid import uuid4

from dataagent_core.sandbox.run_limits import RunLimits

_MOUNTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
_NEEDED = {"memory", "pids"}
# Which controllers the groups below have; version 1 knows no such file.
_VERSION_2 = "cgroup.subtree_control"


def delegated_parent(own_groups: str, mounts: tuple[Path, ...] = _MOUNTS) -> Path | None:
    """Find our own group, from the text of /proc/self/cgroup, if we may make groups below it."""
    for line in own_groups.splitlines():
        if not line.startswith("0::"):
            continue
        for mount in mounts:
            group = mount / line[3:].strip("/")
            with suppress(OSError):
                enabled = set((group / _VERSION_2).read_text().split())
                if enabled >= _NEEDED and os.access(group, os.W_OK):
                    return group
    return _counting_processes(own_groups, mounts)


def _counting_processes(own_groups: str, mounts: tuple[Path, ...]) -> Path | None:
    """Find our own group in version 1's hierarchy of `pids`."""
    for line in own_groups.splitlines():
        _, controllers, path = line.split(":", 2)
        if "pids" not in controllers.split(","):
            continue
        for mount in mounts:
            group = mount / controllers / path.strip("/")
            if (group / "cgroup.procs").exists() and os.access(group, os.W_OK):
                return group
    return None


class Cgroup:
    """One group with the totals of one run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def make(cls, parent: Path, limits: RunLimits) -> Self:
        """Make a group below `parent` with the limits of a run."""
        folder = parent / f"dataagent-{uuid4().hex[:12]}"
        folder.mkdir()
        # The namespace's first process and the command's.
        (folder / "pids.max").write_text(str(limits.processes + 1))
        if (parent / _VERSION_2).exists():
            (folder / "memory.max").write_text(str(limits.memory_bytes))
            with suppress(OSError):  # there is no such file without swap
                (folder / "memory.swap.max").write_text("0")
        return cls(folder)

    def add(self, pid: int) -> None:
        """Put a process into it; what it starts follows."""
        (self._folder / "cgroup.procs").write_text(str(pid))

    def ran_out_of_memory(self) -> bool:
        """Say whether the kernel killed something in it."""
        with suppress(OSError, ValueError):
            lines = (self._folder / "memory.events").read_text().splitlines()
            return any(name == "oom_kill" and int(count) for name, count in map(str.split, lines))
        return False

    def remove(self) -> None:
        """Take it away; its processes have ended."""
        with suppress(OSError):
            self._folder.rmdir()
