"""The Python of a project: behind its virtual environments, and pyenv's."""

import os
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from dataagent_core.sandbox.toolchains.toolchain import Toolchain, ToolchainProject
from dataagent_core.sandbox.toolchains.toolchain_versions import (
    find_installed_version,
    read_named_version,
)

_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile")
_ENTRIES_MAX = 1_000
_CONFIG_BYTES_MAX = 10_000


def find_python(project: ToolchainProject) -> Iterator[Toolchain]:
    """Give each Python the project stands on."""
    for home in _homes_of_environments(project.folder):
        prefix = home.parent
        if is_python(prefix):
            yield Toolchain(folders=_both(prefix))
    chosen = _chosen(project)
    if chosen is not None and is_python(chosen):
        yield Toolchain(folders=_both(chosen), path=(str(chosen / "bin"),))


def is_python(prefix: Path) -> bool:
    """Say whether a folder is a Python installation, and nothing that merely says so."""
    has_library = any(prefix.glob("lib/python3*/os.py"))
    return has_library and any(prefix.glob("bin/python3*"))


def _homes_of_environments(folder: Path) -> Iterator[Path]:
    try:
        entries = list(islice(folder.iterdir(), _ENTRIES_MAX))
    except OSError:
        return
    for entry in entries:
        try:
            with (entry / "pyvenv.cfg").open("rb") as opened:
                lines = os.fsdecode(opened.read(_CONFIG_BYTES_MAX)).splitlines()
        except OSError:
            continue
        for line in lines:
            key, _, value = line.partition("=")
            if key.strip() == "home" and value.strip().startswith("/"):
                yield Path(os.path.normpath(value.strip()))


def _chosen(project: ToolchainProject) -> Path | None:
    """Find the Python that `python3` means for the person in this project."""
    named = read_named_version(project.folder / ".python-version")
    if named is None and not project.has(*_MARKS):
        return None
    root = Path(project.environ.get("PYENV_ROOT") or project.home / ".pyenv")
    found = shutil.which("python3", path=project.environ.get("PATH"))
    if named is None and (found is None or Path(found).parent != root / "shims"):
        return Path(os.path.realpath(found)).parent.parent if found else None
    return find_installed_version(root / "versions", named or read_named_version(root / "version"))


def _both(prefix: Path) -> tuple[Path, ...]:
    """Name a folder as the project does, and as it really is: links lead to both."""
    return tuple(dict.fromkeys((prefix, Path(os.path.realpath(prefix)))))
