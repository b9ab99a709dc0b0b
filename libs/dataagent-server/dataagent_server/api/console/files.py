"""The files of the built console: found by plain names only, compressed if the client accepts it.

Files below `assets/` carry a hash of their content in their name and may be cached for a year.
"""

import asyncio
import os
import re
import stat
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles

# By file name, not by this machine's registry; the build makes no others.
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
# Best first; the build writes them next to the file.
_ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}
# No segment begins with a dot, so no path leads up or to a hidden file.
_NAME: Final = re.compile(r"[\w-][\w.-]{0,199}(/[\w-][\w.-]{0,199}){0,4}", re.ASCII)
_ASSETS: Final = "assets/"
_FOREVER: Final = "public, max-age=31536000, immutable"
_SHORT: Final = "public, max-age=300"


class ConsoleFiles:
    """Finds files by name in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # It stays inside the folder and answers conditional requests.
        self._static = StaticFiles(directory=folder, check_dir=False)

    async def page(self) -> str:
        """Read `index.html`."""
        return await asyncio.to_thread((self._folder / "index.html").read_text, "utf-8")

    async def answer(self, name: str, headers: Headers) -> Response | None:
        """Answer with a file of that name; None when there is none for browsers."""
        kind = _TYPES.get(Path(name).suffix)
        if kind is None or _NAME.fullmatch(name) is None:
            return None
        encodings = [each for each in _ENCODINGS if accepts_encoding(headers, each)]
        found = await asyncio.to_thread(self._find, name, encodings)
        if found is None:
            return None
        path, status, encoding = found
        headers_sent = {
            "cache-control": _FOREVER if name.startswith(_ASSETS) else _SHORT,
            "vary": "Accept-Encoding",
        }
        if encoding is not None:
            headers_sent["content-encoding"] = encoding
        answer = FileResponse(path, headers=headers_sent, media_type=kind, stat_result=status)
        if self._static.is_not_modified(answer.headers, headers):
            return NotModifiedResponse(answer.headers)
        return answer

    def _find(
        self, name: str, encodings: list[str]
    ) -> tuple[str, os.stat_result, str | None] | None:
        for encoding in (*encodings, None):
            suffix = "" if encoding is None else _ENCODINGS[encoding]
            path, status = self._static.lookup_path(name + suffix)
            if status is not None and stat.S_ISREG(status.st_mode):
                return path, status, encoding
        return None


def accepts_encoding(headers: Headers, encoding: str) -> bool:
    """Return whether `Accept-Encoding` names an encoding and does not refuse it with `q=0`."""
    for part in headers.get("accept-encoding", "").lower().split(","):
        name, _, parameters = part.partition(";")
        if name.strip() == encoding:
            return re.fullmatch(r"\s*q=0(\.0*)?\s*", parameters) is None
    return False
