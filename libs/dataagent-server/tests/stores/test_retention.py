"""What is forgotten, and what is not."""

from datetime import timedelta
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint

from dataagent_core.events import TextEvent
from dataagent_core.session.state import now
from dataagent_server.db.database import Database
from dataagent_server.stores.checkpoints import open_checkpoints
from dataagent_server.stores.log import SqlEventLog
from dataagent_server.stores.log_writer import LogWriter
from dataagent_server.stores.messages import SqlMessageStore
from dataagent_server.stores.retention import forget_checkpoints, forget_sessions
from dataagent_server.stores.sessions import SqlSessionStore
from tests.services.rows import add_run

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


async def test_sessions_nobody_came_back_to_are_deleted_with_all_they_hold(database: Database):
    sessions = SqlSessionStore(database, "t")
    log, messages = SqlEventLog(LogWriter(database), "t"), SqlMessageStore(database, "t")
    async with open_checkpoints(database) as saver:
        for name, status in (("idle", "completed"), ("busy", "waiting_approval")):
            await sessions.create("ada", "helper", session_id=name)
            await add_run(database, f"run-{name}", session_id=name, status=status)
            await saver.aput(thread(f"run-{name}"), empty_checkpoint(), {"step": 1}, {})
            await messages.save_message(name, "user", "hello")
            await log.append(name, f"run-{name}", [TextEvent(content="hi")])
        await SqlSessionStore(database, "other").create("eve", "helper", session_id="idle")
        later = now() + HOUR
        assert await forget_sessions(database, saver, "t", later) == 1
        assert [s.session_id for s in await sessions.list_by_user("ada")] == ["busy"]
        assert await there(saver, "run-idle", "run-busy") == ["run-busy"]
        assert await messages.get_messages("idle") == []
        assert await log.last_seq("idle") == 0
        assert await log.last_seq("busy") == 1
        assert await SqlSessionStore(database, "other").get("idle") is not None
        assert await forget_sessions(database, saver, "t", later) == 0
