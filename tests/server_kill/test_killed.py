"""SIGKILL in the middle of runs; then the same server again, on the same database and home."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.server.process import ServerProcess
from tests.server_kill.clients import Client, all_read, clients_of, saw_done, say
from tests.server_kill.installation import (
    NEVER_TAKEN_FOR_DEAD,
    Installation,
    answer,
    new_session,
    open_installation,
    open_requests,
    run_of,
)
from tests.server_kill.owners import owner_of
from tests.server_kill.script import WORDS
from tests.server_kill.story import check_story, results, shown_text
from tests.server_kill.waiting import eventually

pytestmark = pytest.mark.every_database


@pytest.mark.requirement("F4-kill")
async def test_runs_of_a_killed_server_finish_and_every_client_sees_each_event_once(
    tmp_path: Path, database_url: str
) -> None:
    await killed_and_started_again(tmp_path, database_url)


@pytest.mark.slow
@pytest.mark.requirement("F4-kill")
@pytest.mark.requirement("F4-6")
async def test_runs_of_two_killed_workers_finish_in_two_others(
    tmp_path: Path, postgresql_url: str
) -> None:
    await killed_and_started_again(tmp_path, postgresql_url, workers="2")


@pytest.mark.slow
@pytest.mark.requirement("F4-kill")
@pytest.mark.requirement("F4-6")
async def test_runs_of_two_killed_workers_finish_where_redis_carries_what_is_new(
    tmp_path: Path, postgresql_url: str, redis_url: str
) -> None:
    await killed_and_started_again(tmp_path, postgresql_url, workers="2", redis_url=redis_url)


@pytest.mark.slow
@pytest.mark.requirement("F4-kill")
@pytest.mark.requirement("F4-6")
@pytest.mark.parametrize("bus", ["postgresql", "redis"])
async def test_the_run_of_a_killed_worker_goes_on_in_the_other(
    tmp_path: Path, postgresql_url: str, bus: str, request: pytest.FixtureRequest
) -> None:
    settings = {"redis_url": request.getfixturevalue("redis_url")} if bus == "redis" else {}
    with (
        open_installation(tmp_path, postgresql_url) as installation,
        # The other looks for the dead three times in a lease.
        installation.server(workers="2", lease_timeout="15", **settings) as server,
    ):
        clients = clients_of(new_session(server))
        session_id = clients[0].session_id
        await say(server, session_id, "tell slowly")
        await all_read(server, clients, lambda client: len(client.frames) >= 5)
        os.kill(await owner_of(postgresql_url, session_id), signal.SIGKILL)
        await all_read(server, clients, saw_done)
        log = check_story(server, clients)
    assert [event["attempt"] for event in log if event["event_type"] == "resumed"] == [2]
    assert shown_text(log) == WORDS


async def killed_and_started_again(tmp_path: Path, database_url: str, **settings: str) -> None:
    with open_installation(tmp_path, database_url) as installation:
        with installation.server(**NEVER_TAKEN_FOR_DEAD, **settings) as server:
            telling, running, writing = [clients_of(new_session(server)) for _ in range(3)]
            await begun(server, telling, running, writing)
            await eventually(lambda: installation.file("ran.txt") == "ran\n")
            await eventually(lambda: waits(server, writing))
            server.kill_all()
        with installation.server(**NEVER_TAKEN_FOR_DEAD, **settings) as server:
            # Nobody knows whether the command ran to its end: a person is asked and has looked.
            asked = answered_by_a_person(server, installation, running, writing)
            everybody = [*telling, *running, *writing]
            await asyncio.gather(all_read(server, everybody, saw_done), asked)
            check_told(server, telling)
            check_ran(server, running)
            check_written(server, writing)
        assert installation.file("ran.txt") == "ran\n"
        assert installation.file("note.txt") == "noted\n"


async def begun(
    server: ServerProcess, telling: list[Client], running: list[Client], writing: list[Client]
) -> None:
    """Bring three runs to where it hurts: in a command, at a question, in the middle of text."""
    await say(server, running[0].session_id, "run it")
    await say(server, writing[0].session_id, "write it")
    await all_read(server, running, lambda c: {"tool_call", "act"} & set(c.types) != set())
    await all_read(
        server, writing, lambda c: bool({"hitl_request", "permission_asked"} & set(c.types))
    )
    await say(server, telling[0].session_id, "tell me")
    await all_read(server, telling, lambda c: len(c.frames) >= 5)


def waits(server: ServerProcess, clients: list[Client]) -> bool:
    return run_of(server, clients[0].session_id)["status"] == "waiting_approval"


async def answered_by_a_person(
    server: ServerProcess, installation: Installation, running: list[Client], writing: list[Client]
) -> None:
    (request,) = open_requests(server, writing[0].session_id)
    answer(server, request["interrupt_id"], type="approve")
    session_id = running[0].session_id
    await eventually(lambda: len(open_requests(server, session_id)) == 1)
    (request,) = open_requests(server, session_id)
    assert "had begun when the process ended" in str(request)
    assert installation.file("ran.txt") == "ran\n"
    answer(server, request["interrupt_id"], type="respond", message="It ran; I looked.")


def check_told(server: ServerProcess, clients: list[Client]) -> None:
    log = check_story(server, clients)
    (resumed,) = [event for event in log if event["event_type"] == "resumed"]
    assert resumed["attempt"] == 2
    # All of the text that was cut is void, and only that.
    first = next(event["seq"] for event in log if event["event_type"] == "text")
    assert resumed["discard_after"] == first - 1
    assert shown_text(log) == WORDS
    assert log[-1]["reason"] == "completed"


def check_ran(server: ServerProcess, clients: list[Client]) -> None:
    log = check_story(server, clients)
    assert len(results(log)) == 1
    assert shown_text(log) == "I run it.It ran."


def check_written(server: ServerProcess, clients: list[Client]) -> None:
    log = check_story(server, clients)
    assert [result["status"] for result in results(log)] == ["success"]
    assert sum(event["event_type"] == "file_operation" for event in log) == 1
    assert shown_text(log) == "I write it.It is written."
