"""What a run left behind: its events in the store, and processes that should be gone."""

import os
import sqlite3
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_PAUSE_S = 0.05


def numbers_and_kinds(environment: Mapping[str, str], session_id: str) -> list[tuple[int, str]]:
    """Read a session's event log: the number and the kind of each event, in order."""
    path = Path(environment["DATAAGENT_HOME"]) / "dataagent.db"
    with sqlite3.connect(path) as database:
        tables = {name for (name,) in database.execute("select name from sqlite_master")}
        if "agent_execution_events" not in tables:
            return []  # it ended before it wrote anything
        query = (
            "select seq, event_type from agent_execution_events where session_id = ? order by seq"
        )
        return database.execute(query, (session_id,)).fetchall()


def processes_of(environment: Mapping[str, str]) -> list[str]:
    """Name what runs with this home in its environment, or in its command line."""
    home = environment["DATAAGENT_HOME"].encode()
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            words = (entry / "cmdline").read_bytes()
            belongs = home in words or home in (entry / "environ").read_bytes()
        except OSError:
            continue  # it has just ended, or is somebody else's
        # The dead that nobody buried have no words.
        if belongs and words:
            found.append(words.replace(b"\0", b" ").decode(errors="replace").strip())
    return found


def none_left(
    environment: Mapping[str, str], *, but: Sequence[str] = (), seconds: float = 10.0
) -> list[str]:
    """Wait until all that belongs to a home has ended, and name what has not.

    The terminal of the test itself goes on: what is called as one of `but`, or a tmux.
    """
    deadline = time.monotonic() + seconds
    while True:
        found = processes_of(environment)
        left = [words for words in found if words not in but and not words.startswith("tmux ")]
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(_PAUSE_S)
