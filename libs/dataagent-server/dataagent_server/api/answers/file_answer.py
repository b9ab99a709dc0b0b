"""Sends a file of a workspace as a download, never as a page of ours.

A browser must not run it where our cookies are: it is an attachment, its type is one of a few
harmless ones and not guessed from its content, and its policy is `sandbox`.
"""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote_from_bytes

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from dataagent_server.workspaces.files.paths import render_path
from dataagent_server.workspaces.files.workspace_files import OpenedFile

_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "gif": "image/gif",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "json": "application/json",
    "md": "text/plain; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "png": "image/png",
    "txt": "text/plain; charset=utf-8",
    "webp": "image/webp",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_RANGE = re.compile(r"bytes=(\d{0,19})-(\d{0,19})\Z")
_UNSAFE = re.compile(r"[^ !#-\[\]-~]|%")


class FileAnswer(Response):
    """Streams an open file, or one range of it, and always closes it."""

    def __init__(
        self, file: OpenedFile, wanted: str | None, shown_as: Mapping[str, str] | None = None
    ) -> None:
        size_bytes = file.node.size_bytes
        part = read_range(wanted, size_bytes)
        self._file = file
        self._start, self._end = part or (0, size_bytes)
        headers = {
            **disposition(file.path),
            "content-length": str(self._end - self._start),
            "accept-ranges": "bytes",
            "etag": f'"{file.node.mtime_ns:x}-{size_bytes:x}"',
            "content-security-policy": "sandbox; default-src 'none'",
            "x-content-type-options": "nosniff",
            "cross-origin-resource-policy": "same-origin",
            "cache-control": "private, no-store",
            **(shown_as or {}),
        }
        if part is not None:
            headers["content-range"] = f"bytes {self._start}-{self._end - 1}/{size_bytes}"
        super().__init__(status_code=206 if part else 200, headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        del scope, receive
        try:
            await send(
                {
                    "type": "http.response.start",
                    "status": self.status_code,
                    "headers": self.raw_headers,
                }
            )
            at = self._start
            while at < self._end:
                piece = await self._file.piece(at, self._end - at)
                if not piece:
                    break  # it was cut meanwhile; the missing bytes tell the receiver
                at += len(piece)
                body = {"type": "http.response.body", "body": piece, "more_body": True}
                await send(body)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._file.close()


def read_range(wanted: str | None, size_bytes: int) -> tuple[int, int] | None:
    """Read one range; several, or one that cannot be served, mean the whole file."""
    found = _RANGE.match(wanted or "")
    if found is None:
        return None
    first, last = found.groups()
    if first:
        start, end = int(first), int(last) + 1 if last else size_bytes
    elif last:
        start, end = max(0, size_bytes - int(last)), size_bytes
    else:
        return None
    end = min(end, size_bytes)
    return (start, end) if start < end else None


def disposition(path: str) -> dict[str, str]:
    """Return the header that makes it a download with this file name."""
    name = render_path(path).rsplit("/", 1)[-1]
    plain = _UNSAFE.sub("_", name)
    exact = quote_from_bytes(name.encode())
    kind = _TYPES.get(name.rpartition(".")[2].lower(), "application/octet-stream")
    return {
        "content-type": kind,
        "content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}",
    }
