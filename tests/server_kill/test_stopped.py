"""SIGTERM in the middle of runs: they are handed over, not cut, and the process ends in time."""

import asyncio
import signal
import time
from pathlib import Path

import pytest

from tests.server.process import ServerProcess
from tests.server_kill.clients import WebSocketClient, all_read, clients_of, saw_done, say
from tests.server_kill.installation import (
    NEVER_TAKEN_FOR_DEAD,
    new_session,
    open_installation,
    run_of,
)
from tests.server_kill.owners import owner_and_other
from tests.server_kill.script import WORDS
from tests.server_kill.story import check_story, shown_text
from tests.server_kill.waiting import eventually

pytestmark = pytest.mark.every_database

STOP_S = 4
SERVICE_RESTART = 1012


@pytest.mark.slow
@pytest.mark.requirement("F4-9")
async def test_runs_of_a_stopping_server_go_on_in_another(
    tmp_path: Path, database_url: str
) -> None:
    settings = {"stop_timeout": str(STOP_S), **NEVER_TAKEN_FOR_DEAD}
    with (
        open_installation(tmp_path, database_url) as installation,
        installation.server(**settings) as first,
        installation.server(**settings) as second,
    ):
        session_id = new_session(first)
        clients = clients_of(session_id)
        await say(first, session_id, "tell slowly")
        await all_read(first, clients, lambda client: len(client.frames) >= 3)
        stopping, other = await owner_and_other(database_url, session_id, first, second)
        told = [asyncio.create_task(client.read(stopping, saw_done)) for client in clients]
        await eventually(lambda: all(len(client.frames) >= 6 for client in clients))
        took_s = await stopped(stopping)
        assert took_s < STOP_S
        # Nobody saw the end here: every connection was closed, WebSockets so that one comes back.
        assert not any(await asyncio.gather(*told))
        sockets = [client for client in clients if isinstance(client, WebSocketClient)]
        assert [socket.closed_with for socket in sockets] == [SERVICE_RESTART] * len(sockets)
        await all_read(other, clients, saw_done)
        log = check_story(other, clients)
        # Given to the other, not found by it when a lease had ended.
        assert run_of(other, session_id)["attempt"] == 2
    assert shown_text(log) == WORDS


@pytest.mark.slow
@pytest.mark.requirement("F4-9")
async def test_runs_of_a_stopped_server_go_on_when_it_starts_again(
    tmp_path: Path, sqlite_url: str
) -> None:
    with open_installation(tmp_path, sqlite_url) as installation:
        with installation.server(stop_timeout=str(STOP_S)) as server:
            session_id = new_session(server)
            clients = clients_of(session_id)
            await say(server, session_id, "tell me")
            await all_read(server, clients, lambda client: len(client.frames) >= 3)
            assert await stopped(server) < STOP_S
        with installation.server() as server:
            await all_read(server, clients, saw_done)
            log = check_story(server, clients)
    assert shown_text(log) == WORDS


async def stopped(server: ServerProcess) -> float:
    """Ask a server to stop; return how long it took."""
    began = time.monotonic()
    assert await asyncio.to_thread(server.stop, signal.SIGTERM) == 0
    return time.monotonic() - began
