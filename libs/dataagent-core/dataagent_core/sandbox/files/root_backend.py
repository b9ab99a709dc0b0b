"""`RootBackend`: the files beneath a root as a deepagents backend.

deepagents' middleware uses it for skills, summaries and the file tracker, with plain searches by
name and content. The agent's own tools are in `tools/files`. Like every deepagents backend it
returns an error text instead of raising.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice

from deepagents.backends import protocol as deep
from wcmatch import glob as wcglob

from dataagent_core.config.limits import GREP_MATCHES_MAX
from dataagent_core.errors import (
    DataAgentError,
    DeniedError,
    NotFoundError,
    PathEscapeError,
    ValidationError,
)
from dataagent_core.sandbox.files.file_node import NodeKind
from dataagent_core.sandbox.files.root import Root
from dataagent_core.sandbox.paths.tool_paths import format_path, split_path

_FLAGS = wcglob.GLOBSTAR | wcglob.BRACE | wcglob.DOTGLOB | wcglob.FORCEUNIX | wcglob.CASE


def find_matching_files(root: Root, path: str, pattern: str) -> Iterator[str]:
    """Give the paths of files below a folder; a pattern without a slash is for names only."""
    below = len(split_path(path))
    wanted = pattern.lstrip("/") if "/" in pattern else f"**/{pattern}"
    for parts in root.walk(path, lambda _parts, _kind: True).files:
        if wcglob.globmatch("/".join(parts[below:]), wanted, flags=_FLAGS):
            yield format_path(parts)


def find_lines_containing(
    root: Root, path: str, pattern: str, text: str
) -> Iterator[tuple[str, int, str]]:
    """Give path, number and text of every line that holds a text."""
    for file in find_matching_files(root, path, pattern):
        try:
            content = root.read_bytes(file)
        except DataAgentError:
            continue  # gone, too large, or not to be opened
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
            if text in line:
                yield file, number, line


_NANOSECONDS = 1_000_000_000


class RootBackend(deep.BackendProtocol):
    """Files beneath a root; unless it is `writable` nothing is changed."""

    def __init__(self, root: Root, *, writable: bool = True) -> None:
        self._root = root
        self._writable = writable

    def ls(self, path: str) -> deep.LsResult:
        try:
            base = split_path(path)
            entries = [
                _make_file_info(
                    format_path((*base, item.name)), item.kind, item.size_bytes, item.mtime_ns
                )
                for item in self._root.list_dir(path)
            ]
        except DataAgentError as error:
            return deep.LsResult(error=str(error))
        return deep.LsResult(entries=entries)

    def read(self, file_path: str, offset: int = 0, limit: int = 2000) -> deep.ReadResult:
        try:
            text = self._read_text(file_path)
        except DataAgentError as error:
            return deep.ReadResult(error=str(error))
        lines = text.splitlines(keepends=True)
        start = max(offset, 0)
        shown = lines[start : start + max(limit, 0)]
        content: deep.FileData = {"content": "".join(shown), "encoding": "utf-8"}
        if not shown:
            return deep.ReadResult(file_data=content)
        end = start + len(shown)
        return deep.ReadResult(
            file_data=content,
            total_lines=len(lines),
            start_line=start + 1,
            end_line=end,
            next_offset=end if end < len(lines) else None,
        )

    def write(self, file_path: str, content: str) -> deep.WriteResult:
        try:
            self._write(file_path, content.encode("utf-8", "replace"))
        except DataAgentError as error:
            return deep.WriteResult(error=str(error))
        return deep.WriteResult(path=file_path)

    def edit(
        self,
        file_path: str,
        old_string: str,
        new_string: str,
        replace_all: bool = False,  # noqa: FBT001, FBT002 (the library's signature)
    ) -> deep.EditResult:
        try:
            data = self._root.read_bytes(file_path)
            old, new = (part.encode("utf-8", "replace") for part in (old_string, new_string))
            count = data.count(old) if old else 0
            if not count or (count > 1 and not replace_all):
                raise ValidationError(f"The text occurs {count} times in {file_path!r}, not once.")
            self._write(file_path, data.replace(old, new))
        except DataAgentError as error:
            return deep.EditResult(error=str(error))
        return deep.EditResult(path=file_path, occurrences=count)

    def delete(self, file_path: str) -> deep.DeleteResult:
        try:
            self._refuse_unless_writable(file_path)
            self._root.unlink(file_path)
        except DataAgentError as error:
            return deep.DeleteResult(error=str(error))
        return deep.DeleteResult(path=file_path)

    def glob(self, pattern: str, path: str | None = None) -> deep.GlobResult:
        try:
            nodes = [(file, self._root.stat(file)) for file in self._find_files(path, pattern)]
        except DataAgentError as error:
            return deep.GlobResult(error=str(error))
        return deep.GlobResult(
            matches=[
                _make_file_info(file, node.kind, node.size_bytes, node.mtime_ns)
                for file, node in nodes
            ]
        )

    def grep(
        self,
        pattern: str,
        path: str | None = None,
        glob: str | None = None,
        *,
        max_count: int | None = None,
    ) -> deep.GrepResult:
        limit = min(max_count or GREP_MATCHES_MAX, GREP_MATCHES_MAX)
        try:
            found = list(
                islice(
                    find_lines_containing(self._root, path or "/", glob or "*", pattern), limit + 1
                )
            )
        except DataAgentError as error:
            return deep.GrepResult(error=str(error))
        matches: list[deep.GrepMatch] = [
            {"path": file, "line": number, "text": line} for file, number, line in found[:limit]
        ]
        return deep.GrepResult(matches=matches, truncated=len(found) > limit)

    def download_files(self, paths: list[str]) -> list[deep.FileDownloadResponse]:
        return [self._download(path) for path in paths]

    def upload_files(self, files: list[tuple[str, bytes]]) -> list[deep.FileUploadResponse]:
        return [self._upload(path, data) for path, data in files]

    def _download(self, path: str) -> deep.FileDownloadResponse:
        try:
            return deep.FileDownloadResponse(path=path, content=self._root.read_bytes(path))
        except DataAgentError as error:
            return deep.FileDownloadResponse(path=path, error=_translate_error(error))

    def _upload(self, path: str, data: bytes) -> deep.FileUploadResponse:
        try:
            self._write(path, data)
        except DataAgentError as error:
            return deep.FileUploadResponse(path=path, error=_translate_error(error))
        return deep.FileUploadResponse(path=path)

    def _find_files(self, path: str | None, pattern: str) -> Iterator[str]:
        return find_matching_files(self._root, path or "/", pattern)

    def _read_text(self, path: str) -> str:
        return self._root.read_bytes(path).decode("utf-8", "replace")

    def _write(self, path: str, data: bytes) -> None:
        self._refuse_unless_writable(path)
        self._root.write_atomic(path, data)

    def _refuse_unless_writable(self, path: str) -> None:
        if not self._writable:
            raise DeniedError(f"{path!r} is read-only. Write into the workspace instead.")


def _make_file_info(path: str, kind: NodeKind, size_bytes: int, mtime_ns: int) -> deep.FileInfo:
    modified = datetime.fromtimestamp(mtime_ns / _NANOSECONDS, UTC).isoformat()
    return {"path": path, "is_dir": kind == "dir", "size": size_bytes, "modified_at": modified}


def _translate_error(error: DataAgentError) -> str:
    """Say what went wrong in the library's words, where it has one."""
    match error:
        case NotFoundError():
            return deep.FILE_NOT_FOUND
        case PathEscapeError():
            return deep.INVALID_PATH
        case DeniedError():
            return deep.PERMISSION_DENIED
        case _:
            return str(error)
