"""What a person's agents share is held by each agent that is kept, and by no other (S0-50)."""

from typing import cast

import pytest
from eventually import eventually
from scripted_runs import TENANT, Builder, Clock, open_scripted_runs, send_message, wait_for_status

from dataagent_server.db.database import Database
from dataagent_server.runs.run_services import RunServices

pytestmark = pytest.mark.every_database


async def done(runs: RunServices, session_id: str) -> None:
    await wait_for_status(runs, await send_message(runs, session_id=session_id), "completed")
    await eventually(lambda: runs.runner.active == 0)


@pytest.mark.requirement("S0-50")
async def test_s0_50_an_agent_holds_while_it_is_kept_and_lets_go_when_it_is_closed(
    database: Database,
) -> None:
    clock = Clock()
    async with open_scripted_runs(
        database, {"text": "hello"}, clock=clock, agent_idle_s=60
    ) as runs:
        builder = cast("Builder", runs.agents._builder)  # pyright: ignore[reportPrivateUsage]
        for session in ("one", "two"):
            # The second time it is the same agent, held once.
            for _ in range(2):
                await done(runs, session)
        assert sorted(builder.holding) == ["one", "two"]
        await runs.agents.forget(TENANT, "one")
        assert builder.holding == ["two"]
        clock.now_s = 60
        await runs.agents.sweep()
        assert builder.holding == []
        await done(runs, "three")
        assert builder.holding == ["three"]
    assert builder.holding == []
