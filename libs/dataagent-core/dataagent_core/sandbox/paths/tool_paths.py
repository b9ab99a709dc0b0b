"""A path as a tool writes it, read as names beneath a root. Pure: the kernel decides the rest.

`/a/b.txt`, `a/b.txt` and `//a/./b.txt` are the same file: the root of the workspace is `/`.
What could mean something outside (`..`, NUL) is refused before any system call.
"""

import os

from dataagent_core.config.limits import PATH_BYTES_MAX, PATH_NAME_BYTES_MAX
from dataagent_core.errors import PathEscapeError

PathParts = tuple[str, ...]


def check_path(path: str) -> str:
    """Return a path relative to the root, empty for the root itself, or refuse it."""
    # Most paths are short and plain, and this is on the way to every open.
    plain = ".." not in path and path.isascii() and len(path) <= PATH_NAME_BYTES_MAX
    if path and "\0" not in path and (plain or _is_harmless(path)):
        return path.strip("/")
    raise PathEscapeError(_refusal(path))


def split_path(path: str) -> PathParts:
    """Split a path into names; `/` gives none."""
    return tuple([name for name in check_path(path).split("/") if name not in {"", "."}])


def format_path(parts: PathParts) -> str:
    """Write names as the path a tool would use."""
    return "/" + "/".join(parts)


def _is_harmless(path: str) -> bool:
    names = path.split("/")
    try:
        lengths = [len(os.fsencode(name)) for name in names]
    except UnicodeEncodeError:
        return False
    short = max(lengths) <= PATH_NAME_BYTES_MAX and sum(lengths) + len(names) <= PATH_BYTES_MAX
    return short and ".." not in names


def _refusal(path: str) -> str:
    shown = path if len(path) <= 200 else path[:200] + "..."  # noqa: PLR2004 (for the eye)
    if not path:
        why = "it is empty"
    elif "\0" in path:
        why = "it holds a NUL character"
    elif ".." in path.split("/"):
        why = "it goes up with '..'"
    else:
        why = (
            f"it is longer than {PATH_BYTES_MAX} bytes, has a name longer than "
            f"{PATH_NAME_BYTES_MAX}, or cannot be encoded"
        )
    return (
        f"The path {shown!r} is refused: {why}. Write it from the workspace root, "
        "as in /folder/file.txt."
    )
