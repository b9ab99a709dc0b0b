"""Which installed version a project's file names (`.python-version`, `.nvmrc`)."""

import re
from pathlib import Path

_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)", re.ASCII)
_FILE_BYTES_MAX = 200


def read_named_version(file: Path) -> str | None:
    """Read the version a file begins with; None for aliases (`lts/*`) and anything else."""
    try:
        with file.open("rb") as opened:
            text = opened.read(_FILE_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return None
    words = text.split()
    match = _VERSION.fullmatch(words[0]) if words else None
    return match.group(1) if match else None


def find_installed_version(versions: Path, wanted: str | None) -> Path | None:
    """Give the newest folder of a version in a folder of versions; of any, where none is named."""
    try:
        names = [entry.name for entry in versions.iterdir() if entry.is_dir()]
    except OSError:
        return None
    fitting = [(numbers, name) for name in names if (numbers := _numbers(name, wanted))]
    return versions / max(fitting)[1] if fitting else None


def _numbers(name: str, wanted: str | None) -> tuple[int, ...]:
    match = _VERSION.fullmatch(name)
    if match is None:
        return ()
    version = match.group(1)
    fits = wanted is None or version == wanted or version.startswith(f"{wanted}.")
    return tuple(map(int, version.split("."))) if fits else ()
