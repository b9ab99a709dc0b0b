"""The server is killed in the middle and started again at its address; the terminal goes on."""

import asyncio
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from dataagent_core.events import RunResumedEvent
from tests.remote.attached import Attached, as_wire, attached, without_ids
from tests.server.process import BIN, ServerProcess, serving
from tests.server_kill.installation import KEY, Installation, log_of, open_installation
from tests.server_kill.script import WORDS
from tests.server_kill.story import shown_text

COMMAND = (BIN / "dataagent-server", "serve")


def again(installation: Installation, server: ServerProcess):
    """Start a server at the address of another one."""
    port = str(urlsplit(server.url).port)
    return serving(
        installation.environment, installation.home.parent, "--port", port, command=COMMAND
    )


@asynccontextmanager
async def standing(folder: Path) -> AsyncGenerator[tuple[Installation, ServerProcess, Attached]]:
    """Start a server, and a terminal attached to it."""
    with (
        open_installation(folder, f"sqlite:///{folder / 'server.db'}") as installation,
        installation.server() as server,
    ):
        async with attached(server.url, KEY) as terminal:
            yield installation, server, terminal


@pytest.mark.timeout(300)
@pytest.mark.requirement("F8-7")
@pytest.mark.requirement("F8-7-reconnect")
async def test_a_terminal_sees_each_event_once_though_the_server_is_killed_and_started_again(
    tmp_path: Path,
):
    async with standing(tmp_path) as (installation, server, terminal):
        await terminal.conversation.say("tell slowly")
        await terminal.until_told(10)
        server.kill_all()
        await terminal.until(lambda: terminal.conversation.facts.away)
        # Said while nobody listens: it is tried until somebody does, and said once.
        saying = asyncio.create_task(terminal.conversation.say("hello"))
        with again(installation, server) as other:
            await terminal.until(lambda: not terminal.conversation.facts.away)
            await asyncio.wait_for(saying, 60)
            await terminal.until_done(2)
            log = log_of(other, terminal.session_id)
    assert as_wire(terminal.seen) == without_ids(log)
    assert [event.seq for event in terminal.seen] == list(range(1, len(log) + 1))
    assert [event.attempt for event in terminal.of(RunResumedEvent)] == [2]
    assert shown_text(log).startswith(WORDS)
    assert terminal.heard_changes == [False, True]


@pytest.mark.timeout(300)
@pytest.mark.requirement("F8-7-reconnect")
async def test_a_server_that_stops_in_good_order_is_waited_for_too(tmp_path: Path):
    async with standing(tmp_path) as (installation, server, terminal):
        await terminal.conversation.say("hello")
        await terminal.until_done()
        server.stop(signal.SIGTERM)
        await terminal.until(lambda: terminal.conversation.facts.away)
        with again(installation, server) as other:
            await terminal.conversation.say("hello again")
            await terminal.until_done(2)
            log = log_of(other, terminal.session_id)
    assert as_wire(terminal.seen) == without_ids(log)
