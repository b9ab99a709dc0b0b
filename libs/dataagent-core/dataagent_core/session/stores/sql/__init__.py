"""The stores of an SQL database: statements written once, for the terminal's file and the server.

`connection.py` is the protocol they run over, `dialect.py` what differs between databases. A file
is opened by `stores/sqlite/`; PostgreSQL and MySQL are the server's (`dataagent_server.db`).
"""

from dataagent_core.session.stores.sql.event_log import SqlEventLog
from dataagent_core.session.stores.sql.message_store import SqlMessageStore
from dataagent_core.session.stores.sql.session_store import SqlSessionStore
from dataagent_core.session.stores.sql.usage_store import SqlUsageStore

__all__ = ["SqlEventLog", "SqlMessageStore", "SqlSessionStore", "SqlUsageStore"]
