"""Checks that a file can be written, before any work is done for it."""

from pathlib import Path

from dataagent_cli.messages import Messages
from dataagent_core.errors import DirectoryError


def check_file_place(path: Path, say: Messages) -> None:
    """Refuse a file in a missing folder, and a folder in place of a file."""
    if path.is_dir():
        raise DirectoryError(say("is_folder", path=path))
    check_folder(path.parent, say)


def check_folder(path: Path, say: Messages) -> None:
    """Refuse a missing folder."""
    if not path.is_dir():
        raise DirectoryError(say("no_folder", path=path))
