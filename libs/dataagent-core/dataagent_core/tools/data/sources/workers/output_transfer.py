"""Copies a file out of a worker's folder: only a plain file of bounded size."""

import os
import shutil
import stat
from pathlib import Path

from dataagent_core.errors import QueryFailedError

_CHUNK_BYTES = 1 << 20


def take_output(folder: Path, name: str, into: Path, bytes_max: int) -> int:
    """Copy the opened file to a new one and return its size; the worker deletes its own."""
    source = folder / name
    try:
        descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise QueryFailedError(f"The worker left no result: {error.strerror}.") from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
            raise QueryFailedError("The worker left no plain file. Ask again.")
        if status.st_size > bytes_max:
            raise QueryFailedError(
                f"The result has {status.st_size} bytes on disk, {bytes_max} are possible. "
                "Ask for fewer rows or columns."
            )
        with into.open("xb") as target:
            shutil.copyfileobj(file, target, _CHUNK_BYTES)
    return status.st_size
