"""The file of memories: private, shared by processes, and without a byte of what was forgotten."""

import asyncio
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import cast

import pytest

from dataagent_core.errors import LimitReachedError, StorageError, ValidationError
from dataagent_core.memory.memory import Memory, MemorySource
from dataagent_core.memory.memory_store import MemoryFilter, MemoryStore
from dataagent_core.memory.search_index import IndexEntry, MeaningQuery, SearchedTime
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.memory.sql.store import memory_writes
from dataagent_core.memory.sql.store.sql_memory_store import SqlMemoryStore
from dataagent_core.memory.sql.store.sqlite_memory_store import open_memory_store
from dataagent_core.models.embeddings.embedder import make_unit
from dataagent_core.session.stores.sqlite import database
from dataagent_core.session.stores.sqlite.database import SqliteConnection
from dataagent_core.testing.conformance.memory import ADA, EVE, NOW, TENANT, add, make_memory

_NOW_TIME = SearchedTime(now=NOW)


def make_secret(random: Random, words_max: int) -> str:
    """Make a text that stands nowhere else."""
    return " ".join(f"{random.getrandbits(60):015x}" for _ in range(random.randint(1, words_max)))


def bytes_of(path: Path) -> bytes:
    """Read the file and all that SQLite has beside it."""
    return b"".join(each.read_bytes() for each in sorted(path.parent.glob(f"{path.name}*")))


def with_text(memory: Memory, text: str) -> Memory:
    """Give a memory a text in every field that holds one."""
    source = MemorySource(quote=text, session_id="s", tool=f"t {text}", speaker=f"s {text}")
    return replace(memory, content=text, subject=text[:100], source=source, extra={"text": [text]})


@pytest.mark.requirement("F22-2-forget")
async def test_of_what_is_forgotten_no_byte_stays_in_the_file(tmp_path: Path):
    # With these numbers SQLite moves rows from page to page, and leaves copies where they were.
    random, path, entry = Random(22), tmp_path / "memory.db", IndexEntry(words={})
    store = open_memory_store(path, TENANT)
    known: dict[str, Memory] = {}
    texts: dict[str, list[str]] = {}
    for number in range(200):
        name, text = f"m{random.getrandbits(64):x}", make_secret(random, 10)
        known[name] = await store.add(with_text(make_memory(name), text), entry)
        texts[name] = [text]
        if number % 2 == 0:
            changed = random.choice(sorted(known))
            texts[changed].append(make_secret(random, 40))
            saved = with_text(known[changed], texts[changed][-1])
            known[changed] = await store.save(saved, entry)
        if number % 8 == 7:
            some = random.sample(sorted(known), 4)
            await store.remove(some)
            for each in some:
                del known[each]
    left = bytes_of(path)
    for name in texts.keys() - known.keys():
        assert name.encode() not in left
        words = " ".join(texts[name]).split()
        assert [word for word in words if word.encode() in left] == []
    assert all(memory.content.encode() in left for memory in known.values())


async def test_of_a_removed_user_no_byte_stays_in_the_file(tmp_path: Path):
    path = tmp_path / "memory.db"
    store = open_memory_store(path, TENANT)
    await add(store, make_memory("m", "my secret is zanzibar"))
    await add(store, make_memory("n", "hers is timbuktu", scope=EVE))
    assert b"zanzibar" in bytes_of(path)
    await store.remove_user("ada")
    left = bytes_of(path)
    assert b"zanzibar" not in left
    assert b"ada" not in left
    assert b"timbuktu" in left


async def test_another_connection_that_reads_does_not_keep_what_is_forgotten(tmp_path: Path):
    path = tmp_path / "memory.db"
    store, other = open_memory_store(path, TENANT), open_memory_store(path, TENANT)
    await add(store, make_memory("m", "zanzibar"))
    assert await other.get("m") is not None
    await store.remove(["m"])
    assert b"zanzibar" not in bytes_of(path)
    assert await other.get("m") is None


async def test_bytes_that_a_long_reader_holds_back_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(database, "SQLITE_BUSY_S", 0.05)
    path = tmp_path / "memory.db"
    store = open_memory_store(path, TENANT)
    await add(store, make_memory("m", "zanzibar"))
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM memories").fetchall()
        with pytest.raises(StorageError, match="forget it again"):
            await store.remove(["m"])
        assert await store.get("m") is None
        reader.execute("COMMIT")
    await store.remove(["m"])
    assert b"zanzibar" not in bytes_of(path)


async def test_a_look_makes_no_file_and_the_first_memory_a_private_one(tmp_path: Path):
    path = tmp_path / "new" / "memory.db"
    store = open_memory_store(path, TENANT)
    query = MeaningQuery(embedder="one", vector=make_unit((1, 0)))
    assert await store.list_page(MemoryFilter(user_id="ada"), NOW, limit=9) == []
    assert await store.match_words([ADA], ["a"], ["memory"], _NOW_TIME, 9) == []
    assert await store.match_vector([ADA], query, ["memory"], _NOW_TIME, 9) == []
    assert not path.exists()
    await add(store, make_memory())
    assert path.stat().st_mode & 0o777 == 0o600
    assert await open_memory_store(path, TENANT).get("m") is not None


