"""Finds files of a workspace that git configurations name: includes, hooks, programs.

Such a file may have any name, and git obeys it: an include is configuration, a file in
`core.hooksPath` runs, and so does a filter or an alias. In doubt a file is listed; nothing is run.
"""

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from dataagent_core.sandbox.git.git_identity import ask_git
from dataagent_core.sandbox.host_guard.host_file_scan import HostFileRole, ScannedFile
from dataagent_core.sandbox.paths.tool_paths import PathParts

_NAMES: Final[Mapping[str, HostFileRole]] = {
    "path": "config",
    "hookspath": "hook",
    "attributesfile": "attributes",
}
_NAMED = re.compile(
    r"^[ \t]*(?:\[[^\]\n]*\][ \t]*)?(path|hooksPath|attributesFile)[ \t]*=[ \t]*(.+?)[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)

# Their value is a command; so is that of an alias which begins with `!`.
_PROGRAM_KEYS: Final = (
    "fsmonitor|clean|smudge|process|textconv|command|cmd|driver|sshCommand|helper|pager|editor|askPass"
    "|program|external|uploadpack|receivepack|defaultKeyCommand|diffFilter|gitProxy"
)
_COMMAND = re.compile(
    rf"^[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?:(?:{_PROGRAM_KEYS})[ \t]*=|[\w-]+[ \t]*=[ \t\"]*!)(.+)$",
    re.IGNORECASE | re.MULTILINE,
)
_IS_PROGRAM_KEY = re.compile(rf"(?:.*\.)?(?:{_PROGRAM_KEYS})", re.IGNORECASE)
_PATH_IN_COMMAND = re.compile(r"[\w.~@+-]*/[\w./@+-]+")


def find_files_named_by_configs(
    files: Mapping[PathParts, ScannedFile], root: str
) -> dict[PathParts, HostFileRole]:
    """List what configurations in a folder at `root` name in that folder."""
    named: dict[PathParts, HostFileRole] = {}
    for parts, found in files.items():
        if found.what != "config" or not found.content:
            continue
        folder = posixpath.join(root, *parts[:-1])
        text = found.content.decode("utf-8", "replace")
        for match in _COMMAND.finditer(text):
            named |= _find_programs(match[1], posixpath.dirname(folder), root)
        for match in _NAMED.finditer(text):
            key, value = match[1].lower(), match[2].strip('"')
            # An include begins at its file, hooks at the work tree, which is most often above.
            for start in (folder, posixpath.dirname(folder)):
                inner = _find_path_below(value, start, root)
                if inner:
                    named[inner] = _NAMES[key]
    return named


def find_files_named_by_person(workspace: Path, root: str) -> dict[PathParts, HostFileRole]:
    """List what the person's own files of git name in a workspace. It blocks."""
    named: dict[PathParts, HostFileRole] = {}
    for origin, key, value in _list_config_entries(workspace):
        if inner := _find_path_below(origin, root, root):
            named[inner] = "config"
        if _IS_PROGRAM_KEY.fullmatch(key) or value.startswith("!"):
            named |= _find_programs(value, root, root)
        what = _NAMES.get(key.rpartition(".")[2])
        if what is not None and (inner := _find_path_below(value, root, root)):
            named[inner] = what
    return named


def _find_programs(command: str, start: str, root: str) -> dict[PathParts, HostFileRole]:
    """List what a command may start in a folder: every word of it that is a path there."""
    found = (_find_path_below(path, start, root) for path in _PATH_IN_COMMAND.findall(command))
    return {inner: "program" for inner in found if inner}


def _list_config_entries(workspace: Path) -> Iterator[tuple[str, str, str]]:
    listed = ask_git(workspace, "--global", "--includes", "--list", "--show-origin", "-z")
    fields = iter(listed.split("\0"))
    for origin, entry in zip(fields, fields, strict=False):
        key, _, value = entry.partition("\n")
        yield origin.removeprefix("file:"), key.lower(), value


def _find_path_below(value: str, start: str, root: str) -> PathParts:
    """Give the path below `root` that a value leads to; empty for a path elsewhere."""
    full = posixpath.normpath(posixpath.join(start, os.path.expanduser(value)))  # noqa: PTH111
    if not full.startswith(root.rstrip("/") + "/"):
        return ()
    return tuple(full[len(root.rstrip("/")) + 1 :].split("/"))
