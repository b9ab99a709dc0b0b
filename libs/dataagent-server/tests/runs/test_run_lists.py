"""Lists of runs, on each database: in pages, and of what waits, what it says."""

import pytest
from scripted_runs import PERSON, TENANT, open_scripted_runs, send_message, wait_for_status

from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_server.db.database import Database
from dataagent_server.runs.history.run_lists import message_shown, queued_message
from dataagent_server.runs.limits import (
    QUEUED_MESSAGE_BYTES_SHOWN_MAX,
    RUN_MESSAGE_BYTES_SHOWN_MAX,
)

pytestmark = pytest.mark.every_database

SLOW = {"text": "word " * 200, "chunk_delay_s": 0.05}


async def test_what_waits_shows_its_message_and_can_be_cancelled(database: Database):
    long = "数据" * (PROMPT_CHARS_MAX // 2)
    async with open_scripted_runs(database, SLOW, {"text": "x"}) as runs:
        first = await send_message(runs, "the first")
        await wait_for_status(runs, first, "running")
        short, odd = await send_message(runs, "And June?"), await send_message(runs, "a\ud800b\x00")
        cut = await send_message(runs, long)
        found = await runs.service.runs(TENANT, "s", only_open=True)
        assert [run.queued_message for run in found[:3]] == [None, "And June?", "ab\x00"]
        shown = found[3].queued_message or ""
        assert long.startswith(shown)
        size = len(shown.encode())
        assert QUEUED_MESSAGE_BYTES_SHOWN_MAX - 3 <= size <= QUEUED_MESSAGE_BYTES_SHOWN_MAX
        whole = [await runs.service.run(PERSON, run.run_id) for run in (first, short, odd, cut)]
        assert [queued_message(run) for run in whole] == [run.queued_message for run in found]
        for run in (cut, odd, short, first):
            await runs.service.cancel(PERSON, run.run_id)
        await wait_for_status(runs, first, "cancelled")
        after = await runs.service.runs(TENANT, "s", only_open=False)
    assert [(run.status, run.queued_message) for run in after] == [("cancelled", None)] * 4


async def test_each_run_of_a_session_shows_the_beginning_of_its_own_message(database: Database):
    asked_for = ["How many orders?", "And in June?", "数据" * 500]
    async with open_scripted_runs(database, {"text": "x"}) as runs:
        for text in asked_for:
            await wait_for_status(runs, await send_message(runs, text), "completed")
        found = await runs.service.runs(TENANT, "s", only_open=False)
        whole = [await runs.service.run(PERSON, run.run_id) for run in found]
    assert [run.message for run in found[:2]] == asked_for[:2]
    assert asked_for[2].startswith(found[2].message)
    assert 0 <= RUN_MESSAGE_BYTES_SHOWN_MAX - len(found[2].message.encode()) < 3
    assert [message_shown(run) for run in whole] == [run.message for run in found]


async def test_pages_of_a_sessions_runs_join_without_gap_or_repeat(database: Database):
    async with open_scripted_runs(database, {"text": "x"}) as runs:
        for _ in range(5):
            await wait_for_status(runs, await send_message(runs), "completed")
        whole = await runs.service.runs(TENANT, "s", only_open=False)
        seen = list(await runs.service.runs(TENANT, "s", only_open=False, limit=2))
        while page := await runs.service.runs(
            TENANT, "s", only_open=False, after=seen[-1].run_id, limit=2
        ):
            seen += page
    assert [run.run_id for run in seen] == [run.run_id for run in whole]
    assert len(whole) == 5
