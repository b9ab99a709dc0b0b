"""A session's mode is what the last `mode_changed` says, whoever wrote it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.limits import EVENTS_PAGE_DEFAULT
from dataagent_core.events import ModeChangedEvent, TextEvent
from dataagent_core.events.system import Mode
from dataagent_core.session import NO_RUN, FollowedMode, change_mode, mode_of
from dataagent_core.session.stores.bundle import open_sqlite
from dataagent_core.session.stores.memory import MemoryEventLog

modes: st.SearchStrategy[Mode] = st.sampled_from(("ask", "plan", "auto"))


@pytest.mark.requirement("F8-4")
async def test_a_session_nobody_switched_asks() -> None:
    assert await mode_of(MemoryEventLog(), "s") == "ask"


@pytest.mark.requirement("F8-4")
@given(switches=st.lists(modes, min_size=1, max_size=8))
async def test_every_switch_is_an_event_and_the_last_one_counts(switches: list[Mode]) -> None:
    log = MemoryEventLog()
    told = [await change_mode(log, "s", mode, "ada") for mode in switches]
    assert await log.read("s") == told
    assert [(e.event_type, e.run_id) for e in told] == [("mode_changed", NO_RUN)] * len(switches)
    assert await mode_of(log, "s") == switches[-1]
    assert await mode_of(log, "another") == "ask"


async def test_who_follows_a_mode_reads_only_what_is_new() -> None:
    log = MemoryEventLog()
    followed = FollowedMode(log, "s")
    assert await followed.look() == "ask"
    await log.append("s", "run", [TextEvent(content="a")])
    await change_mode(log, "s", "plan", None)
    assert await followed.look() == "plan"
    # As if the past were gone: what was read once is not read again.
    await log.delete("s")
    assert await followed.look() == "plan"


async def test_more_switches_than_a_page_holds_are_all_read() -> None:
    log = MemoryEventLog()
    await log.append("s", NO_RUN, [ModeChangedEvent(mode="auto")] * EVENTS_PAGE_DEFAULT)
    await change_mode(log, "s", "plan", None)
    assert await mode_of(log, "s") == "plan"


async def test_a_switch_made_over_another_connection_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "dataagent.db"
    async with open_sqlite(path, "local") as one, open_sqlite(path, "local") as other:
        followed = FollowedMode(one.log, "s")
        assert await followed.look() == "ask"
        await change_mode(other.log, "s", "auto", "ada")
        assert await followed.look() == "auto"