async def test_a_file_that_is_none_of_ours_says_what_to_do(tmp_path: Path):
    path = tmp_path / "memory.db"
    path.write_text("no database " * 1_000)
    with pytest.raises(StorageError, match="move it away"):
        await open_memory_store(path, TENANT).get("m")


async def test_a_file_of_a_newer_version_is_refused(tmp_path: Path):
    path = tmp_path / "memory.db"
    await add(open_memory_store(path, TENANT), make_memory())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StorageError, match="newer DataAgent"):
        await open_memory_store(path, TENANT).get("m")


async def test_a_file_that_is_moved_away_is_made_anew(tmp_path: Path):
    path = tmp_path / "memory.db"
    store = open_memory_store(path, TENANT)
    await add(store, make_memory())
    for each in list(tmp_path.glob("memory.db*")):
        each.rename(each.with_name(f"old-{each.name}"))
    assert await store.get("m") is None
    await add(store, make_memory("n"))
    assert path.exists()
    assert await open_memory_store(path, TENANT).get("n") is not None


async def test_what_fails_half_way_leaves_nothing(tmp_path: Path):
    store = open_memory_store(tmp_path / "memory.db", TENANT)
    # The vector is refused after the memory's own row and its words were written.
    entry = IndexEntry(words={"ulm": 1}, embedder="", vector=make_unit((1, 0)))
    with pytest.raises(ValidationError, match="embedder"):
        await store.add(make_memory(), entry)
    assert await store.get("m") is None
    assert await store.list_scopes("ada") == []


async def test_a_user_has_a_limit_of_memories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory_writes, "MEMORIES_MAX", 2)
    store = open_memory_store(tmp_path / "memory.db", TENANT)
    await add(store, make_memory("a"))
    await add(store, make_memory("b", scope=replace(ADA, assistant_id="other")))
    with pytest.raises(LimitReachedError, match="forget some"):
        await add(store, make_memory("c"))
    await add(store, make_memory("c", scope=EVE))
    await store.remove(["a"])
    await add(store, make_memory("d"))


@pytest.mark.requirement("F22-bad-processes")
async def test_many_connections_that_write_at_once_all_succeed(tmp_path: Path):
    # Each store has a connection and a cache of its own, as another process has.
    path, names = tmp_path / "memory.db", [f"m{number}" for number in range(12)]
    stores = [open_memory_store(path, TENANT) for _ in names]
    query = MeaningQuery(embedder="one", vector=make_unit((1, 0)))
    entry = IndexEntry(words={"ulm": 1}, embedder="one", vector=make_unit((1, 0)))

    async def work(store: MemoryStore, name: str) -> None:
        await store.add(make_memory(name), entry)
        found = await store.match_vector([ADA], query, ["memory"], _NOW_TIME, 99)
        assert name in {match.key.id for match in found}

    await asyncio.gather(*map(work, stores, names))
    for store in stores:
        for found in (
            await store.match_words([ADA], ["ulm"], ["memory"], _NOW_TIME, 99),
            await store.match_vector([ADA], query, ["memory"], _NOW_TIME, 99),
        ):
            assert sorted(match.key.id for match in found) == sorted(names)
    # What one forgets none finds, nor has in its cache.
    await stores[0].remove(names[:6])
    for store in stores:
        found = await store.match_vector([ADA], query, ["memory"], _NOW_TIME, 99)
        assert sorted(match.key.id for match in found) == sorted(names[6:])


async def test_searches_use_indexes_alone(tmp_path: Path):
    file = MemoryFile(tmp_path / "memory.db")
    store = SqlMemoryStore(file, TENANT)
    await add(store, make_memory())
    statements: list[str] = []
    connection = await file.write(lambda connection: cast("SqliteConnection", connection))
    connection.set_trace_callback(statements.append)
    query = MeaningQuery(embedder="one", vector=make_unit((1, 0)))
    await store.match_words([ADA], ["I", "Ulm"], ["memory"], _NOW_TIME, 9)
    await store.match_vector([ADA], query, ["memory"], _NOW_TIME, 9)
    await store.list_unembedded("one", 9)
    await store.find_same(ADA, "digest")
    await store.find_subject(ADA, "subject")
    await store.find_by_source(ADA, "s", 1, 2)
    await store.find_by_episodes([ADA], ["e"], 9)
    await store.find_expired(NOW, 9)
    await store.list_page(MemoryFilter(user_id="ada"), NOW, limit=9)
    connection.set_trace_callback(None)
    plans = {
        statement: [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
        for statement in statements
    }
    assert len(plans) > 9
    tables = re.compile(r"SCAN (m|s|v|d|memor\w+)\b")
    assert {key: plan for key, plan in plans.items() if any(map(tables.match, plan))} == {}
