"""Finds in a workspace what rules deny to read, so that no program can open it.

It is looked for before each command. A folder that is denied as a whole is covered as a whole.
"""

import os
import posixpath
import stat
from collections.abc import Iterator, Sequence

from dataagent_core.config.limits import DENIED_ENTRIES_MAX, DENIED_MASKS_MAX
from dataagent_core.errors import DeniedError
from dataagent_core.permissions.denied_reads import DeniedReads, denied_reads
from dataagent_core.permissions.rule import RuleSet
from dataagent_core.sandbox.masks import FindMasks, Mask, no_masks

# Git's own copies lie in there, under names that are hashes.
_OBJECTS = ".git/objects"


def find_denied(rules: RuleSet) -> FindMasks:
    """Give what looks for the files and folders that rules deny; it costs nothing without any."""
    denied = denied_reads(rules)
    if not denied:
        return no_masks

    def find(workspace_fd: int) -> Sequence[Mask]:
        found: dict[str, Mask] = {}
        for start in denied.starts:
            for mask in _below(start, workspace_fd, denied):
                found[mask.path] = mask
                if len(found) > DENIED_MASKS_MAX:
                    raise DeniedError(
                        f"Rules deny reading more than {DENIED_MASKS_MAX} files below /{start}: "
                        "they cannot all be covered. Deny the folders they lie in."
                    )
        return list(found.values())

    return find


def _below(start: str, workspace_fd: int, denied: DeniedReads) -> Iterator[Mask]:
    waiting, seen = [start], 0
    while waiting:
        path = waiting.pop()
        status = _status(path, workspace_fd)
        if status is None:
            continue
        is_folder = stat.S_ISDIR(status.st_mode)
        if path and stat.S_ISLNK(status.st_mode):
            yield from _behind_link(path, workspace_fd, denied)
            continue
        if path and (denied.holds_below if is_folder else denied.holds)(f"/{path}"):
            yield _mask(path, status, denied)
            continue
        if not is_folder or path.endswith(_OBJECTS):
            continue
        names = _names(path, workspace_fd)
        seen += len(names)
        if seen > DENIED_ENTRIES_MAX:
            raise DeniedError(
                f"A rule denies reading files anywhere below /{start}, which holds more than "
                f"{DENIED_ENTRIES_MAX} entries: they cannot all be covered. Name a folder in it."
            )
        waiting += [f"{path}/{name}".strip("/") for name in names]


def _behind_link(path: str, workspace_fd: int, denied: DeniedReads) -> Iterator[Mask]:
    """Cover what a denied link leads to in the workspace: a link itself cannot be covered."""
    if not denied.holds(f"/{path}"):
        return
    root = os.readlink(f"/proc/self/fd/{workspace_fd}")  # noqa: PTH115 - not a real path
    real = os.path.realpath(posixpath.join(root, path))
    if real.startswith(f"{root}/"):
        target = real[len(root) + 1 :]
        status = _status(target, workspace_fd)
        if status is not None:
            yield _mask(target, status, denied)


def _mask(path: str, status: os.stat_result, denied: DeniedReads) -> Mask:
    names = path.split("/")[:-1]
    above = ["/".join(names[:deep]) for deep in range(1, len(names) + 1)]
    return Mask(
        f"/{path}",
        stat.S_ISDIR(status.st_mode),
        (status.st_dev, status.st_ino),
        tuple(folder for folder in above if denied.hangs_on(f"/{folder}", f"/{path}")),
    )


def _status(path: str, workspace_fd: int) -> os.stat_result | None:
    try:
        return os.stat(path or ".", dir_fd=workspace_fd, follow_symlinks=False)
    except OSError:
        return None


def _names(path: str, workspace_fd: int) -> list[str]:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        folder = os.open(path or ".", flags, dir_fd=workspace_fd)
    except OSError:
        return []
    try:
        return os.listdir(folder)  # noqa: PTH208 - a descriptor, not a path
    finally:
        os.close(folder)
