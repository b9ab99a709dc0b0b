"""Two servers that are started at once on a new SQLite file."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.server.process import ServerProcess
from tests.server_kill.clients import all_read, clients_of, saw_done, say
from tests.server_kill.script import WORDS
from tests.server_kill.shared_home import (
    SharedHome,
    answer,
    new_session,
    open_requests,
    open_shared_home,
    run_of,
)
from tests.server_kill.story import check_story, shown_text
from tests.server_kill.waiting import eventually


@pytest.mark.requirement("F4-two-on-sqlite")
async def test_both_serve_and_what_one_runs_is_read_live_and_answered_on_the_other(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'new.db'}"
    with open_shared_home(tmp_path, url) as shared_home, ExitStack() as stack:
        one, other = await both_started(shared_home, stack)
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
        assert shared_home.file("note.txt") == "noted\n"
    assert shown_text(log) == WORDS
    assert "resumed" not in {event["event_type"] for event in log}


async def both_started(shared_home: SharedHome, stack: ExitStack) -> list[ServerProcess]:
    contexts = [shared_home.server(), shared_home.server()]
    started = await asyncio.gather(*(asyncio.to_thread(each.__enter__) for each in contexts))
    for context in contexts:
        stack.push(context.__exit__)
    return started
