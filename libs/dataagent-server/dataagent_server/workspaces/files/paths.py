"""Names of files as users write them, and as they are shown. Pure.

A command may give a file any bytes as its name. Such a name is shown with replacement characters
and carries `encoded_path`, its bytes percent-encoded, which names it exactly in a URL. A user can
only create names that are text without control characters.
"""

import os
import unicodedata
from urllib.parse import quote_from_bytes, unquote_to_bytes

from dataagent_core.errors import PathEscapeError, ValidationError
from dataagent_core.sandbox.paths.tool_paths import PathParts, format_path, split_path
from dataagent_core.sandbox.workspaces.directories import FOLDERS

_WRITABLE = ("files", "uploads")


def path_in_query(query: bytes, name: str) -> str | None:
    """Read a path from a URL's query as bytes: it need not be UTF-8."""
    for pair in query.split(b"&"):
        key, _, value = pair.partition(b"=")
        if unquote_to_bytes(key.replace(b"+", b" ")) == name.encode():
            return os.fsdecode(unquote_to_bytes(value.replace(b"+", b" ")))
    return None


def render_path(path: str) -> str:
    """Write a path for JSON and display."""
    return os.fsencode(path).decode("utf-8", "replace")


def encode_path(path: str) -> str:
    """Write a path so that it names exactly this file in a URL."""
    return quote_from_bytes(os.fsencode(path), safe="/")


def new_file(path: str) -> str:
    """Check the path of an upload: into `files` or `uploads`, with a valid name."""
    parts = split_path(path)
    if len(parts) < 2 or parts[0] not in _WRITABLE:  # noqa: PLR2004 (a folder and a name)
        raise ValidationError(
            f"{render_path(path)[:200]!r} cannot be written: files go into /uploads or "
            "/files, as in "
            "/uploads/data.csv."
        )
    for name in parts:
        _refuse_odd(name)
    return format_path(parts)


def require_removable(path: str) -> PathParts:
    """Check the path of a deletion: anything but the workspace and its own folders."""
    parts = split_path(path)
    if len(parts) == 0 or (len(parts) == 1 and parts[0] in FOLDERS):
        raise ValidationError(
            f"{render_path(path)[:200]!r} is part of every workspace and stays. Delete "
            "what is in it."
        )
    return parts


def join_path(folder: str, name: str) -> str:
    """Append a file's name to a folder; the name may contain folders."""
    if not name.strip("/"):
        raise PathEscapeError("The uploaded file has no name. Send one as its filename.")
    return f"{folder.rstrip('/')}/{name}"


def _refuse_odd(name: str) -> None:
    for character in name:
        if unicodedata.category(character) in {"Cc", "Cs"}:
            raise ValidationError(
                f"The name {render_path(name)[:80]!r} holds the character "
                f"U+{ord(character):04X}. Use "
                "text without control characters."
            )
