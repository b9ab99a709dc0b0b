"""The database file: whose it is, and what is said when it cannot be used."""

import contextlib
import os
import sqlite3
import stat
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from dataagent_core.errors import StorageError
from dataagent_core.events import TextEvent
from dataagent_core.session.stores.bundle import open_sqlite
from dataagent_core.session.stores.sql import SqlEventLog
from dataagent_core.session.stores.sqlite import SqliteDatabase, schema
from dataagent_core.session.stores.sqlite.schema import SCHEMA_VERSION
from dataagent_core.usage import UsageQuery

NOBODY = 65_534
PAGE_BYTES = 4_096
# What the first version made; every file of its time goes on from there.
FIRST_SCHEMA = Path(__file__).with_name("first_schema.sql")


async def opening_fails(path: Path) -> str:
    with pytest.raises(StorageError) as failure:
        async with SqliteDatabase(path):
            pass
    return str(failure.value)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_to_all() -> Generator[None, None, None]:
    """Make new files everybody's unless a program takes care."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def read_only_folder() -> Generator[Path, None, None]:
    """A folder this process may read and not write, also when the tests run as root."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        user = os.geteuid()
        if user == 0:
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            os.seteuid(user)
            folder.chmod(0o700)


@pytest.mark.usefixtures("open_to_all")
async def test_the_file_and_those_beside_it_are_their_owners_alone(tmp_path: Path):
    path = tmp_path / "new" / "dataagent.db"
    async with SqliteDatabase(path) as database:
        await SqlEventLog(database, "t").append("s", "run", [TextEvent(content="secret")])
        files = {file.name: mode(file) for file in path.parent.iterdir()}
    assert files == dict.fromkeys(("dataagent.db", "dataagent.db-wal", "dataagent.db-shm"), 384)
    assert mode(path.parent) == 0o700


async def test_a_file_that_was_everybodys_is_closed_to_others(tmp_path: Path):
    path = tmp_path / "dataagent.db"
    path.touch()
    path.chmod(0o644)
    async with SqliteDatabase(path):
        assert mode(path) == 0o600


@pytest.mark.requirement("F2-newer-database")
async def test_a_newer_database_is_refused_and_left_as_it_is(tmp_path: Path):
    path = tmp_path / "dataagent.db"
    async with SqliteDatabase(path) as database:
        await SqlEventLog(database, "t").append("s", "run", [TextEvent(content="kept")])
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    before = path.read_bytes()
    message = await opening_fails(path)
    assert f"schema {SCHEMA_VERSION + 1}" in message
    assert "Upgrade DataAgent" in message
    assert str(path) in message
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["dataagent.db"]


@pytest.mark.requirement("F2-corrupt-database")
@pytest.mark.parametrize(
    "content", [b"no database", os.urandom(3 * PAGE_BYTES)], ids=["short", "long"]
)
async def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(
    tmp_path: Path, content: bytes
):
    path = tmp_path / "dataagent.db"
    path.write_bytes(content)
    message = await opening_fails(path)
    assert "The file is damaged: move it away" in message
    assert str(path) in message
    assert path.read_bytes() == content


@pytest.mark.requirement("F2-corrupt-database")
async def test_a_database_with_damaged_pages_is_a_clear_error(tmp_path: Path):
    path = tmp_path / "dataagent.db"
    async with SqliteDatabase(path) as database:
        events = [TextEvent(content="x" * 1_000) for _ in range(100)]
        await SqlEventLog(database, "t").append("s", "run", events)
    with path.open("r+b") as file:
        file.seek(PAGE_BYTES)
        file.write(b"\xff" * (path.stat().st_size - PAGE_BYTES))
    # Noticed when it is opened or when it is read, as far as the tables' own page reaches.
    with pytest.raises(StorageError, match="The file is damaged"):
        async with SqliteDatabase(path) as database:
            await SqlEventLog(database, "t").read("s")


