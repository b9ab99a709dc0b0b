"""A server that is only frozen: another takes its run over, and when it comes back it writes nothing."""

import asyncio
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.process import ServerProcess
from tests.server_kill.clients import Client, all_read, clients_of, saw_done, say
from tests.server_kill.installation import new_session, open_installation, run_of
from tests.server_kill.owners import owner_and_other
from tests.server_kill.script import WORDS
from tests.server_kill.story import check_story, shown_text
from tests.server_kill.waiting import eventually

pytestmark = pytest.mark.every_database


@pytest.mark.slow
@pytest.mark.requirement("F4-kill")
@pytest.mark.requirement("F4-3")
async def test_a_frozen_server_loses_its_run_and_comes_back_to_the_same_log(
    tmp_path: Path, database_url: str
) -> None:
    await frozen_and_back(tmp_path, database_url)


@pytest.mark.slow
@pytest.mark.requirement("F4-kill")
@pytest.mark.requirement("F4-6")
async def test_a_frozen_server_loses_its_run_where_redis_carries_what_is_new(
    tmp_path: Path, postgresql_url: str, redis_url: str
) -> None:
    await frozen_and_back(tmp_path, postgresql_url, redis_url=redis_url)


async def frozen_and_back(tmp_path: Path, database_url: str, **settings: str) -> None:
    # Long enough that only the frozen one is taken for dead, also on a busy machine.
    settings["lease_timeout"] = "12"
    with (
        open_installation(tmp_path, database_url) as installation,
        installation.server(**settings) as first,
        installation.server(**settings) as second,
    ):
        session_id = new_session(first)
        staying, moving = clients_of(session_id), clients_of(session_id)
        await say(first, session_id, "tell slowly")
        await all_read(first, [*staying, *moving], lambda client: len(client.frames) >= 5)
        frozen, other = await owner_and_other(database_url, session_id, first, second)
        async with asyncio.TaskGroup() as tasks:
            # These stay connected to the frozen server, the others go to the one that lives.
            connected = tasks.create_task(all_read(frozen, staying, saw_done))
            await eventually(lambda: all(len(client.frames) >= 8 for client in staying))
            await freeze(frozen, database_url)
            await all_read(other, moving, saw_done)
            assert not any(map(saw_done, staying))
            frozen.process.send_signal(signal.SIGCONT)
            await connected
        await eventually(lambda: "was taken over by another process" in frozen.log.read_text())
        late: list[Client] = clients_of(session_id)
        await all_read(frozen, late, saw_done)
        log = check_story(other, [*staying, *moving, *late])
        assert run_of(frozen, session_id)["status"] == "completed"
    assert [event["attempt"] for event in log if event["event_type"] == "resumed"] == [2]
    assert shown_text(log) == WORDS


async def freeze(server: ServerProcess, database_url: str) -> None:
    """Stop a process where it is; on SQLite between two writes, for one would hold the file."""
    server.process.send_signal(signal.SIGSTOP)
    while holds_the_file(database_url):
        server.process.send_signal(signal.SIGCONT)
        await asyncio.sleep(0)
        server.process.send_signal(signal.SIGSTOP)


def holds_the_file(database_url: str) -> bool:
    kind, _, file = database_url.partition(":///")
    if kind != "sqlite":
        return False
    with closing(sqlite3.connect(file, timeout=1, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        connection.execute("ROLLBACK")
    return False
