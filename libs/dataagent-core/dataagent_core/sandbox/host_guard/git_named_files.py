"""Files of a workspace that the person's own git configuration names: includes, hooks, programs.

Such a file may have any name, and git obeys it: what is included is configuration, what stands
in `core.hooksPath` runs, and so does a filter or an alias. Too much is taken rather than too
little; nothing is run.
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
    files: Mapping[PathParts, ScannedFile], place: str
) -> dict[PathParts, HostFileRole]:
    """List what configurations in a folder at `place` name in that folder."""
    named: dict[PathParts, HostFileRole] = {}
    for parts, found in files.items():
        if found.what != "config" or not found.content:
            continue
        folder = posixpath.join(place, *parts[:-1])
        text = found.content.decode("utf-8", "replace")
        for match in _COMMAND.finditer(text):
            named |= _programs(match[1], posixpath.dirname(folder), place)
        for match in _NAMED.finditer(text):
            key, value = match[1].lower(), match[2].strip('"')
            # An include begins at its file, hooks at the work tree, which is most often above.
            for start in (folder, posixpath.dirname(folder)):
                inner = _below(value, start, place)
                if inner:
                    named[inner] = _NAMES[key]
    return named


def find_files_named_by_person(workspace: Path, place: str) -> dict[PathParts, HostFileRole]:
    """List what the person's own files of git name in a workspace. It blocks."""
    named: dict[PathParts, HostFileRole] = {}
    for origin, key, value in _entries(workspace):
        if inner := _below(origin, place, place):
            named[inner] = "config"
        if _IS_PROGRAM_KEY.fullmatch(key) or value.startswith("!"):
            named |= _programs(value, place, place)
        what = _NAMES.get(key.rpartition(".")[2])
        if what is not None and (inner := _below(value, place, place)):
            named[inner] = what
    return named


def _programs(command: str, start: str, place: str) -> dict[PathParts, HostFileRole]:
    """List what a command may start in a folder: every word of it that is a path there."""
    found = (_below(path, start, place) for path in _PATH_IN_COMMAND.findall(command))
    return {inner: "program" for inner in found if inner}


def _entries(workspace: Path) -> Iterator[tuple[str, str, str]]:
    listed = ask_git(workspace, "--global", "--includes", "--list", "--show-origin", "-z")
    fields = iter(listed.split("\0"))
    for origin, entry in zip(fields, fields, strict=False):
        key, _, value = entry.partition("\n")
        yield origin.removeprefix("file:"), key.lower(), value


def _below(value: str, start: str, place: str) -> PathParts:
    """Give the names below a place that a path leads to; none for what is elsewhere."""
    full = posixpath.normpath(posixpath.join(start, os.path.expanduser(value)))  # noqa: PTH111
    if not full.startswith(place.rstrip("/") + "/"):
        return ()
    return tuple(full[len(place.rstrip("/")) + 1 :].split("/"))
