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
            return []  # it ended before its first write
        query = (
            "select seq, event_type from agent_execution_events where session_id = ? order by seq"
        )
        return database.execute(query, (session_id,)).fetchall()


def processes_of(environment: Mapping[str, str]) -> list[str]:
    """List processes with this home in their environment or command line."""
    home = environment["DATAAGENT_HOME"].encode()
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            words = (entry / "cmdline").read_bytes()
            belongs = home in words or home in (entry / "environ").read_bytes()
        except OSError:
            continue  # it has just ended, or belongs to another user
        # Zombies have no command line.
        if belongs and words:
            found.append(words.replace(b"\0", b" ").decode(errors="replace").strip())
    return found


def none_left(
    environment: Mapping[str, str], *, but: Sequence[str] = (), seconds: float = 10.0
) -> list[str]:
    """Wait until all processes of a home have ended; list those that have not.

    The test's own terminal is ignored: processes named in `but`, or a tmux.
    """
    deadline = time.monotonic() + seconds
    while True:
        found = processes_of(environment)
        left = [words for words in found if words not in but and not words.startswith("tmux ")]
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(_PAUSE_S)
