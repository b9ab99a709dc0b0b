"""Stores that live and die with the process: for tests, and for library users who keep nothing.

They keep copies and refuse what JSON cannot hold, as a database does, so that what works with them
works with every other store.
"""

from dataagent_core.session.stores.memory.log import MemoryEventLog
from dataagent_core.session.stores.memory.messages import MemoryMessageStore
from dataagent_core.session.stores.memory.sessions import MemorySessionStore

__all__ = ["MemoryEventLog", "MemoryMessageStore", "MemorySessionStore"]
