"""The stores of one person's machine: one SQLite file."""

from dataagent_core.session.stores.sqlite.database import SqliteDatabase
from dataagent_core.session.stores.sqlite.log import SqliteEventLog
from dataagent_core.session.stores.sqlite.messages import SqliteMessageStore
from dataagent_core.session.stores.sqlite.sessions import SqliteSessionStore

__all__ = [
    "SqliteDatabase",
    "SqliteEventLog",
    "SqliteMessageStore",
    "SqliteSessionStore",
]
