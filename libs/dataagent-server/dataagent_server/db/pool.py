"""The size of the connection pool, and how long a caller waits for a connection (S0 44)."""

from dataclasses import dataclass
from typing import Final

# The database ends a transaction that is idle for this long: its process is frozen or gone, and its
# locks would keep others from taking its runs over.
SILENT_TRANSACTION_S: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSizes:
    """S0's `mysql_pool_size` and `mysql_max_overflow`, for every database but SQLite."""

    size: int = 10
    overflow: int = 20
    wait_s: float = 30.0
    recycle_s: int = 3_600
