"""A picture or a PDF the person named by its path, put where the agent can open it.

One inside the workspace is named as it is; one from elsewhere is copied in, because the agent sees
nothing beyond its workspace. The person named it, so reading it is theirs to allow.
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
    """Name a picture relative to the workspace; blocks."""
    from dataagent_core.sandbox.safe_open import SafeRoot

    named = workspace / Path(path).expanduser()
    picture = named.resolve()
    root = workspace.resolve()
    if picture.is_relative_to(root):
        return picture.relative_to(root).as_posix()
    name, data = picture_at(picture)
    kept = f"{FOLDER}/{name}"
    SafeRoot(root, links="beneath").write_atomic(f"/{kept}", data)
    return kept


def picture_at(path: Path) -> tuple[str, bytes]:
    """Read a picture, and give it a name of its own; blocks."""
    size_bytes = path.stat().st_size
    if size_bytes > PICTURE_BYTES_MAX:
        raise ValidationError(
            f"{str(path)!r} has {size_bytes:,} bytes, and {PICTURE_BYTES_MAX:,} can be sent. "
            "Make it smaller first."
        )
    data = path.read_bytes()
    # Another picture of the same name must not take its place.
    mark = hashlib.sha256(data).hexdigest()[:_MARK_CHARS]
    return f"{path.stem}-{mark}{path.suffix.lower()}", data
