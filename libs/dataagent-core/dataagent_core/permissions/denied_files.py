"""Finds in a workspace what rules deny to read, so that no program can open it.

The search runs before each command. A folder that is denied as a whole is covered as a whole.
Hard links to a denied file elsewhere in the workspace are searched only if it has more than one
name.
"""

import os
import posixpath
import stat
from collections.abc import Iterator, Sequence
from itertools import chain

from dataagent_core.config.limits import DENIED_ENTRIES_MAX, DENIED_MASKS_MAX
from dataagent_core.errors import DeniedError
from dataagent_core.permissions.denied_reads import DeniedReads, denied_reads
from dataagent_core.permissions.rules import RuleSet
from dataagent_core.sandbox.paths.closed_paths import FileIdentity
from dataagent_core.sandbox.paths.path_masks import FindMasks, PathMask, find_no_masks

# Git's own copies are in there, under names that are hashes.
_OBJECTS = ".git/objects"
_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def find_denied(rules: RuleSet) -> FindMasks:
    """Give the function that finds what rules deny; without such rules it finds nothing."""
    denied = denied_reads(rules)
    if not denied:
        return find_no_masks

    def find(workspace_fd: int) -> Sequence[PathMask]:
        by_name = (_find_below(start, workspace_fd, denied) for start in denied.starts)
        found: dict[str, PathMask] = {}
        for mask in chain(*by_name, _find_other_names(workspace_fd, denied)):
            found[mask.path] = mask
            if len(found) > DENIED_MASKS_MAX:
                raise DeniedError(
                    f"Rules deny reading more than {DENIED_MASKS_MAX} files of the workspace: they "
                    "cannot all be covered. Deny the folders they lie in."
                )
        return list(found.values())

    return find


def _find_below(start: str, workspace_fd: int, denied: DeniedReads) -> Iterator[PathMask]:
    status = _read_status(start, workspace_fd)
    if status is None:
        return
    kind = stat.S_IFMT(status.st_mode)
    waiting = [start] if kind == stat.S_IFDIR else []
    if start and (mask := _mask_if_denied(start, kind, workspace_fd, denied)):
        yield mask
        return
    seen = 0
    while waiting:
        folder = waiting.pop()
        for name, kind in _list_entries(folder, workspace_fd):
            path = f"{folder}/{name}".strip("/")
            seen += 1
            if mask := _mask_if_denied(path, kind, workspace_fd, denied):
                yield mask
            elif kind == stat.S_IFDIR and not path.endswith(_OBJECTS):
                waiting.append(path)
        if seen > DENIED_ENTRIES_MAX:
            raise DeniedError(
                f"A rule denies reading files anywhere below /{start}, which holds more than "
                f"{DENIED_ENTRIES_MAX} entries: they cannot all be covered. Name a folder in it."
            )


def _mask_if_denied(
    path: str, kind: int, workspace_fd: int, denied: DeniedReads
) -> PathMask | None:
    """Give the mask of a path, if it is denied."""
    holds = denied.holds_below if kind == stat.S_IFDIR else denied.holds
    if not holds(f"/{path}"):
        return None
    real = _resolve_link(path, workspace_fd) if kind == stat.S_IFLNK else path
    status = None if real is None else _read_status(real, workspace_fd)
    return None if real is None or status is None else _make_mask(real, status, denied)


def _resolve_link(path: str, workspace_fd: int) -> str | None:
    """Find what a link leads to in the workspace: the link itself cannot be covered."""
    root = os.readlink(f"/proc/self/fd/{workspace_fd}")  # noqa: PTH115 - not a real path
    real = os.path.realpath(posixpath.join(root, path))
    return real[len(root) + 1 :] if real.startswith(f"{root}/") else None


def _make_mask(path: str, status: os.stat_result, denied: DeniedReads) -> PathMask:
    names = path.split("/")[:-1]
    above = ["/".join(names[:deep]) for deep in range(1, len(names) + 1)]
    return PathMask(
        f"/{path}",
        stat.S_ISDIR(status.st_mode),
        (status.st_dev, status.st_ino),
        tuple(folder for folder in above if denied.hangs_on(f"/{folder}", f"/{path}")),
    )


def find_files_with_more_names(workspace_fd: int, denied: DeniedReads) -> frozenset[FileIdentity]:
    """List the denied files that have another name, by device and inode. It blocks."""
    found: set[FileIdentity] = set()
    for start in denied.starts:
        for path in (start, *_list_files_below(start, workspace_fd)):
            if path and denied.holds(f"/{path}"):
                status = _read_status(path, workspace_fd)
                if status and stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
                    found.add((status.st_dev, status.st_ino))
    return frozenset(found)


def _find_other_names(workspace_fd: int, denied: DeniedReads) -> Iterator[PathMask]:
    """Find the names that no rule denies of files that rules deny. It blocks."""
    wanted = find_files_with_more_names(workspace_fd, denied)
    if not wanted:
        return
    for path in _list_files_below("", workspace_fd):
        status = _read_status(path, workspace_fd)
        if status is None or (status.st_dev, status.st_ino) not in wanted:
            continue
        if not denied.holds(f"/{path}"):
            yield PathMask(f"/{path}", is_folder=False, identity=(status.st_dev, status.st_ino))


def _list_files_below(start: str, workspace_fd: int) -> Iterator[str]:
    waiting, left = [start], DENIED_ENTRIES_MAX
    while waiting and left > 0:
        folder = waiting.pop()
        for name, kind in _list_entries(folder, workspace_fd):
            left -= 1
            path = f"{folder}/{name}".strip("/")
            if kind == stat.S_IFDIR:
                waiting.append(path)
            elif kind == stat.S_IFREG:
                yield path


def _list_entries(path: str, workspace_fd: int) -> list[tuple[str, int]]:
    """List a folder with the kind of each entry, as `stat.S_IFMT` gives it; empty if it is none."""
    try:
        folder = os.open(path or ".", _LIST, dir_fd=workspace_fd)
    except OSError:
        return []
    try:
        with os.scandir(folder) as entries:
            return [(entry.name, _classify_entry(entry)) for entry in entries]
    finally:
        os.close(folder)


def _classify_entry(entry: os.DirEntry[str]) -> int:
    if entry.is_symlink():
        return stat.S_IFLNK
    return stat.S_IFDIR if entry.is_dir(follow_symlinks=False) else stat.S_IFREG


def _read_status(path: str, workspace_fd: int) -> os.stat_result | None:
    try:
        return os.stat(path or ".", dir_fd=workspace_fd, follow_symlinks=False)
    except OSError:
        return None
