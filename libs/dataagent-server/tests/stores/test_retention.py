"""What is forgotten, and what is not."""

from datetime import timedelta
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint

from dataagent_core.session.state import now
from dataagent_server.db.database import Database
from dataagent_server.stores.checkpoints import open_checkpoints
from dataagent_server.stores.retention import forget_checkpoints
from tests.services.rows import add_run

pytestmark = pytest.mark.every_database

HOUR = timedelta(hours=1)


def thread(run_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": run_id, "checkpoint_ns": ""}}


async def there(saver: BaseCheckpointSaver[Any], *run_ids: str) -> list[str]:
    return [name for name in run_ids if await saver.aget_tuple(thread(name)) is not None]


async def test_the_checkpoints_of_runs_long_over_are_deleted_and_no_others(database: Database):
    old, new = now() - 2 * HOUR, now()
    async with open_checkpoints(database) as saver:
        for name, status, ended in (
            ("old", "completed", old),
            ("failed", "failed", old),
            ("new", "completed", new),
            ("waiting", "waiting_approval", None),
            ("running", "running", None),
        ):
            await add_run(database, name, status=status, completed_at=ended)
            await saver.aput(thread(name), empty_checkpoint(), {"step": 1}, {})
        assert await forget_checkpoints(database, saver, now() - HOUR) == 2
        assert await there(saver, "old", "failed", "new", "waiting", "running") == [
            "new",
            "waiting",
            "running",
        ]
        assert await forget_checkpoints(database, saver, now() - HOUR) == 0
