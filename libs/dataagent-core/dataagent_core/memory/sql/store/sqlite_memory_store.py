"""Opens the memories in a person's file."""

from pathlib import Path

from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.memory.sql.store.sql_memory_store import SqlMemoryStore


def open_memory_store(path: Path, tenant_id: str) -> SqlMemoryStore:
    """Open the memories in a file; a store of the graph beside it shares a `MemoryFile`."""
    return SqlMemoryStore(MemoryFile(path), tenant_id)
