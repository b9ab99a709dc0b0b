"""Two servers that are started at once on one SQLite file which nobody has prepared."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.server.process import ServerProcess
from tests.server_kill.clients import all_read, clients_of, saw_done, say
from tests.server_kill.installation import (
    Installation,
    answer,
    new_session,
    open_installation,
    open_requests,
    run_of,
)
from tests.server_kill.script import WORDS
from tests.server_kill.story import check_story, shown_text
from tests.server_kill.waiting import eventually


@pytest.mark.requirement("F4-two-on-sqlite")
async def test_both_serve_and_what_one_runs_is_read_live_and_answered_on_the_other(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'new.db'}"
    with open_installation(tmp_path, url) as installation, ExitStack() as stack:
        one, other = await both_started(installation, stack)
        session_id, asking = new_session(one), new_session(other)
        clients = clients_of(session_id)
        await say(one, session_id, "tell me")
        await say(one, asking, "write it")
        await all_read(other, clients, lambda client: len(client.frames) >= 5)
        assert run_of(other, session_id)["status"] == "running"
        await eventually(lambda: len(open_requests(other, asking)) == 1)
        answer(other, open_requests(other, asking)[0]["interrupt_id"], type="approve")
        await all_read(one, clients, saw_done)
        log = check_story(other, clients)
        written = clients_of(asking)
        await all_read(other, written, saw_done)
        check_story(one, written)
        assert installation.file("note.txt") == "noted\n"
    assert shown_text(log) == WORDS
    assert "resumed" not in {event["event_type"] for event in log}


async def both_started(installation: Installation, stack: ExitStack) -> list[ServerProcess]:
    contexts = [installation.server(), installation.server()]
    started = await asyncio.gather(*(asyncio.to_thread(each.__enter__) for each in contexts))
    for context in contexts:
        stack.push(context.__exit__)
    return started
