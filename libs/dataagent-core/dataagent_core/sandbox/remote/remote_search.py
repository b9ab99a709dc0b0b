"""`RemoteSearch`: one search on a machine elsewhere, in tens of questions instead of thousands.

Folders are listed a level at a time, and files read together with those that come after them. What
was answered is remembered for as long as this object lives, which is one call of `glob` or `grep`.
"""

import os
from typing import Any

from dataagent_core.config.limits import (
    FILE_BYTES_MAX,
    REMOTE_FOLDERS_MAX,
    REMOTE_INLINE_BYTES_MAX,
    WALK_DEEP_MAX,
    WALK_ENTRIES_MAX,
)
from dataagent_core.errors import NotFoundError
from dataagent_core.sandbox.files.file_node import FileNode, WalkFilter, WalkResult
from dataagent_core.sandbox.paths.tool_paths import PathParts, format_path, split_path
from dataagent_core.sandbox.remote.file_requests import (
    FileOperation,
    parse_node,
    send_file_requests,
)
from dataagent_core.sandbox.remote.remote_machine import RemoteMachine
from dataagent_core.sandbox.remote.remote_root import RemoteRoot


class RemoteSearch(RemoteRoot):
    """The files of a machine as one search saw them."""

    def __init__(self, machine: RemoteMachine) -> None:
        super().__init__(machine)
        self._nodes: dict[PathParts, FileNode] = {}
        self._listed: set[PathParts] = set()
        self._found: list[PathParts] = []
        self._read: dict[PathParts, dict[str, Any]] = {}

    def walk(self, path: str, wanted: WalkFilter) -> WalkResult:
        """Find the regular files beneath a directory, in byte order of paths; enters no link."""
        level, seen, files = [split_path(path)], 0, list[PathParts]()
        for _ in range(WALK_DEEP_MAX + 1):
            below: list[PathParts] = []
            for parts, node in self._entries(level):
                if not wanted(parts, node.kind):
                    continue
                seen += 1
                if seen > WALK_ENTRIES_MAX:
                    return self._walked(files, complete=False)
                if node.kind in {"file", "dir"}:
                    (files if node.kind == "file" else below).append(parts)
            if not below:
                break
            level = below
        return self._walked(files, complete=True)

    def stat(self, path: str) -> FileNode:
        """See what is at a path."""
        known = self._nodes.get(split_path(path))
        return known if known is not None and known.kind != "link" else super().stat(path)

    def read_bytes(self, path: str, max_bytes: int = FILE_BYTES_MAX) -> bytes:
        """Read a whole file, and with it those a search will want next."""
        parts = split_path(path)
        if parts not in self._read:
            if parts[:-1] in self._listed and parts not in self._nodes:
                raise NotFoundError(f"There is no {path!r}. Look with ls or glob.")
            together = self._with_the_next(parts)
            self._read = dict(zip(together, self._ask("read", together), strict=True))
        answer = self._read.pop(parts)
        if "errno" in answer:
            return super().read_bytes(path, max_bytes)
        return self._content(path, answer, max_bytes)

    def _entries(self, folders: list[PathParts]) -> list[tuple[PathParts, FileNode]]:
        found: list[tuple[PathParts, FileNode]] = []
        for first in range(0, len(folders), REMOTE_FOLDERS_MAX):
            some = folders[first : first + REMOTE_FOLDERS_MAX]
            for folder, answer in zip(some, self._ask("entries", some), strict=True):
                if "entries" not in answer:
                    continue  # gone by now, or forbidden
                self._listed.add(folder)
                found += [((*folder, name), parse_node(node)) for name, node in answer["entries"]]
        self._nodes.update(found)
        return found

    def _walked(self, files: list[PathParts], *, complete: bool) -> WalkResult:
        self._found = sorted(files, key=lambda parts: [os.fsencode(name) for name in parts])
        return WalkResult(tuple(self._found), complete)

    def _with_the_next(self, parts: PathParts) -> list[PathParts]:
        together, room = [parts], REMOTE_INLINE_BYTES_MAX
        start = self._found.index(parts) + 1 if parts in self._found else len(self._found)
        for following in self._found[start : start + REMOTE_FOLDERS_MAX]:
            room -= self._nodes[following].size_bytes
            if room < 0:
                break
            together.append(following)
        return together

    def _ask(self, work: FileOperation, paths: list[PathParts]) -> list[dict[str, Any]]:
        options: dict[str, Any] = (
            {"most": REMOTE_INLINE_BYTES_MAX}
            if work == "read"
            else {"most": WALK_ENTRIES_MAX, "follow": False}
        )
        return send_file_requests(
            self._machine, work, [format_path(parts) for parts in paths], **options
        )
