"""Files in a language's folder that may hold a token or a password: never shown."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

NAMES: Final = (
    "pip.conf",
    "etc/pip.conf",
    "etc/npmrc",
    "lib/node_modules/npm/npmrc",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".netrc",
    ".pypirc",
    ".env",
    "credentials",
    "credentials.toml",
    "config.toml",
)


def credentials_in(folders: Iterable[Path]) -> Iterator[Path]:
    """List what is there of them."""
    for folder in folders:
        for name in NAMES:
            if (folder / name).is_file():
                yield folder / name
