"""A transaction is kept whole or not at all, also when the disk is full or others write too."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from dataagent_core.errors import StorageError, ValidationError
from dataagent_core.events import Event, TextEvent, ToolCallEvent
from dataagent_core.session import Intent
from dataagent_core.session.stores.sql import SqlEventLog, SqlMessageStore, SqlSessionStore
from dataagent_core.session.stores.sqlite import SqliteDatabase

PAGES_LEFT = 20
LARGE = TextEvent(content="x" * 50_000, is_final=True)


async def pragma(database: SqliteDatabase, statement: str) -> Any:
    return await database.read(lambda c: c.execute(f"PRAGMA {statement}").fetchone()[0])


async def leave_room_for(database: SqliteDatabase, pages: int) -> None:
    used = await pragma(database, "page_count")
    await pragma(database, f"max_page_count = {used + pages}")


async def fill(log: SqlEventLog, stored: list[Event]) -> None:
    """Append until it fails: a small event that may still fit, then a large one, and an intent."""
    for n in range(PAGES_LEFT):
        intent = Intent(call_key=str(n), tool_name="tool", args_hash="hash")
        stored += await log.append("s", "run", [TextEvent(content="small"), LARGE], [intent])


async def test_what_a_failing_transaction_did_is_undone(database: SqliteDatabase):
    def half(connection: sqlite3.Connection) -> None:
        connection.execute(
            "INSERT INTO sessions VALUES ('t', 's', 'u', 'a', '2026', '2026', '{}', '{}')"
        )
        raise KeyError("half way")

    with pytest.raises(KeyError, match="half way"):
        await database.write(half)
    store = SqlSessionStore(database, "t")
    assert await store.get("s") is None
    await store.create("u", "a", session_id="s")


async def test_a_wrong_statement_is_an_error_naming_the_file(database: SqliteDatabase):
    with pytest.raises(StorageError, match=r"dataagent\.db: no such table: absent.*doctor"):
        await database.write(lambda connection: connection.execute("DELETE FROM absent"))


@pytest.mark.requirement("F2-full-disk")
async def test_a_full_disk_loses_nothing_and_leaves_nothing_half_written(database: SqliteDatabase):
    log = SqlEventLog(database, "t")
    await leave_room_for(database, PAGES_LEFT)
    stored = await log.append("s", "run", [TextEvent(content="before", is_final=True)])
    with pytest.raises(StorageError, match="The disk is full: free some space"):
        await fill(log, stored)
    assert await log.read("s") == stored
    assert len(await log.journal("run")) == (len(stored) - 1) / 2


@pytest.mark.requirement("F2-full-disk")
async def test_when_there_is_space_again_the_log_goes_on_where_it_was(tmp_path: Path):
    path = tmp_path / "dataagent.db"
    async with SqliteDatabase(path) as database:
        log = SqlEventLog(database, "t")
        stored = await log.append("s", "run", [TextEvent(content="before")])
        await leave_room_for(database, 0)
        with pytest.raises(StorageError, match="full"):
            await log.append("s", "run", [LARGE])
        with pytest.raises(StorageError, match="full"):
            await SqlMessageStore(database, "t").save_message("s", "user", LARGE.content)
    async with SqliteDatabase(path) as database:
        log = SqlEventLog(database, "t")
        assert await pragma(database, "integrity_check") == "ok"
        stored += await log.append("s", "run", [LARGE])
        assert [event.seq for event in stored] == [1, 2]
        assert await log.read("s") == stored
        assert await SqlMessageStore(database, "t").get_messages("s") == []


async def test_a_database_that_another_holds_is_a_clear_error(database: SqliteDatabase):
    await pragma(database, "busy_timeout = 0")
    other = sqlite3.connect(database.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match="Another process holds the database"):
        await SqlEventLog(database, "t").append("s", "run", [LARGE])
    other.close()
    await SqlEventLog(database, "t").append("s", "run", [LARGE])


async def test_a_journal_record_that_cannot_be_stored_keeps_its_events_out(
    database: SqliteDatabase,
):
    log = SqlEventLog(database, "t")
    unwritable = Intent(call_key="\ud800", tool_name="tool", args_hash="hash")
    with pytest.raises(ValidationError, match="no character"):
        await log.append("s", "run", [TextEvent(content="a")], [unwritable])
    assert await log.read("s") == []


async def test_an_id_that_is_no_text_is_a_clear_error(database: SqliteDatabase):
    with pytest.raises(ValidationError, match="no character"):
        await SqlSessionStore(database, "t").get("\udcff")


async def test_an_event_too_deep_to_be_read_again_is_refused(database: SqliteDatabase):
    deep: Any = "bottom"
    for _ in range(500):
        deep = {"deeper": deep}
    log = SqlEventLog(database, "t")
    with pytest.raises(ValidationError, match="not an event"):
        await log.append("s", "run", [ToolCallEvent(tool_args={"key": deep})])
    assert await log.read("s") == []
