"""The stores a run needs, opened together."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver

from dataagent_core.session.lock import SessionClaims
from dataagent_core.session.log import EventLog
from dataagent_core.session.store import MessageStore, SessionStore
from dataagent_core.session.stores.memory import (
    MemoryEventLog,
    MemoryMessageStore,
    MemorySessionStore,
)
from dataagent_core.usage import MemoryUsageStore, UsageStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """Sessions, messages, events with their journal, checkpoints, and usage."""

    sessions: SessionStore
    messages: MessageStore
    log: EventLog
    checkpoints: BaseCheckpointSaver[Any]
    usage: UsageStore = field(default_factory=MemoryUsageStore)
    claims: SessionClaims = field(default_factory=SessionClaims)

    @classmethod
    def in_memory(cls) -> Self:
        """Make stores in memory."""
        return cls(
            sessions=MemorySessionStore(),
            messages=MemoryMessageStore(),
            log=MemoryEventLog(),
            checkpoints=InMemorySaver(),
        )


@asynccontextmanager
async def open_sqlite(path: Path, tenant_id: str) -> AsyncGenerator[Stores]:
    """Open the stores of one tenant in one SQLite file."""
    from dataagent_core.session.stores.sql import (
        SqlEventLog,
        SqlMessageStore,
        SqlSessionStore,
        SqlUsageStore,
    )
    from dataagent_core.session.stores.sqlite import SqliteDatabase
    from dataagent_core.session.stores.sqlite.checkpoints import SqliteCheckpointer

    async with SqliteDatabase(path) as database:
        checkpoints = SqliteCheckpointer(database)
        await checkpoints.setup()
        yield Stores(
            sessions=SqlSessionStore(database, tenant_id),
            messages=SqlMessageStore(database, tenant_id),
            log=SqlEventLog(database, tenant_id),
            checkpoints=checkpoints,
            usage=SqlUsageStore(database, tenant_id),
        )
