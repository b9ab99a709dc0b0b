"""The places no tool may write, because somebody else later runs or obeys what stands there.

Git runs what is in `.git` (hooks, configuration); our own rules are in `.dataagent`; `.mcp.json`
starts programs; a shell reads its start files. A folder under any name is git's if git would take
it for a repository. Names are compared without case, width and
invisible characters, since some filesystems do that too, and an existing file is also compared by
identity, so no spelling the filesystem takes for the same can slip through.
"""

import os
import unicodedata

from dataagent_core.errors import DeniedError
from dataagent_core.sandbox.paths.tool_paths import PathParts, format_path

# Everything beneath these, wherever they are.
PROTECTED_DIRECTORIES = (".git", ".dataagent")
PROTECTED_FILES = (
    ".mcp.json",
    ".gitconfig",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
)
_NAMES = (*PROTECTED_DIRECTORIES, *PROTECTED_FILES)
# What git obeys, or goes by, in a folder with a `HEAD`.
_OF_REPOSITORIES = (
    "config",
    "config.worktree",
    "commondir",
    "gitdir",
    "hooks",
    "info",
    "objects",
    "refs",
    "remotes",
    "branches",
    "modules",
    "worktrees",
    "rebase-merge",
)


def is_protected(parts: PathParts) -> bool:
    """Say whether a path is, or lies in, a protected place by its names."""
    return any(fold_name(name) in _NAMES for name in parts)


def refuse_protected(parts: PathParts, directory_fds: tuple[int, ...] = ()) -> None:
    """Raise if a write to `parts` would change a protected place.

    `directory_fds` are the directories that hold each of the names, in order, once they are open.
    """
    reached = list(zip(directory_fds, parts, strict=False))
    if is_protected(parts) or any(_is_same_file(*one) or _is_of_git(*one) for one in reached):
        raise DeniedError(
            f"{format_path(parts)!r} is protected: tools may not change what git, a shell, MCP or "
            "the permission rules read. Ask the person to change it themselves."
        )


def fold_name(name: str) -> str:
    """Write a name as the filesystems that tell the fewest names apart would take it."""
    if name.isascii():
        return name.lower().rstrip(". ")
    visible = (c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) != "Cf")
    # Windows and its filesystems drop dots and spaces at the end of a name.
    return "".join(visible).casefold().rstrip(". ")


def _is_same_file(directory_fd: int, name: str) -> bool:
    identity = read_entry_identity(directory_fd, name)
    return identity is not None and any(
        identity == read_entry_identity(directory_fd, protected) for protected in _NAMES
    )


def _is_of_git(directory_fd: int, name: str) -> bool:
    """Say whether a name belongs to a repository under another name than `.git`, or makes one."""
    folded = fold_name(name)
    if folded == "head":
        return any(read_entry_identity(directory_fd, other) for other in _OF_REPOSITORIES)
    return folded in _OF_REPOSITORIES and read_entry_identity(directory_fd, "HEAD") is not None


def read_entry_identity(directory_fd: int, name: str) -> tuple[int, int] | None:
    """Give device and inode of a name itself, if it is there."""
    try:
        status = os.stat(name, dir_fd=directory_fd, follow_symlinks=False)
    except OSError:
        return None
    return status.st_dev, status.st_ino
