"""The worker's own folder: what was written for earlier questions is dropped there, not outside.

The folder is the upper layer of an overlay; removing from beneath it would leave stale names.
"""

from pathlib import Path


def drop_earlier(next_file: str) -> None:
    """Remove the files of earlier questions, before the next one is written."""
    place = Path(next_file)
    for left in place.parent.glob(f"{place.name.partition('-')[0]}-*"):
        left.unlink(missing_ok=True)
