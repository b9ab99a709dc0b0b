"""Which folders a person trusts to loosen rules, and for which text of their rules.

Trust is given to a folder's rule file as it is. When the file changes (a pull, a colleague, a
tool that found a way), the folder may only tighten again until the person has looked.
"""

import hashlib
import json
from pathlib import Path

from dataagent_core.config.files.atomic_write import write_atomically
from dataagent_core.config.files.text_file import parse_toml
from dataagent_core.permissions.rule_files.rule_file import read_text
from dataagent_core.permissions.rule_files.rule_file_names import (
    PROJECT_RULES_PATH,
    TRUSTED_FOLDERS_NAME,
)

# The fingerprint of no text.
_REFUSED = "refused"


def is_trusted(home: Path, folder: Path) -> bool:
    """Say whether the person trusts the folder's rules as they are now."""
    return _trusted(home).get(str(folder.resolve())) == _fingerprint(folder)


def trust(home: Path, folder: Path) -> None:
    """Note that the person trusts the folder's rules as they are now."""
    _write(home, _trusted(home) | {str(folder.resolve()): _fingerprint(folder)})


def refuse(home: Path, folder: Path) -> None:
    """Note that the person was asked about the folder and does not trust it."""
    _write(home, _trusted(home) | {str(folder.resolve()): _REFUSED})


def was_asked(home: Path, folder: Path) -> bool:
    """Say whether the person was asked about a folder, whatever they said."""
    return str(folder.resolve()) in _trusted(home)


def was_refused(home: Path, folder: Path) -> bool:
    """Say whether the person was asked about the folder and does not trust it."""
    return _trusted(home).get(str(folder.resolve())) == _REFUSED


def distrust(home: Path, folder: Path) -> None:
    """Forget that the person trusted a folder."""
    _write(home, {f: print_ for f, print_ in _trusted(home).items() if f != str(folder.resolve())})


def _trusted(home: Path) -> dict[str, str]:
    path = home / TRUSTED_FOLDERS_NAME
    # Moved away, as an error says, it lists nothing: then no folder is trusted.
    table = parse_toml(read_text(path) or "", str(path), "a list of folders")
    return {folder: mark for folder, mark in table.items() if isinstance(mark, str)}


def _fingerprint(folder: Path) -> str:
    text = read_text(folder / PROJECT_RULES_PATH) or ""
    return hashlib.sha256(text.encode()).hexdigest()


def _write(home: Path, trusted: dict[str, str]) -> None:
    lines = (f"{json.dumps(folder)} = {json.dumps(mark)}\n" for folder, mark in trusted.items())
    write_atomically(home / TRUSTED_FOLDERS_NAME, "".join(lines))
