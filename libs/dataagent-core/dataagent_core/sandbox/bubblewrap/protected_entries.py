"""Names in the workspace that a command may not write: the host runs or obeys them later.

What exists is bound read-only, and the folders above it are mounts of their own, so that they
cannot be renamed away. What does not exist cannot be covered without leaving something behind in
the workspace: it is looked for after the command and renamed, so that it has no effect.
"""

import os
import secrets
import stat
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from dataagent_core.config.limits import HOST_FILE_BYTES_MAX
from dataagent_core.sandbox.git.git_directory import GIT_READ_ONLY
from dataagent_core.sandbox.paths.protected_paths import PROTECTED_FILES

# Git itself must be able to write the rest of `.git`; the file tools protect all of it.
PROTECTED_NAMES = (*(f".git/{name}" for name in GIT_READ_ONLY), ".dataagent", *PROTECTED_FILES)
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_HOOKS = ".git/hooks"
# `git init` writes these; without them there is no repository.
_MAY_BE_CREATED = frozenset({".git/config"})


@dataclass(frozen=True, slots=True)
class ProtectedEntry:
    """An open entry of the workspace, to be mounted on itself."""

    descriptor: int
    path: str
    read_only: bool


def open_protected_entries(
    root_fd: int, names: Sequence[str], stack: ExitStack, pinned: Sequence[str] = ()
) -> list[ProtectedEntry]:
    """Open what exists of the protected names, folders above before what is in them.

    `pinned` are folders that may be written and not be renamed.
    """
    held: dict[str, ProtectedEntry] = {}
    writable = frozenset(pinned).difference(names)
    for name in (*names, *writable):
        parts = name.split("/")
        parent = root_fd
        for depth, part in enumerate(parts, start=1):
            path = "/".join(parts[:depth])
            descriptor = _open_entry(part, parent)
            if descriptor is None:
                break
            stack.callback(os.close, descriptor)
            mode = os.fstat(descriptor).st_mode
            if stat.S_ISLNK(mode):
                break
            is_last = depth == len(parts) or not stat.S_ISDIR(mode)
            known = held.get(path)
            read_only = (is_last and name not in writable) or bool(known and known.read_only)
            held[path] = ProtectedEntry(descriptor, path, read_only)
            parent = descriptor
            if is_last:
                break
    return sorted(held.values(), key=lambda entry: entry.path)


def list_missing_names(root_fd: int, names: Sequence[str]) -> list[str]:
    """List the protected names that do not exist and may not be created."""
    wanted = (name for name in names if name not in _MAY_BE_CREATED)
    return [name for name in wanted if _find_present(root_fd, name) is None]


def rename_created_names(root_fd: int, names: Sequence[str]) -> list[str]:
    """Rename what a command created under a protected name; list what was renamed."""
    refused: list[str] = []
    for name in names:
        found = _find_present(root_fd, name)
        if found is None or (found == _HOOKS and _holds_samples(root_fd, found)):
            continue
        aside = f"{found}.refused-{secrets.token_hex(4)}"
        with suppress(OSError):
            os.rename(found, aside, src_dir_fd=root_fd, dst_dir_fd=root_fd)
            refused.append(f"'/{found}' was created by the command and renamed to '/{aside}'")
    return refused


def _holds_samples(root_fd: int, folder: str) -> bool:
    """Say whether a folder of hooks is as `git init` makes it."""
    try:
        descriptor = os.open(folder, _LIST, dir_fd=root_fd)
    except OSError:
        return False
    try:
        with os.scandir(descriptor) as entries:
            return all(
                one.is_file(follow_symlinks=False) and one.name.endswith(".sample")
                for one in entries
            )
    finally:
        os.close(descriptor)


def read_entry(root_fd: int, name: str) -> bytes | None:
    """Read a file beneath a folder, through no link; None if it is not there, or no small file."""
    parts = name.split("/")
    with ExitStack() as stack:
        parent = root_fd
        for part in parts[:-1]:
            descriptor = _open_entry(part, parent)
            if descriptor is None:
                return None
            stack.callback(os.close, descriptor)
            parent = descriptor
        try:
            opened = os.open(parts[-1], _READ, dir_fd=parent)
        except OSError:
            return None
        with os.fdopen(opened, "rb") as file:
            if not stat.S_ISREG(os.fstat(opened).st_mode):
                return None
            return file.read(HOST_FILE_BYTES_MAX)


def _find_present(root_fd: int, name: str) -> str | None:
    """Find a name, or the link on the way to it that could lead anywhere."""
    parts = name.split("/")
    with ExitStack() as stack:
        parent = root_fd
        for depth, part in enumerate(parts, start=1):
            descriptor = _open_entry(part, parent)
            if descriptor is None:
                return None
            stack.callback(os.close, descriptor)
            if stat.S_ISLNK(os.fstat(descriptor).st_mode) or depth == len(parts):
                return "/".join(parts[:depth])
            parent = descriptor
    return None


def _open_entry(name: str, parent: int) -> int | None:
    try:
        return os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    except OSError:
        return None
