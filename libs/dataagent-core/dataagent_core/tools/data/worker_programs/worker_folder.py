"""The worker's own folder: it drops what it wrote for earlier questions itself."""

from pathlib import Path


def drop_earlier_files(next_file: str) -> None:
    """Remove the files of earlier questions, before the next one is written."""
    place = Path(next_file)
    for left in place.parent.glob(f"{place.name.partition('-')[0]}-*"):
        left.unlink(missing_ok=True)
