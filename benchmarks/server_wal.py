"""How many transactions a SQLite file has seen, read from beside it without touching it.

SQLite keeps a number in the header of the write-ahead log's index (`-shm`, bytes 8 to 12) that
grows by one with every transaction of any process.
"""

import struct
from pathlib import Path


def commits(database: Path) -> int:
    with database.with_name(database.name + "-shm").open("rb") as index:
        return struct.unpack("=8xI", index.read(12))[0]
