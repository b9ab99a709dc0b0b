"""What stands in a git directory and can make git on the host run a program. Pure.

What `git init`, `clone`, `worktree` and `submodule` write by themselves passes; a setting that is
not known to be harmless does not, nor does another address for a remote that had one. Folders are
written as programs see them, and `places` are the folders a path may lead to.
"""

import posixpath
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

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
        "branch.merge",
        "branch.rebase",
        "submodule.active",
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
# Of a `.gitmodules`, beside addresses, paths and `update`.
_HARMLESS_OF_MODULES: Final = frozenset(
    {
        "submodule.branch",
        "submodule.shallow",
        "submodule.ignore",
        "submodule.fetchrecursesubmodules",
    }
)
# `branch.remote` may be an address instead of a remote's name.
_ADDRESSES: Final = frozenset({"remote.url", "remote.pushurl", "submodule.url", "branch.remote"})
_SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]\s*(?:[#;].*)?')
_SETTING = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?")
_DRIVER = re.compile(rb"(?:^|\s)-?(?:filter|diff|merge)=\S+", re.MULTILINE)
_RUNS = re.compile(r"^[ \t]*(?:exec|x)(?:[ \t]|$)", re.MULTILINE)


class _GitSetting(NamedTuple):
    """One line: section and key in small letters, what stands in the section's quotes, value."""

    key: str
    subsection: str
    value: str


def is_harmless_config(text: str, old: str, folder: str, places: Sequence[str]) -> bool:
    """Say whether git would run nothing, and send nothing elsewhere, because of a configuration."""
    settings = _settings(text)
    return (
        settings is not None
        and all(_is_harmless(setting, folder, places) for setting in settings)
        and _keeps_addresses(settings, old)
    )


def is_harmless_modules(text: str, old: str) -> bool:
    """Say whether a `.gitmodules` is one that `git submodule add` writes."""
    settings = _settings(text)
    return (
        settings is not None
        and all(_is_harmless_of_modules(setting) for setting in settings)
        and _keeps_addresses(settings, old)
    )


def is_harmless_pointer(text: str, folder: str, places: Sequence[str]) -> bool:
    """Say whether a path in a `.git` file or a `gitdir` leads to one of the places."""
    target = text.strip().removeprefix("gitdir:").strip()
    return "\n" not in target and is_inside(target, folder, places)


def is_harmless_common(text: str, folder: str) -> bool:
    """Say whether a `commondir` is the one that `git worktree add` writes."""
    return posixpath.basename(posixpath.dirname(folder)) == "worktrees" and text.strip() == "../.."


def is_harmless_todo(text: str) -> bool:
    """Say whether a rebase that was begun would run no command when it is continued."""
    return _RUNS.search(text) is None


def list_attribute_drivers(attributes: bytes) -> frozenset[bytes]:
    """List the filters, diff and merge drivers that attributes name."""
    return frozenset(found[0].strip() for found in _DRIVER.finditer(attributes))


def is_inside(target: str, folder: str, places: Sequence[str]) -> bool:
    """Say whether a path, seen from a folder, leads to one of the places."""
    full = posixpath.normpath(posixpath.join(folder, target)) + "/"
    return any(full.startswith(place.rstrip("/") + "/") for place in places)


def _settings(text: str) -> list[_GitSetting] | None:
    """Read a configuration; None for what only git itself can read."""
    section, subsection = "", ""
    found: list[_GitSetting] = []
    # Git ends lines here and nowhere else: a stranger separator must not show another section.
    for whole in text.split("\n"):
        line = whole.strip(" \t\r")
        if not line or line[0] in "#;":
            continue
        if header := _SECTION.fullmatch(line):
            section, subsection = header[1].lower(), header[2] or ""
            continue
        setting = _SETTING.fullmatch(line)
        # A value that goes on in the next line, or is escaped, is read by git alone.
        if setting is None or "\\" in line:
            return None
        # Git joins what stands in quotes with what stands beside them.
        value = (setting[2] or "").replace('"', "").strip()
        found.append(_GitSetting(f"{section}.{setting[1].lower()}", subsection, value))
    return found


def _is_harmless(setting: _GitSetting, folder: str, places: Sequence[str]) -> bool:
    if setting.key in _ADDRESSES:
        return _is_plain_address(setting.value)
    if setting.key == "core.worktree":
        return is_inside(setting.value, folder, places)
    if setting.key == "submodule.update":
        return not setting.value.startswith("!")
    return setting.key in _HARMLESS


def _is_harmless_of_modules(setting: _GitSetting) -> bool:
    if setting.key == "submodule.path":
        return is_inside(setting.value, "/top", ["/top"])
    if setting.key == "submodule.update":
        return not setting.value.startswith("!")
    if setting.key == "submodule.url":
        return _is_plain_address(setting.value)
    return setting.key in _HARMLESS_OF_MODULES


def _is_plain_address(value: str) -> bool:
    # `ext::` and other helpers are programs.
    return "::" not in value and not value.startswith("-")


def _keeps_addresses(settings: list[_GitSetting], old: str) -> bool:
    """Say whether what had an address has no other one now."""
    before = {(one.key, one.subsection): one.value for one in _settings(old) or ()}
    changed = (
        one.key in _ADDRESSES and before.get((one.key, one.subsection), one.value) != one.value
        for one in settings
    )
    return not any(changed)
