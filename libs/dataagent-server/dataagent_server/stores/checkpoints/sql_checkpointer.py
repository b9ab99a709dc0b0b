"""Checkpoints over `Database` for MySQL and MariaDB: a `BaseCheckpointSaver`.

A checkpoint is one row with its state. Messages are stored as deltas, which `delta_history.py`
collects.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    get_checkpoint_metadata,
)
from sqlalchemy import Connection, delete

from dataagent_core.session.stores.sqlite.checkpoints import strict_serializer
from dataagent_server.db.database import Database
from dataagent_server.db.store_connection import sql_connection
from dataagent_server.db.tables.checkpoints import graph_checkpoints, graph_writes
from dataagent_server.db.upsert import insert_ignore, upsert
from dataagent_server.stores.checkpoints import checkpoint_rows
from dataagent_server.stores.checkpoints.checkpoint_address import (
    CheckpointAddress,
    address_of,
    config_of,
)
from dataagent_server.stores.checkpoints.delta_history import delta_history
from dataagent_server.stores.fences import Fences, hold_run


class SqlCheckpointer(BaseCheckpointSaver[int]):
    """Checkpoints of every run of one database."""

    def __init__(self, database: Database, fences: Fences) -> None:
        super().__init__(serde=strict_serializer())
        self._database = database
        self._fences = fences

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        address = self._address_of(config)
        return await self._database.read(lambda c: checkpoint_rows.read_one(c, address, self.serde))

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 (the library's name)
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        wanted = checkpoint_rows.CheckpointFilter(
            address=None if config is None else self._address_of(config),
            any_namespace=config is None or "checkpoint_ns" not in config.get("configurable", {}),
            before=None if before is None else self._address_of(before).checkpoint_id,
            metadata=filter or {},
            limit=limit,
        )
        for item in await self._database.read(
            lambda c: checkpoint_rows.read_several(c, wanted, self.serde)
        ):
            yield item

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        del new_versions  # the whole state is one value here
        address = self._address_of(config)
        type_, state = self.serde.dumps_typed(checkpoint)
        row = {
            "thread_id": address.thread_id,
            "checkpoint_ns": address.namespace_key,
            "checkpoint_id": checkpoint["id"],
            "parent_checkpoint_id": address.checkpoint_id,
            "long_checkpoint_ns": address.long_namespace,
            "channels": sorted(checkpoint["channel_values"]),
            "type": type_,
            "checkpoint": state,
            "metadata": get_checkpoint_metadata(config, metadata),
        }
        await self._write(address, lambda c: upsert(c, graph_checkpoints, row))
        return config_of(address.thread_id, address.namespace, checkpoint["id"])

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        address = self._address_of(config)
        written = [
            {
                "thread_id": address.thread_id,
                "checkpoint_ns": address.namespace_key,
                "checkpoint_id": address.checkpoint_id,
                "task_id": task_id,
                "idx": WRITES_IDX_MAP.get(channel, position),
                "task_path": task_path,
                "channel": channel,
                **dict(zip(("type", "value"), self.serde.dumps_typed(value), strict=True)),
            }
            for position, (channel, value) in enumerate(writes)
        ]
        # Writes of the engine itself (an error, an interrupt) replace; a task's result stays.
        put = upsert if all(name in WRITES_IDX_MAP for name, _ in writes) else insert_ignore
        await self._write(address, lambda c: put(c, graph_writes, written))

    async def adelete_thread(self, thread_id: str) -> None:
        def remove(connection: Connection) -> None:
            for table in (graph_checkpoints, graph_writes):
                connection.execute(delete(table).where(table.c.thread_id == str(thread_id)))

        await self._database.write(remove)

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        address = self._address_of(config)
        return await self._database.read(lambda c: delta_history(c, address, channels, self.serde))

    def _address_of(self, config: RunnableConfig) -> CheckpointAddress:
        return address_of(config, self._database.dialect)

    async def _write(
        self, address: CheckpointAddress, work: Callable[[Connection], object]
    ) -> None:
        def held(connection: Connection) -> None:
            fence = self._fences.fence_of(address.thread_id)
            hold_run(sql_connection(connection), address.thread_id, fence)
            work(connection)

        await self._database.write(held)
