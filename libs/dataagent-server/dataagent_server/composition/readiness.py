"""Whether the server is ready: each part it depends on is checked, briefly, side by side."""

import asyncio
import logging
import os
import shutil
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Literal

from sqlalchemy import select

from dataagent_core.errors import StorageError
from dataagent_server.common.errors import OverloadedError
from dataagent_server.db.database import Database
from dataagent_server.db.migrate import require_current
from dataagent_server.settings import ServerSettings
from dataagent_server.settings.limits import READY_CHECK_S, READY_DISK_FREE_BYTES_MIN

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase

logger = logging.getLogger(__name__)

Check = Callable[[], Awaitable[None]]


def list_checks(
    settings: ServerSettings,
    database: Database,
    redis: "Redis | None",
    neo4j: "Neo4jDatabase | None",
) -> dict[str, Check]:
    """List what a server with these settings depends on."""

    async def database_answers() -> None:
        await database.read(lambda connection: connection.execute(select(1)).scalar())

    async def disk_has_room() -> None:
        free = (
            await asyncio.to_thread(shutil.disk_usage, _find_existing(settings.workspaces))
        ).free
        if free < READY_DISK_FREE_BYTES_MIN:
            raise StorageError(f"only {free:,} bytes are free at {settings.workspaces}")

    async def schema_is_current() -> None:
        await require_current(database)

    checks: dict[str, Check] = {
        "database": database_answers,
        "migrations": schema_is_current,
        "disk": disk_has_room,
    }
    if redis is not None:

        async def redis_answers() -> None:
            await redis.ping()

        checks["redis"] = redis_answers
    if neo4j is not None:
        checks["neo4j"] = neo4j.probe
    return checks


def _find_existing(path: os.PathLike[str]) -> str:
    text = os.fspath(path)
    while not os.path.exists(text):  # noqa: PTH110 (any parent will do)
        text = os.path.dirname(text)  # noqa: PTH120
    return text


async def require_ready(checks: Mapping[str, Check], *, stopping: bool) -> dict[str, Literal["ok"]]:
    """Return the checks, or raise with those that failed; the reasons are only logged."""
    if stopping:
        raise OverloadedError("The server is stopping.", {"checks": {"server": "stopping"}})
    failed = await failed_checks(checks)
    if failed:
        outcomes = {name: "failed" if name in failed else "ok" for name in checks}
        raise OverloadedError(
            f"The server is not ready: {', '.join(sorted(failed))} failed.", {"checks": outcomes}
        )
    return dict.fromkeys(checks, "ok")


async def failed_checks(checks: Mapping[str, Check]) -> set[str]:
    """Run all checks at once, each for a bounded time."""
    outcomes = await asyncio.gather(*(_is_passing(name, check) for name, check in checks.items()))
    return {name for name, passed in zip(checks, outcomes, strict=True) if not passed}


async def _is_passing(name: str, check: Check) -> bool:
    try:
        async with asyncio.timeout(READY_CHECK_S):
            await check()
    except Exception as error:  # noqa: BLE001 (whatever it is, the part does not work)
        logger.warning("not ready: %s: %s", name, error or type(error).__name__)
        return False
    return True
