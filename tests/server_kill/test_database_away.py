"""The database goes away in the middle of a run and comes back; the server stays."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from dataagent_server.db.migrate import migrate
from tests.server.process import ServerProcess
from tests.server_kill.clients import all_read, clients_of, saw_done, say
from tests.server_kill.installation import HEADERS, ask, new_session, open_installation
from tests.server_kill.script import WORDS
from tests.server_kill.story import check_story, shown_text
from tests.server_kill.waiting import eventually
from tests.services.mariadb import MariaDBService
from tests.services.postgresql import PostgreSQLService
from tests.services.process import Service


@pytest.mark.parametrize(
    "database_kind", ["postgresql", pytest.param("mariadb", marks=pytest.mark.slow)]
)
@pytest.mark.requirement("F4-database-away")
async def test_a_run_goes_on_when_the_database_is_back_and_nothing_is_lost(
    tmp_path: Path, database_kind: str, own_services: Callable[[str], Service]
) -> None:
    service = own_services(database_kind)
    assert isinstance(service, MariaDBService | PostgreSQLService)
    service.client.create("away")
    url = service.client.url("away")
    await migrate(url)
    with open_installation(tmp_path, url) as installation, installation.server() as server:
        session_id = new_session(server)
        clients = clients_of(session_id)
        await say(server, session_id, "tell me")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(all_read(server, clients, saw_done))
            await eventually(lambda: all(len(client.frames) >= 5 for client in clients))
            service.stop()
            await eventually(lambda: refused(server))
            assert server.get("/api/v1/health").status_code == httpx.codes.OK
            assert server.get("/api/v1/ready").status_code == httpx.codes.SERVICE_UNAVAILABLE
            service.start()
        log = check_story(server, clients)
        assert server.get("/api/v1/ready").status_code == httpx.codes.OK
        # What was refused did not happen.
        sessions = ask(server, "GET", "/api/v1/sessions")["items"]
        assert [session["session_id"] for session in sessions] == [session_id]
    assert "resumed" in {event["event_type"] for event in log}
    assert shown_text(log) == WORDS
    assert log[-1]["reason"] == "completed"


def refused(server: ServerProcess) -> bool:
    """Try to change something; the answer has the form of every error, and no address in it."""
    answer = httpx.post(
        server.url + "/api/v1/sessions", json={}, headers=HEADERS, timeout=30, trust_env=False
    )
    body = answer.json()
    assert answer.status_code == httpx.codes.SERVICE_UNAVAILABLE, body
    assert body.keys() == {"error_code", "message", "details", "request_id"}
    assert "127.0.0.1" not in answer.text
    return True
