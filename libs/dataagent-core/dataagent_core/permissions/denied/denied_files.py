"""Finds in a folder what rules deny to read, so that no tool and no program can open it.

The folder is the workspace, or one that the agent sees beside it. A permission decision sees the
path that a call names, but a file can be reached in other ways. So code that opens files checks the
path it really reached with `DeniedReads`. Only denials are enforced this way: a person may allow
what is asked about.

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
from dataagent_core.permissions.denied.denied_skills import make_file_rules
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
    """What one set of rules denies in the folder that the agent finds at `place`.

    The paths given are those from that folder, and the rules are about those that the agent uses.
    """

    def __init__(self, rules: RuleSet, place: str = "/") -> None:
        self._place = place.strip("/")
        self._about = select_rules(_TOOL, rules)
        denied = (rule.resource for rule in self._about.all() if rule.action == "deny")
        patterns = [_Pattern(pattern) for pattern in denied]
        self._patterns = [one for one in patterns if _overlap(one.start, self._place)]
        allowed = (rule.resource for rule in self._about.all() if rule.action == "allow")
        self._exceptions = {_Pattern(pattern).start for pattern in allowed}

    def __bool__(self) -> bool:
        return bool(self._patterns)

    @property
    def starts(self) -> list[str]:
        """List the outermost folders that hold everything denied; empty is the folder itself."""
        inside = {one.start[len(self._place) :].strip("/") for one in self._patterns}
        return _select_outermost(inside)

    def holds(self, path: str) -> bool:
        """Say whether a path is denied."""
        path = self._name(path)
        if not any(pattern.fits(path) for pattern in self._patterns):
            return False
        return decide_resource(_TOOL, path, self._about).action == "deny"

    def holds_below(self, folder: str) -> bool:
        """Say whether a folder is denied, and with it whatever it may hold."""
        if not self.holds(folder):
            return False
        named = self._name(folder).strip("/")
        return not any(_overlap(one, named) for one in self._exceptions)

    def hangs_on(self, folder: str, path: str) -> bool:
        """Say whether a denied path might be read if a folder above it had another name."""
        inner = path[len(folder) :]
        moved = (f"/{_ANY}{inner}", f"/{_ANY}/{_ANY}{inner}")
        return bool(self._exceptions) or not all(map(self.holds, moved))

    def _name(self, path: str) -> str:
        """Name a path of the folder as the agent does."""
        return f"/{self._place}{path}".rstrip("/") if self._place else path


# The rules of a run seldom change.
@lru_cache(maxsize=PERMISSION_RULE_SETS_CACHED_MAX)
def list_denied_reads(rules: RuleSet, place: str = "/") -> tuple[DeniedReads, ...]:
    """List what rules deny to read in the folder at `place`: by path, and the files of skills.

    They are judged apart: a rule that allows a path does not open a denied skill.
    """
    of_skills = make_file_rules(rules)
    sets = (rules,) if of_skills is None else (rules, of_skills)
    return tuple(denied for one in sets if (denied := DeniedReads(one, place)))


def _overlap(one: str, other: str) -> bool:
    """Say whether one of two folders is the other or lies in it; empty is the root."""
    first, second = (f"/{name}/".replace("//", "/") for name in (one, other))
    return first.startswith(second) or second.startswith(first)


def _select_outermost(starts: set[str]) -> list[str]:
    kept: list[str] = []
    for start in sorted(starts):
        if not any(not outer or f"{start}/".startswith(f"{outer}/") for outer in kept):
            kept.append(start)
    return kept


def find_denied(rules: RuleSet, place: str = "/") -> FindMasks:
    """Give the function that finds what rules deny; without such rules it finds nothing."""
    all_denied = list_denied_reads(rules, place)
    if not all_denied:
        return find_no_masks

    def find(folder_fd: int) -> Sequence[PathMask]:
        found: dict[str, PathMask] = {}
        for mask in chain.from_iterable(_find_all(folder_fd, one) for one in all_denied):
            found[mask.path] = mask
            if len(found) > DENIED_MASKS_MAX:
                raise DeniedError(
                    f"Rules deny reading more than {DENIED_MASKS_MAX} files below {place}: they "
                    "cannot all be covered. Deny the folders they lie in."
                )
        return list(found.values())

    return find


def _find_all(folder_fd: int, denied: DeniedReads) -> Iterator[PathMask]:
    for start in denied.starts:
        yield from _find_below(start, folder_fd, denied)
    yield from _find_other_names(folder_fd, denied)


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
