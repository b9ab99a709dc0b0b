"""Several connections and several processes use one file without losing or doubling anything."""

import asyncio
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from dataagent_core.events import TextEvent
from dataagent_core.session import read_all
from dataagent_core.session.stores.sql import SqlEventLog, SqlSessionStore
from dataagent_core.session.stores.sqlite import SqliteDatabase
from dataagent_core.session.stores.sqlite.schema import SCHEMA_VERSION

APPENDS = 40
PROCESSES = 3
ROUNDS = 10

# Opens the file at the same moment as the others, then appends as fast as it can.
WRITER = """
import asyncio, sys
from pathlib import Path
from dataagent_core.events import TextEvent
from dataagent_core.session.stores.sql import SqlEventLog
from dataagent_core.session.stores.sqlite import SqliteDatabase

async def main():
    async with SqliteDatabase(Path(sys.argv[1])) as database:
        log = SqlEventLog(database, "t")
        for n in range(int(sys.argv[3])):
            await log.append("s", sys.argv[2], [TextEvent(content=str(n))])

print("ready", flush=True)
sys.stdin.readline()
asyncio.run(main())
"""


def writer(path: Path, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(APPENDS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def started_together(processes: list[subprocess.Popen[str]]) -> None:
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        _, errors = process.communicate()
        assert process.returncode == 0, errors


async def test_processes_that_make_and_fill_one_file_at_once_lose_nothing(tmp_path: Path):
    path = tmp_path / "new" / "dataagent.db"
    names = [f"run-{n}" for n in range(PROCESSES)]
    started_together([writer(path, name) for name in names])
    async with SqliteDatabase(path) as database:
        log = SqlEventLog(database, "t")
        events = await read_all(log, "s")
        assert [event.seq for event in events] == list(range(1, PROCESSES * APPENDS + 1))
        for name in names:
            own = await read_all(log, "s", run_id=name)
            assert [e.content for e in own if isinstance(e, TextEvent)] == list(
                map(str, range(APPENDS))
            )


async def test_connections_that_make_one_file_at_once_all_get_a_current_one(tmp_path: Path):
    for number in range(ROUNDS):
        path = tmp_path / f"{number}.db"
        async with AsyncExitStack() as stack:
            opened = await asyncio.gather(
                *(stack.enter_async_context(SqliteDatabase(path)) for _ in range(4))
            )
            for database in opened:
                version = await database.read(
                    lambda connection: connection.execute("PRAGMA user_version").fetchone()[0]
                )
                assert version == SCHEMA_VERSION


async def test_two_connections_number_one_session_without_gaps(tmp_path: Path):
    path = tmp_path / "dataagent.db"
    async with SqliteDatabase(path) as one, SqliteDatabase(path) as two:
        logs = [SqlEventLog(database, "t") for database in (one, two)]
        await asyncio.gather(
            *(
                log.append("s", "run", [TextEvent(content="a"), TextEvent(content="b")])
                for _ in range(APPENDS)
                for log in logs
            )
        )
        for log in logs:
            events = await log.read("s")
            assert [event.seq for event in events] == list(range(1, 4 * APPENDS + 1))


async def test_what_one_connection_wrote_another_sees_at_once(tmp_path: Path):
    path = tmp_path / "dataagent.db"
    async with SqliteDatabase(path) as one, SqliteDatabase(path) as two:
        made = await SqlSessionStore(one, "t").create("ada", "helper")
        assert await SqlSessionStore(two, "t").get(made.session_id) == made