async def test_a_folder_that_cannot_be_written_is_a_clear_error(read_only_folder: Path):
    for path in (read_only_folder / "dataagent.db", read_only_folder / "new" / "dataagent.db"):
        message = await opening_fails(path)
        assert "Permission denied" in message
        assert "DATAAGENT_HOME" in message


async def test_a_path_under_a_file_is_a_clear_error(tmp_path: Path):
    (tmp_path / "file").touch()
    assert "DATAAGENT_HOME" in await opening_fails(tmp_path / "file" / "dataagent.db")


async def test_a_folder_in_place_of_the_file_is_a_clear_error(tmp_path: Path):
    (tmp_path / "dataagent.db").mkdir()
    assert "can be written" in await opening_fails(tmp_path / "dataagent.db")
    assert mode(tmp_path / "dataagent.db") & stat.S_IXUSR


async def test_a_database_that_was_never_opened_says_so(tmp_path: Path):
    with pytest.raises(StorageError, match="not open"):
        await SqlEventLog(SqliteDatabase(tmp_path / "dataagent.db"), "t").read("s")


async def test_a_file_of_an_older_version_is_brought_up_to_date_with_all_it_holds(
    tmp_path: Path,
) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "db")) as connection:
        connection.executescript(FIRST_SCHEMA.read_text())
        connection.execute(
            "INSERT INTO tool_execution_records "
            "(tenant_id, session_id, run_id, call_key, tool_name, args_hash) "
            "VALUES ('local', 's', 'r', 'call', 'tool', 'hash')"
        )
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    async with open_sqlite(tmp_path / "db", "local") as stores:
        [entry] = await stores.log.journal("r")
    assert (entry.call_key, entry.probe) == ("call", None)


async def test_what_was_used_before_models_were_told_apart_is_kept(tmp_path: Path) -> None:
    steps = schema._STEPS  # pyright: ignore[reportPrivateUsage]
    with contextlib.closing(sqlite3.connect(tmp_path / "db")) as connection:
        connection.executescript(";".join((FIRST_SCHEMA.read_text(), steps[1], steps[2])))
        sums = "1, 0, 60, 20, 0, 0, 0, 700"
        connection.execute(
            f"INSERT INTO usage VALUES ('local', 'r', '2030-01-02', 's', 'ada', 'p', {sums})"
        )
        connection.execute(
            f"INSERT INTO usage_days VALUES ('local', '2030-01-01', 'ada', 'p', {sums})"
        )
        connection.execute("PRAGMA user_version = 3")
        connection.commit()
    async with open_sqlite(tmp_path / "db", "local") as stores:
        days = await stores.usage.report(UsageQuery(by="day"))
        (unnamed,) = await stores.usage.report(UsageQuery(by="model"))
    assert [(row.name, row.total.cost_nano) for row in days] == [
        ("2030-01-01", 700),
        ("2030-01-02", 700),
    ]
    assert (unnamed.name, unnamed.total.calls) == ("", 2)


def layout(path: Path) -> dict[str, Any]:
    """What a file's tables are: columns, keys and indexes; their order and defaults apart."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        names = connection.execute(
            "SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT LIKE 'sqlite_seq%'"
        ).fetchall()
        columns = {
            table: sorted(
                (name, kind, required, key)
                for _, name, kind, required, _, key in connection.execute(
                    f"PRAGMA table_info({table})"
                )
            )
            for kind, _, table in names
            if kind == "table"
        }
        indexes = {
            name: [row[2] for row in connection.execute(f"PRAGMA index_info({name})")]
            for kind, name, _ in names
            if kind == "index"
        }
        kept = {
            row[1]: row[4] for row in connection.execute("PRAGMA table_list") if row[1] in columns
        }
    return {"columns": columns, "indexes": indexes, "without_rowid": kept}


async def test_a_new_file_has_the_tables_of_one_that_took_every_step(tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.executescript(FIRST_SCHEMA.read_text())
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    for name in ("old.db", "new.db"):
        async with SqliteDatabase(tmp_path / name):
            pass
    assert layout(tmp_path / "new.db") == layout(tmp_path / "old.db")
