"""The server closes the agents of sessions that nobody uses (S0 property 21), with core's manager."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import cast

import pytest
from eventually import eventually
from hypothesis import given
from hypothesis import strategies as st
from live_server import open_live_server
from scripted_runs import TENANT, Builder, Clock, open_scripted_runs, send_message, wait_for_status

from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.open_database import open_database
from dataagent_server.runs.agents import agent_pool
from dataagent_server.runs.run_services import RunServices
from dataagent_server.runs.worker import upkeep
from tests.server.fixtures import MakeSettings

HELLO = {"text": "hello"}
TIMEOUT_S = 60


@dataclass(frozen=True)
class Wanted:
    """What a run says of the agent it needs."""

    session_id: str
    tenant_id: TenantId = TENANT
    user_id: str = "u"
    assistant_id: str = "a"
    model: str | None = None
    project_id: str | None = None
    copies_of: str | None = None


@pytest.fixture
async def sqlite(sqlite_url: str) -> AsyncGenerator[Database]:
    database = await open_database(sqlite_url)
    yield database
    await database.aclose()


@pytest.fixture
async def idle_runs(sqlite: Database) -> AsyncGenerator[tuple[RunServices, Clock]]:
    clock = Clock()
    async with open_scripted_runs(sqlite, HELLO, clock=clock, agent_idle_s=TIMEOUT_S) as runs:
        yield runs, clock


async def use(runs: RunServices, session_id: str) -> None:
    await wait_for_status(runs, await send_message(runs, session_id=session_id), "completed")
    await eventually(lambda: runs.runner.active == 0)


@pytest.mark.requirement("S0-21")
@given(
    steps=st.lists(st.tuples(st.integers(0, 60), st.sampled_from("abc")), min_size=1, max_size=4),
    idle_s=st.integers(0, 120),
)
async def test_s0_21_the_server_closes_the_agent_of_every_session_that_timed_out_and_no_other(
    idle_runs: tuple[RunServices, Clock], steps: list[tuple[int, str]], idle_s: int
):
    runs, clock = idle_runs
    builder = cast("Builder", runs.agents._builder)  # pyright: ignore[reportPrivateUsage]
    clock.now_s += TIMEOUT_S
    await runs.agents.sweep()
    await eventually(lambda: builder.holding == [])
    last_used_s: dict[str, float] = {}
    for seconds, session_id in steps:
        # As a run does; the agents are real, only no model is asked.
        async with runs.agents.lend(Wanted(session_id)):
            clock.now_s += seconds
            await runs.agents.sweep()
            assert session_id in builder.holding
        last_used_s[session_id] = clock.now_s
    clock.now_s += idle_s
    await runs.agents.sweep()
    alive = sorted(s for s, used in last_used_s.items() if clock.now_s - used < TIMEOUT_S)
    assert sorted(runs.agents.manager_of(TENANT).active_sessions()) == alive
    # What the agents share with others is let go with them; the server's own sweep may be at it.
    await eventually(lambda: sorted(builder.holding) == alive)


@pytest.mark.requirement("S0-21")
async def test_s0_21_a_server_does_so_by_itself_and_the_session_goes_on(
    make_settings: MakeSettings, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(upkeep, "SWEEP_AGENTS_S", 0.05)
    async with open_live_server(make_settings(session_timeout="1")) as live:
        ann = await live.person()
        manager = live.services.runs.agents.manager_of(DEFAULT_TENANT)
        session_id = (await live.chat(ann))["session_id"]
        assert manager.active_sessions() == [session_id]
        await eventually(lambda: not manager.active_sessions())
        assert (await live.chat(ann, session_id=session_id))["status"] == "done"
        assert manager.active_sessions() == [session_id]


async def test_beyond_the_limit_the_agents_unused_for_longest_are_closed(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(agent_pool, "AGENTS_KEPT_MAX", 2)
    clock = Clock()
    async with open_scripted_runs(sqlite, HELLO, clock=clock) as runs:
        for session_id in ("a", "b", "c", "a"):
            clock.now_s += 1
            await use(runs, session_id)
        await runs.agents.sweep()
        assert sorted(runs.agents.manager_of(TENANT).active_sessions()) == ["a", "c"]
