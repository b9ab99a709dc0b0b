"""Deletes the earlier output files of a worker in its folder."""

from pathlib import Path


def drop_earlier_files(next_file: str) -> None:
    """Remove the files of earlier requests before the next one is written."""
    path = Path(next_file)
    for earlier in path.parent.glob(f"{path.name.partition('-')[0]}-*"):
        earlier.unlink(missing_ok=True)
