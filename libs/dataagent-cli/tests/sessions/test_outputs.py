"""`dataagent sessions output`: pages through outputs that were too long to show."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from langchain_core.messages import ToolMessage

from dataagent_core.events import DoneEvent, RunStartedEvent
from dataagent_core.session import Intent, Outcome
from dataagent_core.session.stores.bundle import open_sqlite
from dataagent_core.tools.output.output_keeper import OutputKeeper
from dataagent_core.tools.pipeline.outcome import pack_value

Command = Callable[..., tuple[int, str, str]]
LINES = [f"line {number} \x1b[31m" for number in range(5_000)]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A session with one output that was too long; the folder of stored outputs."""
    folder = tmp_path / "home" / "agents" / "agent" / "artifacts"
    folder.mkdir(parents=True)
    message = ToolMessage("\n".join(LINES), tool_call_id="call-1")
    OutputKeeper(folder, "/artifacts/")(message, "r:call-1")

    async def write() -> None:
        async with open_sqlite(tmp_path / "home" / "dataagent.db", "local") as stores:
            await stores.sessions.create("me", "agent", session_id="s1")
            start = RunStartedEvent(message_id="m", model="demo:demo", assistant_id="agent")
            short = ToolMessage("short", tool_call_id="call-2")
            calls = [("k1", message), ("k2", short)]
            journal = [
                entry
                for key, result in calls
                for entry in (
                    Intent(call_key=key, tool_name="shell", args_hash="h"),
                    Outcome(
                        call_key=key, tool_name="shell", payload=pack_value(result), receipt="r"
                    ),
                )
            ]
            await stores.log.append("s1", "r", [start, DoneEvent()], journal)

    asyncio.run(write())
    return folder


@pytest.mark.usefixtures("kept")
def test_what_was_too_long_is_listed_and_read_page_by_page(command: Command):
    (listed,) = json.loads(command("sessions", "output", "s1", "--json")[1])
    assert (listed["call_id"], listed["tool"]) == ("call-1", "shell")
    assert "call-1" in command("sessions", "output", "s1")[1]
    page = ("sessions", "output", "s1", "call-1", "--offset", "4000", "--limit", "10")
    code, out, err = command(*page)
    assert (code, out.splitlines()[0].strip(), "\x1b" in out) == (0, "line 4000", False)
    assert "--offset 4010" in err
    told = json.loads(command(*page, "--json")[1])
    assert (told["lines"], told["more"]) == (LINES[4000:4010], True)
    last = json.loads(
        command("sessions", "output", "s1", "call-1", "--offset", "4999", "--json")[1]
    )
    assert (last["lines"], last["more"]) == (LINES[4999:], False)


def test_what_is_not_there_is_said(command: Command, kept: Path):
    code, _, err = command("sessions", "output", "s1", "call-2")
    assert (code, "no output beyond what was shown" in err) == (1, True)
    assert command("sessions", "output", "nowhere")[0] == 1
    for path in kept.iterdir():
        path.unlink()
    code, _, err = command("sessions", "output", "s1", "call-1")
    assert (code, "was removed" in err) == (1, True)
    assert "removed" in command("sessions", "output", "s1")[1]
