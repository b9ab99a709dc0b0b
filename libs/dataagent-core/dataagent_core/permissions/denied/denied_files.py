"""Finds in a workspace what rules deny to read, so that no tool and no program can open it.

A permission decision sees the path that a call names, but a file can be reached in other ways. So
code that opens files checks the path it really reached with `DeniedReads`. Only denials are
enforced this way: a person may allow what is asked about.

Before each command the denied files are searched and covered. A folder that is denied as a whole is
covered as a whole. Hard links to a denied file elsewhere in the workspace are searched only if it
has more than one name.
"""

import os
import posixpath
import re
import stat
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from dataagent_core.config.limits import (
    DENIED_ENTRIES_MAX,
    DENIED_MASKS_MAX,
    PERMISSION_RULE_SETS_CACHED_MAX,
)
from dataagent_core.errors import DeniedError
from dataagent_core.permissions.patterns import PatternMatch, fits_path, normalize_pattern
from dataagent_core.permissions.rules import RuleSet, decide_resource, select_rules
from dataagent_core.sandbox.paths.closed_paths import FileIdentity
from dataagent_core.sandbox.paths.path_masks import FindMasks, PathMask, find_no_masks

_TOOL = "read_file"
_WILD = re.compile(r"[*?\\]")
# A name that is in no rule.
_ANY = "\x01"
# Git's own copies are in there, under names that are hashes.
_OBJECTS = ".git/objects"
_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class _Pattern:
    """A pattern with its start folder and its end, which are compared first because it is fast."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        names = normalize_pattern(pattern).strip("/").split("/")
        literal = next((n for n, name in enumerate(names) if _WILD.search(name)), len(names))
        self.start = "/".join(names[:literal])
        self._inside = f"/{self.start}/" if self.start else "/"
        self._end = "" if "\\" in names[-1] else _WILD.split(names[-1])[-1]

    def fits(self, path: str) -> bool:
        if not path.endswith(self._end) or not f"{path}/".startswith(self._inside):
            return False
        return fits_path(self._pattern, path) is PatternMatch.YES


class DeniedReads:
    """What one set of rules denies."""

    def __init__(self, rules: RuleSet) -> None:
        self._about = select_rules(_TOOL, rules)
        denied = (rule.resource for rule in self._about.all() if rule.action == "deny")
        self._patterns = [_Pattern(pattern) for pattern in denied]
        self._has_exceptions = any(rule.action == "allow" for rule in self._about.all())

    def __bool__(self) -> bool:
        return bool(self._patterns)

    @property
    def starts(self) -> list[str]:
        """List the outermost folders that hold everything denied; empty is the workspace."""
        return _select_outermost({pattern.start for pattern in self._patterns})

    def holds(self, path: str) -> bool:
        """Say whether a path is denied."""
        if not any(pattern.fits(path) for pattern in self._patterns):
            return False
        return decide_resource(_TOOL, path, self._about).action == "deny"

    def holds_below(self, folder: str) -> bool:
        """Say whether a folder is denied, and with it whatever it may hold."""
        return not self._has_exceptions and self.holds(folder)

    def hangs_on(self, folder: str, path: str) -> bool:
        """Say whether a denied path might be read if a folder above it had another name."""
        inner = path[len(folder) :]
        moved = (f"/{_ANY}{inner}", f"/{_ANY}/{_ANY}{inner}")
        return self._has_exceptions or not all(map(self.holds, moved))


# What rules deny to read; the rules of a run seldom change.
denied_reads = lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)(DeniedReads)


def _select_outermost(starts: set[str]) -> list[str]:
    kept: list[str] = []
    for start in sorted(starts):
        if not any(not outer or f"{start}/".startswith(f"{outer}/") for outer in kept):
            kept.append(start)
    return kept


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
