"""Finds in a workspace what rules deny to read, so that no program can open it.

The judge reads words of a command; a program finds files in many other ways. Only a deny is held
so: what is asked about a person may allow.
"""

import os
import posixpath
import re
import stat
from collections.abc import Iterator, Sequence

from dataagent_core.config.limits import DENIED_ENTRIES_MAX
from dataagent_core.errors import DeniedError
from dataagent_core.permissions.decide_tool import decide_tool, rules_about
from dataagent_core.permissions.rule import RuleSet
from dataagent_core.sandbox.masks import FindMasks, Mask, no_masks

_TOOL = "read_file"
_WILD = re.compile(r"[*?\\]")


def find_denied(rules: RuleSet) -> FindMasks:
    """Give what looks for the files and folders that rules deny; it costs nothing without any."""
    about = rules_about(_TOOL, rules)
    denied = [rule.resource for rule in about.all() if rule.action == "deny"]
    if not denied:
        return no_masks
    starts = _outermost({_literal_start(pattern) for pattern in denied})
    # Where something inside is allowed again, folders cannot be covered as a whole.
    whole = all(rule.action != "allow" for rule in about.all())

    def find(workspace_fd: int) -> Sequence[Mask]:
        return [
            mask for start in starts for mask in _below(start, workspace_fd, about, whole=whole)
        ]

    return find


def _literal_start(pattern: str) -> str:
    """Give the folder that everything a pattern fits lies in, empty for the workspace itself."""
    names = pattern.strip("/").split("/")
    literal = next((n for n, name in enumerate(names) if _WILD.search(name)), len(names))
    return "/".join(names[:literal])


def _outermost(starts: set[str]) -> list[str]:
    kept: list[str] = []
    for start in sorted(starts):
        if not any(not outer or f"{start}/".startswith(f"{outer}/") for outer in kept):
            kept.append(start)
    return kept


def _below(start: str, workspace_fd: int, about: RuleSet, *, whole: bool) -> Iterator[Mask]:
    waiting, seen = [start], 0
    while waiting:
        path = waiting.pop()
        kind = _kind(path, workspace_fd)
        if kind is None:
            continue
        is_denied = bool(path) and _is_denied(f"/{path}", about)
        if kind == "file" or (is_denied and whole):
            if is_denied:
                yield Mask(f"/{path}", is_folder=kind == "folder")
            continue
        names = [] if posixpath.basename(path) == ".git" else _names(path, workspace_fd)
        seen += len(names)
        if seen > DENIED_ENTRIES_MAX:
            raise DeniedError(
                f"A rule denies reading files anywhere below /{start}, which holds more than "
                f"{DENIED_ENTRIES_MAX} entries: they cannot all be covered. Name a folder in it."
            )
        waiting += [f"{path}/{name}".strip("/") for name in names]


def _is_denied(path: str, about: RuleSet) -> bool:
    return decide_tool(_TOOL, path, about, is_path=True).action == "deny"


def _kind(path: str, workspace_fd: int) -> str | None:
    """Tell a folder from a file; a link has its own rule where it leads to."""
    try:
        mode = os.stat(path or ".", dir_fd=workspace_fd, follow_symlinks=False).st_mode
    except OSError:
        return None
    return "folder" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else None


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
