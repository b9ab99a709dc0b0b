"""The folders of a measured agent: DataAgent's own are never inside its workspace."""

from pathlib import Path


def new_folder(parent: Path, name: str) -> Path:
    """Make a folder, unless it exists."""
    folder = parent / name
    folder.mkdir(exist_ok=True)
    return folder
