"""What stands in a git directory and can make git on the host run a program. Pure.

A git directory is any folder with a `HEAD`: of a repository, a bare one, a submodule, a worktree.
What `git init`, `clone`, `worktree` and `submodule` write by themselves passes; a setting that is
not known to be harmless does not.
"""

import posixpath
import re
from typing import Final

# By section and key, in small letters: these name no program and no place outside.
_HARMLESS: Final = frozenset(
    {
        "core.repositoryformatversion",
        "core.filemode",
        "core.bare",
        "core.logallrefupdates",
        "core.ignorecase",
        "core.precomposeunicode",
        "core.symlinks",
        "core.autocrlf",
        "core.eol",
        "core.sparsecheckout",
        "core.sparsecheckoutcone",
        "core.untrackedcache",
        "index.sparse",
        "extensions.objectformat",
        "extensions.worktreeconfig",
        "extensions.partialclone",
        "extensions.refstorage",
        "remote.fetch",
        "remote.tagopt",
        "remote.promisor",
        "remote.partialclonefilter",
        "branch.remote",
        "branch.merge",
        "branch.rebase",
        "submodule.active",
        "submodule.update",
        "user.name",
        "user.email",
        "init.defaultbranch",
        "pull.rebase",
        "pull.ff",
        "push.default",
        "push.autosetupremote",
        "gc.auto",
        "merge.conflictstyle",
        "rerere.enabled",
    }
)
_ADDRESSES: Final = frozenset({"remote.url", "remote.pushurl", "submodule.url"})
_SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)(?:\s+"(?:[^"\\\n]|\\.)*")?\s*\]\s*([#;].*)?')
_SETTING = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?")
_DRIVER = re.compile(rb"(?:^|\s)-?(?:filter|diff|merge)=\S+", re.MULTILINE)


def is_harmless_config(text: str, folder: str) -> bool:
    """Say whether git would run nothing because of a configuration in a git directory."""
    section = ""
    # Git ends lines here and nowhere else: a stranger separator must not show another section.
    for whole in text.split("\n"):
        line = whole.strip(" \t\r")
        if not line or line[0] in "#;":
            continue
        if found := _SECTION.fullmatch(line):
            section = found[1].lower()
            continue
        setting = _SETTING.fullmatch(line)
        # A value that goes on in the next line is read by git alone.
        if setting is None or line.endswith("\\"):
            return False
        if not _is_harmless(f"{section}.{setting[1].lower()}", setting[2] or "", folder):
            return False
    return True


def _is_harmless(key: str, value: str, folder: str) -> bool:
    if "\\" in value:
        return False
    # Git joins what stands in quotes with what stands beside them.
    value = value.replace('"', "").strip()
    if key in _ADDRESSES:
        # `ext::` and other helpers are programs.
        return "::" not in value and not value.startswith("-")
    if key == "core.worktree":
        return is_inside(value, folder)
    if key == "submodule.update":
        return not value.startswith("!")
    return key in _HARMLESS


def is_harmless_pointer(text: str, folder: str, place: str) -> bool:
    """Say whether a path in a `.git` file or a `gitdir` stays in the workspace at `place`."""
    target = text.strip().removeprefix("gitdir:").strip()
    return "\n" not in target and is_inside(target, folder, place)


def is_harmless_common(text: str, folder: str) -> bool:
    """Say whether a `commondir` is the one that `git worktree add` writes."""
    return posixpath.basename(posixpath.dirname(folder)) == "worktrees" and text.strip() == "../.."


def drivers(attributes: bytes) -> frozenset[bytes]:
    """List the filters, diff and merge drivers that attributes name."""
    return frozenset(found[0].strip() for found in _DRIVER.finditer(attributes))


def is_inside(target: str, folder: str, place: str = "/") -> bool:
    """Say whether a path, seen from a folder of the workspace, stays in the workspace."""
    if target.startswith("/"):
        inside = posixpath.normpath(target)
        return place != "/" and (inside + "/").startswith(place.rstrip("/") + "/")
    depth = 0
    for name in (*folder.strip("/").split("/"), *target.split("/")):
        depth += {"": 0, ".": 0, "..": -1}.get(name, 1)
        if depth < 0:
            return False
    return True
