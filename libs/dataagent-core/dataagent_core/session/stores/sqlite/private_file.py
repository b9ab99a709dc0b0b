"""Makes a database file readable by its owner only.

Its mode is set before SQLite opens it, because the files beside it get the same mode.
"""

import os
from contextlib import suppress
from pathlib import Path

from dataagent_core.errors import StorageError


def make_private(path: Path) -> None:
    """Create the file if it is missing, and set its mode to 0600."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # An existing file is not opened: closing it would drop this process's locks on it.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        if path.is_file() and path.stat().st_uid == os.geteuid():
            path.chmod(0o600)
    except OSError as error:
        raise StorageError(
            f"cannot make {path}: {error.strerror}. Choose another place with DATAAGENT_HOME."
        ) from error
