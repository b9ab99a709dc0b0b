"""Rows that store tests insert directly."""

from typing import Any

from sqlalchemy import insert, update

from dataagent_core.session.state import now
from dataagent_server.db.database import Database
from dataagent_server.db.tables.runs import agent_executions


async def add_run(database: Database, run_id: str, fence: int = 1, **more: Any) -> None:
    row: dict[str, Any] = {
        "tenant_id": "t",
        "run_id": run_id,
        "session_id": "s",
        "user_id": "ada",
        "assistant_id": "helper",
        "agent_type": "chat",
        "message_id": f"{run_id}:m0",
        "input": "hello",
        "status": "running",
        "position": 1,
        "fence": fence,
        "created_at": now(),
        "updated_at": now(),
    }
    await database.write(lambda c: c.execute(insert(agent_executions), row | more))


async def take_over(database: Database, run_id: str) -> None:
    """Raise a run's fence, as another process does."""
    runs = agent_executions
    raised = update(runs).where(runs.c.run_id == run_id).values(fence=runs.c.fence + 1)
    await database.write(lambda c: c.execute(raised))


class Held:
    """The fences this process believes it holds."""

    def __init__(self, **numbers: int) -> None:
        self.numbers = numbers

    def fence_of(self, run_id: str) -> int | None:
        return self.numbers.get(run_id)
