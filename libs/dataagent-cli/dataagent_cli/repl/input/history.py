"""The history of the input, for all directories: one bounded file in DATAAGENT_HOME.

Each entry is a line of JSON, so that a message of many lines is one entry. In a damaged file only
the damaged lines are lost.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit.history import History

from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.repl.limits import (
    HISTORY_ENTRIES_MAX,
    HISTORY_ENTRY_CHARS_MAX,
    HISTORY_FILE_BYTES_MAX,
)

FILE_NAME = "history.jsonl"


class FileHistory(History):
    """Reads the file once, and appends to it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def load_history_strings(self) -> Iterable[str]:
        """Yield the entries, the newest first."""
        try:
            if self._path.stat().st_size > HISTORY_FILE_BYTES_MAX:
                self._shorten()
            with self._path.open("rb") as file:
                entries = [entry for line in file if (entry := _entry(line))]
        except OSError:
            return  # missing or unreadable: there is no history
        last = entries[-HISTORY_ENTRIES_MAX:]
        yield from reversed(last)

    def store_string(self, string: str) -> None:
        """Append an entry; one that cannot be stored is dropped."""
        if len(string) > HISTORY_ENTRY_CHARS_MAX:
            return
        line = json.dumps(string) + "\n"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Typed text can hold secrets: nobody else may read it.
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError:
            return
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(line)

    def _shorten(self) -> None:
        kept = self._path.read_bytes()[-HISTORY_FILE_BYTES_MAX // 2 :]
        fresh = self._path.with_suffix(".new")
        fresh.touch(0o600)
        fresh.write_bytes(kept)
        fresh.replace(self._path)


def _entry(line: bytes) -> str | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return sanitize_text(entry) if isinstance(entry, str) else None
