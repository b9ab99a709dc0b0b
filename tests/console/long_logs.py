"""Long sessions, written directly to the database: real runs would take hours."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count

from dataagent_core.events import (
    DoneEvent,
    Event,
    RunStartedEvent,
    TextEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from dataagent_server.db.open_database import open_database
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter
from tests.console.console_server import ConsoleServer

TENANT = "local"
LAST_WORDS = "This is the last word of it."
# A run with a call has its text, its call and its end.
_PIECES, _BESIDES = 12, 6


def turns(events: int) -> Iterator[list[Event]]:
    """Make runs with a streamed text, a call and an answer, of about a number of events."""
    runs = events // (_PIECES + _BESIDES)
    for number in range(runs):
        words = [f"Row {number} and {piece} of the table. " for piece in range(_PIECES)]
        said = LAST_WORDS if number == runs - 1 else "".join(words)
        call_id = f"call{number}"
        yield [
            RunStartedEvent(message_id=f"m{number}", model="openai:scripted"),
            *(TextEvent(content=word) for word in words),
            ToolCallEvent(tool_name="ls", tool_args={"path": "/"}, tool_call_id=call_id),
            ToolResultEvent(tool_name="ls", tool_call_id=call_id, result="a.txt 1\n" * 5),
            TextEvent(content=said),
            TextEvent(content=said, is_final=True),
            DoneEvent(content=said),
        ]


def chunks(total: int, in_one_text: int = 600) -> Iterator[list[Event]]:
    """Make runs of text only, with a number of pieces in all."""
    for number in range(0, total, in_one_text):
        pieces = [f"word {number + piece} " for piece in range(in_one_text)]
        said = LAST_WORDS if number + in_one_text >= total else "".join(pieces)
        yield [
            RunStartedEvent(message_id=f"m{number}", model="openai:scripted"),
            *(TextEvent(content=piece) for piece in pieces),
            TextEvent(content=said, is_final=True),
            DoneEvent(content=said),
        ]


def written(console_server: ConsoleServer, runs: Iterator[list[Event]]) -> str:
    """Store a session with these runs; return its id."""
    session_id: str = console_server.ask("POST", "/sessions", {"title": "A long one"})["session_id"]
    # In its own thread: Playwright's loop runs in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, _write(console_server, session_id, runs)).result()
    return session_id


async def _write(
    console_server: ConsoleServer, session_id: str, runs: Iterator[list[Event]]
) -> None:
    database = await open_database(f"sqlite:///{console_server.home / 'dataagent.db'}")
    try:
        log = ServerEventLog(LogWriter(database), TENANT)
        for number, events in zip(count(), runs, strict=False):
            await log.append(session_id, f"run{number}", events)
    finally:
        await database.aclose()
