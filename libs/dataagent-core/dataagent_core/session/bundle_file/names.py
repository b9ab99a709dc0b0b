"""The names inside a bundle: its own parts, valid file names, and files that are left out."""

from typing import Final

from dataagent_core.config.limits.sessions import (
    BUNDLE_FOLDERS_DEEP_MAX,
    BUNDLE_NAME_BYTES_MAX,
    BUNDLE_PATH_BYTES_MAX,
)
from dataagent_core.errors import ValidationError

FORMAT: Final = "dataagent.bundle"
VERSION: Final = 1
HEAD: Final = "bundle.json"
MESSAGES: Final = "messages.jsonl"
EVENTS: Final = "events.jsonl"
HISTORY: Final = "history.json"
WORKSPACE: Final = "workspace/"
PARTS: Final = (HEAD, MESSAGES, EVENTS, HISTORY)

# Files that another machine would run, trust or sign in with.
_LEFT_OUT_FOLDERS: Final = frozenset(
    {".git", ".hg", ".svn", ".dataagent", ".ssh", ".gnupg", ".aws", ".venv", "node_modules"}
    | {"__pycache__"}
)
_LEFT_OUT_FILES: Final = frozenset(
    {".mcp.json", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".env", ".envrc", ".git"}
    | {"secret.key", "mcp-auth.json", "credentials.json"}
)
_LEFT_OUT_ENDINGS: Final = (".pem", ".key", ".p12", ".pfx", ".kdbx", ".jks", ".keystore")
_HARMLESS_ENV: Final = (".example", ".sample", ".template")


def is_left_out(path: str) -> bool:
    """Return whether a file of a workspace is not exported: rules, hooks and secrets."""
    *folders, name = (part.casefold() for part in path.split("/"))
    if any(folder in _LEFT_OUT_FOLDERS for folder in folders) or name in _LEFT_OUT_FILES:
        return True
    if name.startswith(".env.") and not name.endswith(_HARMLESS_ENV):
        return True
    return name.endswith(_LEFT_OUT_ENDINGS) or name.startswith("id_rsa")


def checked_path(path: str) -> str:
    """Return a relative path that stays inside its target directory; raise if it does not."""
    parts = path.split("/")
    is_valid = (
        len(path.encode("utf-8", "replace")) <= BUNDLE_PATH_BYTES_MAX
        and len(parts) <= BUNDLE_FOLDERS_DEEP_MAX
        and path.isprintable()
        and "\\" not in path
        and ":" not in parts[0]
        and all(
            part not in {"", ".", ".."} and len(part.encode()) <= BUNDLE_NAME_BYTES_MAX
            for part in parts
        )
    )
    if not is_valid:
        raise ValidationError(f"the bundle holds the file name {path[:200]!r}, which is refused.")
    return path
