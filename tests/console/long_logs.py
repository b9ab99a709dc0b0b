"""Long sessions, written past the server: what it would take hours to say to it."""

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
from dataagent_server.db.open import open_database
from dataagent_server.stores.log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter
from tests.console.installation import Installation

TENANT = "local"
LAST_WORDS = "This is the last word of it."
# Of these a run with a call has its text, its call and its end.
_PIECES, _BESIDES = 12, 6


def turns(events: int) -> Iterator[list[Event]]:
    """Give whole runs, each a text in pieces, a call and an answer, of about so many events."""
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
    """Give runs that only talk, so many pieces in all."""
    for number in range(0, total, in_one_text):
        pieces = [f"word {number + piece} " for piece in range(in_one_text)]
        said = LAST_WORDS if number + in_one_text >= total else "".join(pieces)
        yield [
            RunStartedEvent(message_id=f"m{number}", model="openai:scripted"),
            *(TextEvent(content=piece) for piece in pieces),
            TextEvent(content=said, is_final=True),
            DoneEvent(content=said),
        ]


def written(installation: Installation, runs: Iterator[list[Event]]) -> str:
    """Make a session with these runs; give its id."""
    session_id: str = installation.ask("POST", "/sessions", {"title": "A long one"})["session_id"]
    # In a thread of its own: Playwright's loop is this one's.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, _write(installation, session_id, runs)).result()
    return session_id


async def _write(installation: Installation, session_id: str, runs: Iterator[list[Event]]) -> None:
    database = await open_database(f"sqlite:///{installation.home / 'dataagent.db'}")
    try:
        log = ServerEventLog(LogWriter(database), TENANT)
        for number, events in zip(count(), runs, strict=False):
            await log.append(session_id, f"run{number}", events)
    finally:
        await database.aclose()
