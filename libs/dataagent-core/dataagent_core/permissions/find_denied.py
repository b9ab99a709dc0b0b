"""Finds in a workspace what rules deny to read, so that no program can open it.

It is looked for before each command. A folder that is denied as a whole is covered as a whole.
"""

import os
import posixpath
import stat
from collections.abc import Iterator, Sequence
from itertools import chain

from dataagent_core.config.limits import DENIED_ENTRIES_MAX, DENIED_MASKS_MAX
from dataagent_core.errors import DeniedError
from dataagent_core.permissions.denied_links import other_names
from dataagent_core.permissions.denied_reads import DeniedReads, denied_reads
from dataagent_core.permissions.folder_entries import entries_of
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
        by_name = (_below(start, workspace_fd, denied) for start in denied.starts)
        found: dict[str, Mask] = {}
        for mask in chain(*by_name, other_names(workspace_fd, denied)):
            found[mask.path] = mask
            if len(found) > DENIED_MASKS_MAX:
                raise DeniedError(
                    f"Rules deny reading more than {DENIED_MASKS_MAX} files of the workspace: they "
                    "cannot all be covered. Deny the folders they lie in."
                )
        return list(found.values())

    return find


def _below(start: str, workspace_fd: int, denied: DeniedReads) -> Iterator[Mask]:
    status = _status(start, workspace_fd)
    if status is None:
        return
    kind = stat.S_IFMT(status.st_mode)
    waiting = [start] if kind == stat.S_IFDIR else []
    if start and (mask := _covered(start, kind, workspace_fd, denied)):
        yield mask
        return
    seen = 0
    while waiting:
        folder = waiting.pop()
        for name, kind in entries_of(folder, workspace_fd):
            path = f"{folder}/{name}".strip("/")
            seen += 1
            if mask := _covered(path, kind, workspace_fd, denied):
                yield mask
            elif kind == stat.S_IFDIR and not path.endswith(_OBJECTS):
                waiting.append(path)
        if seen > DENIED_ENTRIES_MAX:
            raise DeniedError(
                f"A rule denies reading files anywhere below /{start}, which holds more than "
                f"{DENIED_ENTRIES_MAX} entries: they cannot all be covered. Name a folder in it."
            )


def _covered(path: str, kind: int, workspace_fd: int, denied: DeniedReads) -> Mask | None:
    """Say how a path is covered, if it is denied."""
    holds = denied.holds_below if kind == stat.S_IFDIR else denied.holds
    if not holds(f"/{path}"):
        return None
    real = _behind_link(path, workspace_fd) if kind == stat.S_IFLNK else path
    status = None if real is None else _status(real, workspace_fd)
    return None if real is None or status is None else _mask(real, status, denied)


def _behind_link(path: str, workspace_fd: int) -> str | None:
    """Find what a link leads to in the workspace: the link itself cannot be covered."""
    root = os.readlink(f"/proc/self/fd/{workspace_fd}")  # noqa: PTH115 - not a real path
    real = os.path.realpath(posixpath.join(root, path))
    return real[len(root) + 1 :] if real.startswith(f"{root}/") else None


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
