"""Files in a language's folder that may hold a token or a password: never shown."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

# At the top of a folder, where their names mean this and nothing else.
_AT_THE_TOP: Final = ("credentials", "config.toml", "config.json", "etc/npmrc", "npmrc")
# Wherever they lie.
NAMES: Final = frozenset(
    {
        "pip.conf",
        "pip.ini",
        ".npmrc",
        ".yarnrc",
        ".yarnrc.yml",
        ".netrc",
        "_netrc",
        ".pypirc",
        ".env",
        ".condarc",
        "condarc",
        ".git-credentials",
        "credentials.toml",
    }
)
_BUILT_INTO_NPM: Final = "lib/node_modules/npm/npmrc"
_DEEP_MAX: Final = 4
_ENTRIES_MAX: Final = 50_000


def find_credentials(folders: Iterable[Path]) -> Iterator[Path]:
    """List what is there of them. It blocks."""
    for folder in folders:
        named = (folder / name for name in (*_AT_THE_TOP, _BUILT_INTO_NPM))
        found = (*(path for path in named if path.is_file()), *_below(folder))
        yield from dict.fromkeys(real for path in found if (real := _shown(path, folder)))


def _shown(path: Path, folder: Path) -> Path | None:
    """Give the file itself, for a link cannot be covered; None if it is not in the folder."""
    inside = os.path.relpath(os.path.realpath(path), os.path.realpath(folder))
    return None if inside.startswith("..") else folder / inside


def _below(folder: Path) -> Iterator[Path]:
    """Find them by name, not too far down: further are the files of packages."""
    waiting, left = [(str(folder), 0)], _ENTRIES_MAX
    while waiting and left > 0:
        path, deep = waiting.pop(0)
        try:
            with os.scandir(path) as entries:
                found = list(entries)
        except OSError:
            continue  # a file, or nothing that this person reads
        left -= len(found)
        for entry in found:
            if entry.name in NAMES and entry.is_file():
                yield Path(entry.path)
            elif deep < _DEEP_MAX and entry.is_dir(follow_symlinks=False):
                waiting.append((entry.path, deep + 1))
