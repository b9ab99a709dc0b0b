"""One person's SQLite file: opened here, used by the stores of `stores/sql/`."""

from dataagent_core.session.stores.sqlite.database import SqliteDatabase

__all__ = ["SqliteDatabase"]
