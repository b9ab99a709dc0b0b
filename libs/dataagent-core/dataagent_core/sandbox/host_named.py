"""Files of a workspace that the person's own git configuration names: includes, folders of hooks.

Such a file may have any name, and git obeys it: what is included is configuration, and what stands
in `core.hooksPath` runs. Too much is taken rather than too little; nothing is run.
"""

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from dataagent_core.sandbox.git_identity import ask_git
from dataagent_core.sandbox.host_scan import Found, What
from dataagent_core.sandbox.safe_paths import Parts

_NAMES: Final[Mapping[str, What]] = {
    "path": "config",
    "hookspath": "hook",
    "attributesfile": "attributes",
}
_NAMED = re.compile(
    r"^[ \t]*(?:\[[^\]\n]*\][ \t]*)?(path|hooksPath|attributesFile)[ \t]*=[ \t]*(.+?)[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)


def named_by_files(files: Mapping[Parts, Found], place: str) -> dict[Parts, What]:
    """List what configurations in a folder at `place` name in that folder."""
    named: dict[Parts, What] = {}
    for parts, found in files.items():
        if found.what != "config" or not found.content:
            continue
        folder = posixpath.join(place, *parts[:-1])
        for match in _NAMED.finditer(found.content.decode("utf-8", "replace")):
            key, value = match[1].lower(), match[2].strip('"')
            # An include begins at its file, hooks at the work tree, which is most often above.
            for start in (folder, posixpath.dirname(folder)):
                inner = _below(value, start, place)
                if inner:
                    named[inner] = _NAMES[key]
    return named


def named_by_person(workspace: Path, place: str) -> dict[Parts, What]:
    """List what the person's own files of git name in a workspace. It blocks."""
    named: dict[Parts, What] = {}
    for origin, key, value in _entries(workspace):
        if inner := _below(origin, place, place):
            named[inner] = "config"
        what = _NAMES.get(key.rpartition(".")[2])
        if what is not None and (inner := _below(value, place, place)):
            named[inner] = what
    return named


def _entries(workspace: Path) -> Iterator[tuple[str, str, str]]:
    listed = ask_git(workspace, "--global", "--includes", "--list", "--show-origin", "-z")
    fields = iter(listed.split("\0"))
    for origin, entry in zip(fields, fields, strict=False):
        key, _, value = entry.partition("\n")
        yield origin.removeprefix("file:"), key.lower(), value


def _below(value: str, start: str, place: str) -> Parts:
    """Give the names below a place that a path leads to; none for what is elsewhere."""
    full = posixpath.normpath(posixpath.join(start, os.path.expanduser(value)))  # noqa: PTH111
    if not full.startswith(place.rstrip("/") + "/"):
        return ()
    return tuple(full[len(place.rstrip("/")) + 1 :].split("/"))
