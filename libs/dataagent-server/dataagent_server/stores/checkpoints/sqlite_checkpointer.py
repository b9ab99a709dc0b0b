"""Core's saver with a fence: the check and the checkpoint are one transaction."""

from collections.abc import Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata

from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sqlite import SqliteDatabase
from dataagent_core.session.stores.sqlite.checkpoints import SqliteCheckpointer
from dataagent_server.stores.fences import Fences, hold_run


class FencedSqliteCheckpointer(SqliteCheckpointer):
    """Checkpoints in the one file, through its one writer."""

    def __init__(self, database: SqliteDatabase, fences: Fences) -> None:
        super().__init__(database)
        self._fences = fences

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        def put(connection: SqlConnection) -> RunnableConfig:
            self._hold(connection, config)
            return self._saver.put(config, checkpoint, metadata, new_versions)

        return await self._database.write(put)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        def put(connection: SqlConnection) -> None:
            self._hold(connection, config)
            self._saver.put_writes(config, writes, task_id, task_path)

        await self._database.write(put)

    def _hold(self, connection: SqlConnection, config: RunnableConfig) -> None:
        run_id = str(config.get("configurable", {})["thread_id"])
        hold_run(connection, run_id, self._fences.fence_of(run_id))
