"""Whether a file can be made where a person wants it, said before any work is done for it."""

from pathlib import Path

from dataagent_cli.messages import Messages
from dataagent_core.errors import DirectoryError


def check_file_place(path: Path, say: Messages) -> None:
    """Refuse a file in a folder that is not there, and a folder in the place of a file."""
    if path.is_dir():
        raise DirectoryError(say("is_folder", path=path))
    check_folder(path.parent, say)


def check_folder(path: Path, say: Messages) -> None:
    """Refuse a folder that is not there."""
    if not path.is_dir():
        raise DirectoryError(say("no_folder", path=path))
