"""The library's PostgreSQL saver over its own pool, fenced, with retries of lost connections.

Every operation is repeatable: a checkpoint written twice is the same checkpoint.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection, Error, InterfaceError, OperationalError
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from sqlalchemy import URL

from dataagent_core.errors import StorageError
from dataagent_core.session.stores.sqlite.checkpoints import strict_serializer
from dataagent_server.db.pool import SILENT_TRANSACTION_S
from dataagent_server.db.urls import postgres_dsn
from dataagent_server.stores.fences import Fences, lease_lost

T = TypeVar("T")
Connection = AsyncConnection[DictRow]
Pool = AsyncConnectionPool[Connection]
_CONNECTIONS_MAX = 10
_WAIT_S = 5.0
_TRIES = 3
_SETUP_LOCK = 0x6461_7462
_HOLD = b"SELECT fence FROM agent_executions WHERE run_id = %s FOR SHARE"


class PostgresCheckpointer(BaseCheckpointSaver[str]):
    """Checkpoints in the library's own tables."""

    def __init__(self, pool: Pool, url: URL, fences: Fences) -> None:
        super().__init__(serde=strict_serializer())
        self._pool = pool
        self._url = url
        self._fences = fences

    async def setup(self) -> None:
        """Create or update the library's tables, one process at a time."""

        async def make(connection: Connection) -> None:
            if await _is_current(connection):
                return
            await connection.execute("SELECT pg_advisory_lock(%s)", (_SETUP_LOCK,))
            try:
                await self._make_saver(connection).setup()
            finally:
                await connection.execute("SELECT pg_advisory_unlock(%s)", (_SETUP_LOCK,))

        await self._retry(make)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await self._retry(lambda c: self._make_saver(c).aget_tuple(config))

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 (the library's name)
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        async def gather(connection: Connection) -> list[CheckpointTuple]:
            found = self._make_saver(connection).alist(
                config, filter=filter, before=before, limit=limit
            )
            return [item async for item in found]

        for item in await self._retry(gather):
            yield item

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await self._write_fenced(
            config, lambda saver: saver.aput(config, checkpoint, metadata, new_versions)
        )

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        await self._write_fenced(
            config, lambda saver: saver.aput_writes(config, writes, task_id, task_path)
        )

    async def adelete_thread(self, thread_id: str) -> None:
        await self._retry(lambda c: self._make_saver(c).adelete_thread(thread_id))

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        return await self._retry(
            lambda c: self._make_saver(c).aget_delta_channel_history(
                config=config, channels=channels
            )
        )

    def get_next_version(self, current: str | None, channel: None) -> str:
        return AsyncPostgresSaver.get_next_version(self, current, channel)  # pyright: ignore[reportArgumentType]

    def _make_saver(self, connection: Connection) -> AsyncPostgresSaver:
        return AsyncPostgresSaver(connection, serde=self.serde)

    async def _write_fenced(
        self, config: RunnableConfig, put: Callable[[AsyncPostgresSaver], Awaitable[T]]
    ) -> T:
        run_id = str(config.get("configurable", {})["thread_id"])
        fence = self._fences.fence_of(run_id)

        async def write(connection: Connection) -> T:
            async with connection.transaction():
                if fence is not None:
                    found = await (await connection.execute(_HOLD, (run_id,))).fetchone()
                    if found is None or found["fence"] != fence:
                        raise lease_lost(run_id)
                return await put(self._make_saver(connection))

        return await self._retry(write)

    async def _retry(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        for tries_left in reversed(range(_TRIES)):
            try:
                async with self._pool.connection() as connection:
                    return await work(connection)
            except (OperationalError, InterfaceError) as error:
                if not tries_left or isinstance(error, PoolTimeout):
                    raise self._storage_error(error) from error
                # The other idle connections are most likely dead, too.
                await self._pool.check()
            except Error as error:
                raise self._storage_error(error) from error
        raise AssertionError("unreachable")

    def _storage_error(self, error: Exception) -> StorageError:
        return StorageError(
            f"database {self._url} cannot be used for checkpoints: {error}. Check that it runs "
            "and that this server can reach it."
        )


async def _is_current(connection: Connection) -> bool:
    """Check without creating anything: the server's account may not be allowed to."""
    there = await connection.execute("SELECT to_regclass('checkpoint_migrations') AS found")
    row = await there.fetchone()
    if row is None or row["found"] is None:
        return False
    newest = await connection.execute("SELECT max(v) AS version FROM checkpoint_migrations")
    row = await newest.fetchone()
    return row is not None and row["version"] == len(AsyncPostgresSaver.MIGRATIONS) - 1


@asynccontextmanager
async def open_postgres(url: URL, fences: Fences) -> AsyncGenerator[PostgresCheckpointer]:
    """Open a pool for checkpoints and create the library's tables."""
    pool: Pool = AsyncConnectionPool(
        postgres_dsn(url),
        connection_class=AsyncConnection[DictRow],
        kwargs={
            "autocommit": True,
            "prepare_threshold": 0,
            "row_factory": dict_row,
            "options": f"-c idle_in_transaction_session_timeout={SILENT_TRANSACTION_S}s",
        },
        min_size=1,
        max_size=_CONNECTIONS_MAX,
        timeout=_WAIT_S,
        open=False,
    )
    async with pool:
        saver = PostgresCheckpointer(pool, url, fences)
        await saver.setup()
        yield saver
