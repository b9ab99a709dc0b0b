"""One person's SQLite file: opened here, used by the stores of `stores/sql/`."""

from dataagent_core.session.stores.sqlite.database import SqliteDatabase
from dataagent_core.session.stores.sqlite.log import SqliteEventLog

__all__ = ["SqliteDatabase", "SqliteEventLog"]
