"""Two processes write to one file of memories, forget, and are killed: nothing is lost or halved."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from dataagent_core.memory.memory_store import MemoryFilter
from dataagent_core.memory.search_index import SearchedTime
from dataagent_core.memory.sql.store.sqlite_memory_store import open_memory_store
from dataagent_core.testing.conformance.memory import ADA, NOW, TENANT

ADDED = 40
WRITER = """
import asyncio, sys
from pathlib import Path
from dataagent_core.memory.sql.store.sqlite_memory_store import open_memory_store
from dataagent_core.testing.conformance.memory import TENANT, add, make_memory

async def main(path, name, count):
    store = open_memory_store(Path(path), TENANT)
    for number in range(int(count)):
        await add(store, make_memory(f"{name}{number}", f"said by {name}"))
        print(f"{name}{number}", flush=True)
        if number % 10 == 9:
            await store.remove([f"{name}{number}"])

asyncio.run(main(*sys.argv[1:]))
"""


def start(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    """Start a process that adds memories and names each one that is stored."""
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.requirement("F22-bad-processes")
async def test_two_processes_that_add_and_forget_lose_nothing(tmp_path: Path):
    path = tmp_path / "memory.db"
    writers = [start(path, name, ADDED) for name in ("a", "b")]
    finished = await asyncio.gather(*(asyncio.to_thread(one.communicate) for one in writers))
    assert [one.returncode for one in writers] == [0, 0]
    stored = {name for output, _ in finished for name in output.split()}
    expected = {name for name in stored if not name.endswith("9")}
    assert len(expected) == 2 * ADDED * 9 // 10
    await check(path, expected)


@pytest.mark.slow
async def test_what_a_killed_process_said_it_stored_is_there_and_found(tmp_path: Path):
    path = tmp_path / "memory.db"
    writer = start(path, "a", 100_000)
    assert writer.stdout is not None
    named = [writer.stdout.readline().strip() for _ in range(25)]
    writer.kill()
    rest, _ = await asyncio.to_thread(writer.communicate)
    named += rest.split()
    store = open_memory_store(path, TENANT)
    found = {one.id for one in await store.list_page(MemoryFilter(user_id="ada"), NOW, limit=500)}
    # The last one may have been forgotten, or one more stored, before it was killed.
    assert {name for name in named[:-1] if not name.endswith("9")} <= found
    await check(path, found)


async def check(path: Path, expected: set[str]) -> None:
    """Compare what is listed, and what is found by words, with what is expected."""
    store = open_memory_store(path, TENANT)
    page = await store.list_page(MemoryFilter(user_id="ada"), NOW, limit=500)
    assert {one.id for one in page} == expected
    time = SearchedTime(now=NOW)
    matches = await store.match_words([ADA], ["said"], ["memory"], time, 5_000)
    assert {match.key.id for match in matches} == expected
