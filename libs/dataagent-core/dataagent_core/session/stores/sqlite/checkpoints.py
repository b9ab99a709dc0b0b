"""LangGraph's checkpoints in the same file, through the same thread.

The library's own SQLite saver does the work; this only moves each call to the database's thread
in one hop. `AsyncSqliteSaver` would bring a second connection, and a hop per statement.
"""

import sqlite3
from collections.abc import AsyncIterator, Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from dataagent_core.session.stores.sqlite.database import SqliteDatabase


def strict_serializer() -> JsonPlusSerializer:
    """Make a serializer that rebuilds only known types: a database file is not trusted code."""
    return JsonPlusSerializer(allowed_msgpack_modules=None)


class _Saver(SqliteSaver):
    """The library's saver, but for committing: its own cursor also commits after an error."""

    @contextmanager
    def cursor(self, transaction: bool = True) -> Generator[sqlite3.Cursor, None, None]:  # noqa: ARG002, FBT001, FBT002 (the library's signature)
        with closing(self.conn.cursor()) as cursor:
            yield cursor


class SqliteCheckpointer(BaseCheckpointSaver[str]):
    """Checkpoints of every thread in one database file."""

    def __init__(self, database: SqliteDatabase) -> None:
        super().__init__(serde=strict_serializer())
        self._database = database
        self._saver = _Saver(database.connection, serde=self.serde)

    async def setup(self) -> None:
        """Make the library's tables; call once after opening the database."""
        await self._database.read(lambda _: self._saver.setup())

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await self._database.read(lambda _: self._saver.get_tuple(config))

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 (the library's name)
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        found = await self._database.read(
            lambda _: list(self._saver.list(config, filter=filter, before=before, limit=limit))
        )
        for item in found:
            yield item

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await self._database.write(
            lambda _: self._saver.put(config, checkpoint, metadata, new_versions)
        )

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        await self._database.write(
            lambda _: self._saver.put_writes(config, writes, task_id, task_path)
        )

    async def adelete_thread(self, thread_id: str) -> None:
        await self._database.write(lambda _: self._saver.delete_thread(thread_id))

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        return await self._database.read(
            lambda _: self._saver.get_delta_channel_history(config=config, channels=channels)
        )

    def get_next_version(self, current: str | None, channel: None) -> str:
        return self._saver.get_next_version(current, channel)
