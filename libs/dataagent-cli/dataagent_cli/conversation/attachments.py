"""Attaches a picture or PDF that the person named by its path, so that the agent can open it.

A file inside the workspace is used where it is; a file from elsewhere is copied in, because the
agent sees only its workspace. The person named the file, so they allowed reading it.
"""

import hashlib
from pathlib import Path
from typing import Final

from dataagent_core.errors import ValidationError

PICTURE_BYTES_MAX: Final = 20_000_000
ATTACHED_ENDINGS: Final = frozenset(
    {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".pdf"}
)
FOLDER: Final = "uploads"
_MARK_CHARS: Final = 8


def attach(path: str, workspace: Path) -> str:
    """Return a picture's path relative to the workspace; blocks."""
    named = workspace / Path(path).expanduser()
    picture = named.resolve()
    root = workspace.resolve()
    if picture.is_relative_to(root):
        return picture.relative_to(root).as_posix()
    return store_picture(picture.name, read_picture_file(picture), workspace)


def store_picture(name: str, data: bytes, workspace: Path) -> str:
    """Write a picture into the workspace and return its relative path; blocks."""
    from dataagent_core.sandbox.files.safe_root import SafeRoot

    stored = upload_path(name, data)
    SafeRoot(workspace.resolve(), links="beneath").write_atomic(f"/{stored}", data)
    return stored


def upload_path(name: str, data: bytes) -> str:
    """Make a path for a picture; another picture of the same name must not replace it."""
    mark = hashlib.sha256(data).hexdigest()[:_MARK_CHARS]
    named = Path(name)
    return f"{FOLDER}/{named.stem}-{mark}{named.suffix.lower()}"


def read_picture_file(path: Path) -> bytes:
    """Read a picture of this machine; blocks."""
    size_bytes = path.stat().st_size
    if size_bytes > PICTURE_BYTES_MAX:
        raise ValidationError(
            f"{str(path)!r} has {size_bytes:,} bytes, and {PICTURE_BYTES_MAX:,} can be sent. "
            "Make it smaller first."
        )
    return path.read_bytes()
