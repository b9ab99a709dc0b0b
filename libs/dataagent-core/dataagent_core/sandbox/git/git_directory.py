"""Git's own folder where it lies outside the workspace: of a subfolder, or of a linked worktree.

Without it git knows no repository there. It is found above the workspace, or by the pointer that
`git worktree add` leaves. A pointer is believed only if the repository points back: a command can
write the one in the workspace, and never the other.
"""

import os
from pathlib import Path

from dataagent_core.sandbox.bubblewrap.system_binds import BindMount

# What runs on the host later; git itself must be able to write the rest.
GIT_READ_ONLY = ("config", "hooks", "commondir", "config.worktree")
_POINTER_BYTES_MAX = 4096


def find_outside_git_directory(workspace: Path) -> Path | None:
    """Find git's common folder, if it is not in the workspace, as git will name it. It blocks."""
    home = Path.home()
    for folder in (workspace, *workspace.parents):
        # A repository of somebody's dot files is not the project's.
        if folder != workspace and (folder == home or folder in home.parents):
            return None
        entry = folder / ".git"
        if entry.is_symlink() or not _is_same_owner(entry, workspace):
            continue
        if entry.is_file():
            return _linked(entry, workspace)
        if (entry / "HEAD").is_file():
            return None if folder == workspace else entry
    return None


def list_git_binds(workspace: Path) -> tuple[BindMount, ...]:
    """List what a sandbox must show for git. It blocks."""
    found = find_outside_git_directory(workspace)
    if found is None:
        return ()
    real = Path(os.path.realpath(found))
    # One that is not there could be made by a command.
    (real / "hooks").mkdir(exist_ok=True)
    # A link cannot be mounted, only what it leads to.
    links = {name for name in GIT_READ_ONLY if (real / name).is_symlink()}
    there = (name for name in GIT_READ_ONLY if name not in links and (real / name).exists())
    held = (BindMount(str(real / name), str(found / name)) for name in there)
    above = _pointer_above(workspace)
    pointers = () if above is None else (BindMount(str(above), str(above)),)
    return (BindMount(str(real), str(found), writable=True), *held, *pointers)


def lies_in_repository(workspace: Path) -> bool:
    """Say whether a workspace is a subfolder of a repository's files. It blocks."""
    if os.path.lexists(workspace / ".git"):
        return False
    return find_outside_git_directory(workspace) is not None


def _pointer_above(workspace: Path) -> Path | None:
    """Find the pointer of the linked worktree that a workspace is a subfolder of."""
    for folder in (workspace, *workspace.parents):
        entry = folder / ".git"
        if not entry.is_symlink() and _is_same_owner(entry, workspace):
            return entry if entry.is_file() and folder != workspace else None
    return None


def _linked(pointer: Path, workspace: Path) -> Path | None:
    target = _pointed(pointer, "gitdir:")
    if target is None or target.parent.name != "worktrees":
        return None
    back = _pointed(target / "gitdir", "")
    if back is None or os.path.realpath(back) != os.path.realpath(pointer):
        return None
    common = target.parent.parent
    return None if common.is_relative_to(workspace) else common


def _pointed(file: Path, word: str) -> Path | None:
    try:
        with file.open("rb") as opened:
            text = os.fsdecode(opened.read(_POINTER_BYTES_MAX)).strip()
    except OSError:
        return None
    if not text.startswith(word) or "\0" in text or "\n" in text:
        return None
    named = text.removeprefix(word).strip()
    return Path(os.path.normpath(file.parent / named)) if named else None


def _is_same_owner(entry: Path, workspace: Path) -> bool:
    try:
        return entry.stat().st_uid == workspace.stat().st_uid
    except OSError:
        return False
