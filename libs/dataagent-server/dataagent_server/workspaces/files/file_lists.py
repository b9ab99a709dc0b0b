"""Lists a folder, or the whole tree below it, in pages ordered by the bytes of names.

A page needs only the last path of the previous one, so changes between two pages move nothing else.
Only the entries of a page are read with `stat`.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from dataagent_core.sandbox.files.file_node import NodeKind, list_directory, make_node
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.limits.folder_size import open_folder
from dataagent_core.sandbox.paths.tool_paths import PathParts, format_path, split_path
from dataagent_server.workspaces.limits import LIST_DEEP_MAX


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file, folder or link."""

    path: str
    kind: NodeKind
    size_bytes: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class FileListRequest:
    """The part of a folder to list; `after` is the last path shown."""

    path: str = "/"
    recursive: bool = False
    after: str | None = None
    limit: int = 100


def list_page(root: SafeRoot, request: FileListRequest) -> tuple[list[FileEntry], str | None]:
    """Return a page and, if there is more, the path it ends with."""
    base = split_path(request.path)
    after = split_path(request.after)[len(base) :] if request.after else ()
    folder = root.open_directory(request.path)
    try:
        deep = LIST_DEEP_MAX if request.recursive else 0
        found = list(islice(_walk_entries(folder, base, after, deep), request.limit + 1))
    finally:
        os.close(folder)
    page = found[: request.limit]
    return page, page[-1].path if len(found) > request.limit else None


def _walk_entries(
    folder_fd: int, base: PathParts, after: PathParts, deep: int
) -> Iterator[FileEntry]:
    """Walk in order, from after `after` on; folders come before their content."""
    first = os.fsencode(after[0]) if after else b""
    for name, kind in list_directory(folder_fd):
        raw = os.fsencode(name)
        if raw < first:
            continue
        inside = after[1:] if after and raw == first else ()
        parts = (*base, name)
        if not after or raw != first:
            with suppress(FileNotFoundError):
                yield _make_entry(folder_fd, name, parts)
        if kind != "dir" or deep <= 0:
            continue
        with suppress(OSError):  # gone, or a link by now
            inner = open_folder(folder_fd, name)
            try:
                yield from _walk_entries(inner, parts, inside, deep - 1)
            finally:
                os.close(inner)


def _make_entry(folder_fd: int, name: str, parts: PathParts) -> FileEntry:
    node = make_node(os.stat(name, dir_fd=folder_fd, follow_symlinks=False))
    return FileEntry(format_path(parts), node.kind, node.size_bytes, node.mtime_ns)
