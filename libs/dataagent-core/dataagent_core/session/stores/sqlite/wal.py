"""Write-ahead logging: readers and the writer do not wait for each other.

SQLite changes the mode of a file without waiting for those who are just opening it, so this waits.
"""

import sqlite3
import time

from dataagent_core.config.limits import SQLITE_BUSY_S

_PAUSE_S = 0.005


def use_wal(connection: sqlite3.Connection) -> None:
    """Switch the file to WAL; one that is in this mode already is left as it is."""
    deadline = time.monotonic() + SQLITE_BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_S)
        else:
            break
    # In WAL mode NORMAL keeps every commit through a killed process; only a power cut can
    # take the newest ones, and never leaves the file damaged.
    connection.execute("PRAGMA synchronous = NORMAL")
