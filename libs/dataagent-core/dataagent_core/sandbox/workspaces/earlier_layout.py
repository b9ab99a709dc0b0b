"""Moves a workspace of an earlier version to the place it has now, so that no file is lost.

The library kept workspaces at `base/{tenant}/{user}` or `base/{user}` (`AgentFactory`) and at
`base/u-{hash of user}` (`UserWorkspaceManager`). A name that somebody chose may be the name of
anything beneath the base, so only directories are moved that were there when this version first
used the base: `.earlier-layout` lists them, and removing that file makes the list anew. Directories
of the present layout, whose names nobody chooses, are never on it.
"""

import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dataagent_core.errors import DirectoryError
from dataagent_core.sandbox.workspaces.directories import FOLDERS

_LIST = ".earlier-layout"
_MANAGED = re.compile(r"u-[0-9a-f]{32}\Z")
_DERIVED = re.compile(r"[0-9a-f]{32}\Z")


def adopt_earlier(base: Path, workspace_id: str, tenant_id: str | None, user_id: str) -> None:
    """Move what a person had before; beside files they have already, below `files/`."""
    try:
        listed = _listed(base)
        for place in _earlier_places(tenant_id, user_id):
            if place.parts[0] in listed and _is_directory(base / place):
                _move(base / place, base / workspace_id)
    except OSError as error:
        raise DirectoryError(
            f"The earlier workspace of {user_id!r} below {str(base)!r} cannot be moved to "
            f"{workspace_id!r}: {error.strerror}. Make it readable and writable for this program."
        ) from error


def _earlier_places(tenant_id: str | None, user_id: str) -> Iterator[Path]:
    if tenant_id is None:
        yield Path(f"u-{hashlib.sha256(user_id.encode()).hexdigest()[:32]}")
    chosen = (user_id,) if tenant_id is None else (tenant_id, user_id)
    # Nobody may call themselves what the manager called another's directory.
    if not _MANAGED.match(chosen[0]):
        yield Path(*chosen)


def _move(place: Path, workspace: Path) -> None:
    if not workspace.exists():
        place.rename(workspace)
        return
    folder = workspace / "files"
    folder.mkdir(mode=0o700, exist_ok=True)
    place.rename(folder / f"earlier-{secrets.token_hex(4)}")


def _listed(base: Path) -> frozenset[str]:
    if not base.is_dir():
        return frozenset()
    known = base / _LIST
    if known.exists():
        return frozenset(known.read_text().splitlines())
    names = sorted(entry.name for entry in base.iterdir() if _is_earlier(entry))
    written = base / f"{_LIST}.{secrets.token_hex(8)}"
    written.write_text("".join(f"{name}\n" for name in names))
    try:
        # Whoever is first decides: a later list could hold directories of the present layout.
        with suppress(FileExistsError):
            os.link(written, known)
    finally:
        written.unlink()
    return frozenset(known.read_text().splitlines())


def _is_earlier(entry: Path) -> bool:
    if entry.name.startswith(".") or "\n" in entry.name or not _is_directory(entry):
        return False
    present = _DERIVED.match(entry.name) and any((entry / name).is_dir() for name in FOLDERS)
    return not present


def _is_directory(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
