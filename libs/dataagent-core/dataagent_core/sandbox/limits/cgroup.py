"""A cgroup for one run, where a part of the tree is delegated to us: the kernel limits the totals.

It needs cgroup v2 with the `memory` and `pids` controllers enabled for the children of our own
group (systemd: `Delegate=yes` and DataAgent in a group below). With cgroup v1 the `pids` hierarchy
is used, where we may write to it: only the kernel can stop a command that forks faster than the
watchdog is scheduled. Version 1 knows no delegation, and our own group of `memory` is that
of whoever started us, to be measured and removed by them; so memory is held there only if the
operator made a group `dataagent` at the top of that hierarchy. Elsewhere the watchdog is alone.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Self
from uuid import uuid4

from dataagent_core.sandbox.limits.command_limits import CommandLimits

_MOUNTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
_NEEDED = {"memory", "pids"}
# Which controllers the groups below have; version 1 knows no such file.
_VERSION_2 = "cgroup.subtree_control"
_MEMORY_LIMIT = "memory.limit_in_bytes"


def find_delegated_group(own_groups: str, mounts: tuple[Path, ...] = _MOUNTS) -> Path | None:
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
    return _find_pids_group(own_groups, mounts)


def _find_pids_group(own_groups: str, mounts: tuple[Path, ...]) -> Path | None:
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


def find_memory_group(mounts: tuple[Path, ...] = _MOUNTS) -> Path | None:
    """Find the group of version 1's `memory` that the operator made for us."""
    for mount in mounts:
        group = mount / "memory" / "dataagent"
        if (group / _MEMORY_LIMIT).exists() and os.access(group, os.W_OK):
            return group
    return None


class Cgroup:
    """One group with the totals of one run; of version 1 there may be one for memory beside it."""

    def __init__(self, folder: Path, memory: Path | None = None) -> None:
        self._folder = folder
        self._memory = memory

    @classmethod
    def make(cls, parent: Path, limits: CommandLimits, mounts: tuple[Path, ...] = _MOUNTS) -> Self:
        """Make a group below `parent` with the limits of a run."""
        name = f"dataagent-{uuid4().hex[:12]}"
        folder = parent / name
        folder.mkdir()
        # The namespace's first process and the command's.
        (folder / "pids.max").write_text(str(limits.processes + 1))
        if (parent / _VERSION_2).exists():
            (folder / "memory.max").write_text(str(limits.memory_bytes))
            with suppress(OSError):  # there is no such file without swap
                (folder / "memory.swap.max").write_text("0")
            return cls(folder)
        given = find_memory_group(mounts)
        if given is None:
            return cls(folder)
        memory = given / name
        memory.mkdir()
        (memory / _MEMORY_LIMIT).write_text(str(limits.memory_bytes))
        with suppress(OSError):  # there is no such file without swap accounting
            (memory / "memory.memsw.limit_in_bytes").write_text(str(limits.memory_bytes))
        return cls(folder, memory)

    def add(self, pid: int) -> None:
        """Put a process into it; what it starts follows."""
        for folder in self._folders():
            (folder / "cgroup.procs").write_text(str(pid))

    def ran_out_of_memory(self) -> bool:
        """Say whether the kernel killed something in it."""
        events = (
            self._folder / "memory.events"
            if self._memory is None
            else self._memory / "memory.oom_control"
        )
        with suppress(OSError, ValueError):
            lines = events.read_text().splitlines()
            return any(name == "oom_kill" and int(count) for name, count in map(str.split, lines))
        return False

    def remove(self) -> None:
        """Take it away; its processes have ended."""
        for folder in self._folders():
            with suppress(OSError):
                folder.rmdir()

    def _folders(self) -> list[Path]:
        return [self._folder, *([] if self._memory is None else [self._memory])]
