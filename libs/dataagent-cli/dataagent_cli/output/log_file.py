"""Writes log records to a file in DATAAGENT_HOME, never over the terminal.

Without a handler Python writes warnings to stderr, into a prompt that is being drawn.
"""

import logging
import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

FILE_NAME: Final = "dataagent.log"
LOG_FILE_BYTES_MAX: Final = 1_000_000
LOG_FILES_KEPT: Final = 2
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def write_log_to(home: Path) -> None:
    """Send the log records of this process to the file of a home only."""
    root = logging.getLogger()
    path = str((home / FILE_NAME).absolute())
    for handler in [each for each in root.handlers if isinstance(each, _LogFile)]:
        if handler.baseFilename == path:
            return
        root.removeHandler(handler)
        handler.close()
    handler = _LogFile(path)
    handler.setFormatter(logging.Formatter(_FORMAT))
    root.addHandler(handler)
    logging.captureWarnings(capture=True)


class _LogFile(RotatingFileHandler):
    """A bounded file that only its owner can read; made with the first record."""

    def __init__(self, path: str) -> None:
        super().__init__(
            path,
            maxBytes=LOG_FILE_BYTES_MAX,
            backupCount=LOG_FILES_KEPT,
            encoding="utf-8",
            delay=True,
            errors="backslashreplace",
        )

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # A record can hold a user message: nobody else may read it.
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(descriptor, "a", encoding=self.encoding, errors=self.errors)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (the library's name)
        """Drop a record that cannot be written: the program continues, the screen stays intact."""
