"""Lists the files of a workspace for completion, within a limit."""

import os
import time
from collections import deque
from pathlib import Path
from typing import Final

NAMES_MAX: Final = 5_000
ENTRIES_SEEN_MAX: Final = 50_000
LOOK_S_MAX: Final = 0.5
# Folders that programs fill: nobody mentions a file in them.
_SKIPPED: Final = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".mypy_cache", ".ruff_cache"}
)


def names_beneath(root: Path) -> list[str]:
    """List files relative to a directory, those near its top first; links are not followed."""
    names: list[str] = []
    seen = 0
    deadline_s = time.monotonic() + LOOK_S_MAX
    folders = deque([""])
    while folders:
        here = folders.popleft()
        try:
            entries = sorted(os.scandir(root / here), key=lambda entry: entry.name)
        except OSError:
            continue  # removed, or not readable
        for entry in entries:
            seen += 1
            name = f"{here}{entry.name}"
            if len(names) >= NAMES_MAX or seen > ENTRIES_SEEN_MAX:
                return names
            # A name that is not text, or that could steer the terminal, cannot be typed either.
            if not name.isprintable():
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED:
                    folders.append(f"{name}/")
            else:
                names.append(name)
        if time.monotonic() > deadline_s:
            return names
    return names
