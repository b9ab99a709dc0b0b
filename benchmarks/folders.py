"""The folders of an agent that is measured: DataAgent's own are never inside of its workspace."""

from pathlib import Path


def new_folder(parent: Path, name: str) -> Path:
    """Make a folder, unless it is there."""
    folder = parent / name
    folder.mkdir(exist_ok=True)
    return folder
