"""The diff that a file tool would make, computed before the call is approved."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataagent_core.tools.file_tracker import FileSource

# The arguments that the diff shows better than their own text.
SHOWN_BY_DIFF = {
    "write_file": frozenset({"content"}),
    "edit_file": frozenset({"old_string", "new_string"}),
}


def preview(name: str, args: Mapping[str, Any], files: "FileSource") -> str | None:
    """Return the diff a call would make, or None if it cannot be computed; blocks."""
    path = args.get("file_path")
    if name not in SHOWN_BY_DIFF or not isinstance(path, str):
        return None
    try:
        before = files.download_files([path])[0].content or b""
    except Exception:  # noqa: BLE001 (a path the backend refuses: the call itself will say so)
        return None
    after = _content_after(name, args, before)
    # Imported here: a question can be drawn before the engine is loaded.
    from dataagent_core.tools.output.file_diff import compare_file

    return None if after is None else compare_file(path, before, after)[1]


def _content_after(name: str, args: Mapping[str, Any], before: bytes) -> bytes | None:
    try:
        if name == "write_file":
            return args["content"].encode()
        old, new = args["old_string"].encode(), args["new_string"].encode()
    except (KeyError, AttributeError, UnicodeEncodeError):
        return None
    if not old or old not in before:
        return None
    return before.replace(old, new, -1 if args.get("replace_all") is True else 1)
