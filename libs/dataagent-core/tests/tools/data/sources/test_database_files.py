"""SQLite and DuckDB files: only read, also while somebody writes, with keys and links told."""

import contextlib
import sqlite3
import struct
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from asking import asking, table

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.worker_programs.duckdb_worker.duckdb_macros import DuckdbMacros
from dataagent_core.tools.data.worker_programs.question_server import OwnQuestionError

SHOP = """
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, -- the customer's number
    name TEXT NOT NULL,
    joined DATE
);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), amount REAL);
CREATE INDEX by_amount ON orders (amount);
INSERT INTO customers VALUES (1, 'Ann', '2024-01-01'), (2, 'Bob', NULL);
INSERT INTO orders VALUES (1, 1, 2.5), (2, 1, 3), (3, 2, 4);
CREATE VIEW spent AS SELECT name, sum(amount) AS total FROM orders JOIN customers c ON c.id = customer_id GROUP BY name;
"""
WAYS = pytest.mark.parametrize("sandboxed", [True, False], ids=["sandbox", "plain"])


@pytest.fixture
def lite(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    with contextlib.closing(sqlite3.connect(folder / "shop.db")) as made:
        made.executescript(SHOP)
    return folder / "shop.db"


def run_and_crash(code: str) -> None:
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9


@WAYS
async def test_a_sqlite_file_is_listed_with_its_keys_and_asked(
    lite: Path, tmp_path: Path, sandboxed: bool
):
    async with asking(lite, tmp_path, sandboxed=sandboxed) as ask:
        found = await ask.engine.catalogue()
        assert [(t.name, t.rows, t.is_view) for t in found.tables] == [
            ("customers", 2, False),
            ("orders", 3, False),
            ("spent", None, True),
        ]
        number, name, joined = table(found, "customers").columns
        assert (number.primary, number.kind, number.comment) == (
            True,
            "integer",
            "the customer's number",
        )
        assert (name.nullable, joined.kind, joined.nullable) == (False, "date", True)
        assert table(found, "orders").columns[1].references == "customers.id"
        assert await ask.rows("SELECT * FROM spent ORDER BY name") == [("Ann", 5.5), ("Bob", 4.0)]
        assert await ask.rows(
            "SELECT json_extract('{\"a\": 5}', '$.a'), strftime('%Y', '2024-05-01')"
        ) == [(5, "2024")]


REFUSED = [
    "DELETE FROM orders",
    "INSERT INTO orders VALUES (9, 1, 1)",
    "CREATE TABLE x (a)",
    "CREATE TEMP TABLE x (a)",
    "DROP TABLE orders",
    "ATTACH '{out}' AS x",
    "VACUUM INTO '{out}'",
    "PRAGMA journal_mode = WAL",
    "PRAGMA writable_schema = ON",
    "PRAGMA database_list",
    "SELECT load_extension('x')",
    "BEGIN IMMEDIATE",
    "REINDEX",
    "SELECT 1; DELETE FROM orders",
    "SELECT readfile('/etc/passwd')",
    "SELECT * FROM pragma_database_list",
]


@WAYS
async def test_sqlite_reads_and_does_nothing_else(lite: Path, tmp_path: Path, sandboxed: bool):
    before, out = lite.read_bytes(), tmp_path / "out.db"
    async with asking(lite, tmp_path, sandboxed=sandboxed) as ask:
        for sql in REFUSED:
            with pytest.raises(QueryFailedError):
                await ask.rows(sql.format(out=out))
        assert await ask.rows("SELECT count(*) FROM orders") == [(3,)]
    assert lite.read_bytes() == before
    assert [path.name for path in lite.parent.iterdir()] == ["shop.db"]
    assert not out.exists()


async def test_values_of_several_types_lose_nothing(tmp_path: Path):
    path = tmp_path / "m.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE m (whole, half, mixed, big, raw, odd TEXT)")
        rows = [
            (1, 1, 1, 9007199254740993, b"\x00\xff", "a"),
            (2, 2.5, "two", 1.5, b"", None),
            (None, None, b"\x01", None, None, None),
        ]
        made.executemany("INSERT INTO m VALUES (?, ?, ?, ?, ?, ?)", rows)
        made.execute("UPDATE m SET odd = CAST(X'ff41' AS TEXT) WHERE whole = 2")
        made.commit()
    async with asking(path, tmp_path) as ask:
        ran, rows = await ask.ran("SELECT * FROM m")
        assert [column.kind for column in ran.columns] == [
            "integer",
            "float",
            "text",
            "text",
            "binary",
            "text",
        ]
        assert [tuple(row.values()) for row in rows] == [
            (1, 1.0, "1", "9007199254740993", b"\x00\xff", "a"),
            (2, 2.5, "two", "1.5", b"", "\ufffdA"),
            (None, None, "01", None, None, None),
        ]
        many = "WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r LIMIT 30000) "
        ran, rows = await ask.ran(
            f"{many} SELECT CASE WHEN n = 25000 THEN 'x' ELSE n END AS v FROM r", rows_max=30_000
        )
        assert rows[24_999:25_002] == [{"v": "24999"}, {"v": "x"}, {"v": "25001"}]
        ran, rows = await ask.ran(f"{many} SELECT n FROM r", rows_max=100)
        assert (ran.row_count, ran.truncated) == (100, True)


@WAYS
@pytest.mark.parametrize("mode", ["wal", "delete"])
async def test_what_another_program_writes_is_seen_and_its_lock_is_not_disturbed(
    lite: Path, tmp_path: Path, mode: str, sandboxed: bool
):
    with contextlib.closing(sqlite3.connect(lite, isolation_level=None)) as writer:
        writer.execute(f"PRAGMA journal_mode = {mode}")
        async with asking(lite, tmp_path, sandboxed=sandboxed) as ask:
            assert await ask.rows("SELECT count(*) FROM orders") == [(3,)]
            writer.execute("INSERT INTO orders VALUES (4, 1, 1)")
            assert await ask.rows("SELECT count(*) FROM orders") == [(4,)]
            writer.execute("BEGIN IMMEDIATE")
            writer.execute("INSERT INTO orders VALUES (5, 1, 1)")
            assert await ask.rows("SELECT count(*) FROM orders") == [(4,)]
            writer.execute("COMMIT")
            assert await ask.rows("SELECT count(*) FROM orders") == [(5,)]
            writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            assert await ask.rows("SELECT count(*) FROM orders") == [(5,)]


@WAYS
async def test_a_closed_database_in_wal_mode_is_read_and_nothing_is_put_beside_it(
    lite: Path, tmp_path: Path, sandboxed: bool
):
    with contextlib.closing(sqlite3.connect(lite)) as writer:
        writer.execute("PRAGMA journal_mode = wal")
    assert [path.name for path in lite.parent.iterdir()] == ["shop.db"]
    async with asking(lite, tmp_path, sandboxed=sandboxed) as ask:
        assert await ask.rows("SELECT count(*) FROM orders") == [(3,)]
    assert [path.name for path in lite.parent.iterdir()] == ["shop.db"]


async def test_a_log_left_by_a_killed_program_is_read_too(lite: Path, tmp_path: Path):
    code = (
        f"import sqlite3, os; c = sqlite3.connect({str(lite)!r}, isolation_level=None); "
        "c.execute('PRAGMA journal_mode = wal'); "
        "c.execute('INSERT INTO orders VALUES (4, 1, 1)'); os._exit(9)"
    )
    run_and_crash(code)
    assert Path(f"{lite}-wal").stat().st_size
    async with asking(lite, tmp_path) as ask:
        assert await ask.rows("SELECT count(*) FROM orders") == [(4,)]
        Path(f"{lite}-shm").unlink()
        assert await ask.rows("SELECT count(*) FROM orders") == [(4,)]


async def test_a_change_that_was_cut_off_is_one_sentence(lite: Path, tmp_path: Path):
    code = (
        f"import sqlite3, os; c = sqlite3.connect({str(lite)!r}, isolation_level=None); "
        "c.execute('PRAGMA cache_size = 1'); c.execute('BEGIN'); "
        "c.execute('CREATE TABLE pad AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 50000) SELECT n, hex(randomblob(50)) FROM r'); "
        "os._exit(9)"
    )
    run_and_crash(code)
    assert Path(f"{lite}-journal").exists()
    async with asking(lite, tmp_path) as ask:
        with pytest.raises(QueryFailedError, match="in the middle of a change"):
            await ask.rows("SELECT count(*) FROM orders")


async def test_a_catalogue_longer_than_one_answer_comes_in_parts(tmp_path: Path):
    columns = ", ".join(f"column_with_a_rather_long_name_{n} INTEGER" for n in range(150))
    with contextlib.closing(sqlite3.connect(tmp_path / "many.db")) as lite:
        for n in range(200):
            lite.execute(f"CREATE TABLE t{n} ({columns})")
        lite.commit()
    async with asking(tmp_path / "many.db", tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert len({t.name for t in found.tables}) == len(found.tables) == 200
        assert sum(len(t.columns) for t in found.tables) == 30_000


async def test_a_late_query_of_sqlite_is_stopped(lite: Path, tmp_path: Path):
    bomb = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
    async with asking(lite, tmp_path) as ask:
        assert await ask.rows("SELECT count(*) FROM orders") == [(3,)]
        began = time.monotonic()
        with pytest.raises(QueryFailedError, match="did not answer within 1 s"):
            await ask.rows(bomb, timeout_s=1.0)
        assert time.monotonic() - began < 60
        with pytest.raises(QueryFailedError):
            await ask.rows("SELECT randomblob(900000000)", memory_bytes=100_000_000)
        assert await ask.rows("SELECT count(*) FROM orders") == [(3,)]


async def test_a_damaged_sqlite_file_is_one_sentence(lite: Path, tmp_path: Path):
    data = bytearray(lite.read_bytes())
    data[100:8000] = b"\x55" * 7900
    lite.write_bytes(data)
    async with asking(lite, tmp_path) as ask:
        with pytest.raises(QueryFailedError, match="damaged"):
            await ask.engine.catalogue()


async def test_a_sqlite_profile_and_plan(lite: Path, tmp_path: Path):
    async with asking(lite, tmp_path) as ask:
        found = await ask.engine.catalogue()
        number, name, joined = await ask.engine.profile(table(found, "customers"), [], 100)
        assert (number.minimum, number.maximum, number.mean) == ("1", "2", 1.5)
        assert (name.samples, joined.nulls_fraction) == (("Ann", "Bob"), 0.5)
        plan = await ask.engine.estimate("SELECT * FROM orders WHERE amount > 1")
        assert "SEARCH orders USING INDEX by_amount" in plan.plan


@pytest.fixture
def duck(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(path) as made:
        made.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL)")
        made.execute(
            "CREATE TABLE orders (id INTEGER, customer_id INTEGER REFERENCES customers (id), amount DECIMAL(9, 2))"
        )
        made.execute(
            "INSERT INTO customers VALUES (1, 'Ann'); INSERT INTO orders VALUES (1, 1, 2.5)"
        )
        made.execute("COMMENT ON TABLE orders IS 'what was bought'")
        made.execute("CREATE SCHEMA old; CREATE TABLE old.things AS SELECT 1 AS a")
        made.execute("CREATE VIEW spent AS SELECT sum(amount) AS total FROM orders")
    return path


@WAYS
async def test_a_duckdb_file_is_listed_with_its_keys_and_asked(
    duck: Path, tmp_path: Path, sandboxed: bool
):
    before = duck.read_bytes()
    async with asking(duck, tmp_path, sandboxed=sandboxed) as ask:
        found = await ask.engine.catalogue()
        assert [t.qualified for t in found.tables] == ["customers", "orders", "spent", "old.things"]
        orders = table(found, "orders")
        assert (orders.comment, orders.columns[1].references) == ("what was bought", "customers.id")
        assert table(found, "customers").columns[0].primary
        assert [row[0] for row in await ask.rows("SELECT total FROM spent")] == [2.5]
        assert await ask.rows("SELECT a FROM old.things") == [(1,)]
        for sql in ("DELETE FROM orders", "CREATE TABLE x (a INT)", "ATTACH '/tmp/x.duckdb' AS x"):
            with pytest.raises(QueryFailedError):
                await ask.rows(sql)
        profile = await ask.engine.profile(table(found, "things"), [], 10)
        assert profile[0].minimum == "1"
    assert duck.read_bytes() == before


def header_checksum(header: bytes) -> int:
    """As DuckDB computes it: only then does it look at the version."""
    found = 5381
    for (number,) in struct.iter_unpack("<Q", header):
        found ^= number * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
    return found


async def test_a_file_of_a_newer_duckdb_is_refused_with_what_to_do(duck: Path, tmp_path: Path):
    data = bytearray(duck.read_bytes())
    data[12:20] = (999).to_bytes(8, "little")
    data[:8] = header_checksum(bytes(data[8:4096])).to_bytes(8, "little")
    duck.write_bytes(data)
    async with asking(duck, tmp_path) as ask:
        with pytest.raises(QueryFailedError) as caught:
            await ask.engine.catalogue()
        assert "written by a newer version of DuckDB" in str(caught.value)
        assert "EXPORT DATABASE" in str(caught.value)


def started(code: str) -> subprocess.Popen[bytes]:
    """Start another process: locks of our own would end with the first descriptor we close."""
    process = subprocess.Popen([sys.executable, "-c", code], stdin=-1, stdout=-1)
    assert process.stdout is not None
    process.stdout.readline()
    return process


async def test_a_duckdb_file_that_is_being_written_is_one_sentence(duck: Path, tmp_path: Path):
    code = (
        f"import duckdb; c = duckdb.connect({str(duck)!r}); "
        "c.execute('INSERT INTO old.things VALUES (2)'); print(flush=True); input()"
    )
    writer = started(code)
    async with asking(duck, tmp_path) as ask:
        with pytest.raises(QueryFailedError, match="another program has this DuckDB file open"):
            await ask.engine.catalogue()
        writer.communicate(b"\n")
        assert await ask.rows("SELECT sum(a) FROM old.things") == [(3,)]


async def test_a_macro_of_a_duckdb_file_runs_for_nobody(tmp_path: Path):
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "shop.duckdb"
    with duckdb.connect(path) as made:
        made.execute("CREATE TABLE t AS SELECT 'a' AS v")
        made.execute("CREATE TABLE secret AS SELECT 'hidden' AS v")
        made.execute("CREATE MACRO soundex(x) AS (SELECT v FROM secret)")
    async with asking(path, tmp_path) as ask:
        with pytest.raises(QueryFailedError, match="somebody made in this database"):
            await ask.rows('SELECT SOUNDEX("v") AS "x" FROM "t"')
        assert await ask.rows('SELECT UPPER("v") AS "x" FROM "t"') == [("A",)]


@pytest.mark.parametrize(
    ("macro", "sql"),
    [
        ('"||"(x, y)', """SELECT "v" || 'a' AS "x" FROM "t\""""),
        ('"~~"(x, y)', """SELECT "v" LIKE 'a' AS "x" FROM "t\""""),
        ("list_value(x, y)", 'SELECT [1, 2] AS "x"'),
        ("current_date()", 'SELECT current_date AS "x"'),
        ("to_days(x)", 'SELECT INTERVAL 1 DAY AS "x"'),
        ("contains(x, y)", 'SELECT 1 IN [1, 2] AS "x"'),
        ("soundex(x)", 'SELECT "soundex"("v") AS "x" FROM "t"'),
    ],
)
def test_a_macro_that_syntax_would_call_is_refused(macro: str, sql: str):
    with duckdb.connect() as made:
        made.execute("CREATE TABLE t AS SELECT 'a' AS v")
        made.execute(f"CREATE MACRO {macro} AS 'planted'")
        made.execute("CREATE MACRO duckdb_functions() AS TABLE SELECT 'x' AS function_name")
        assert made.execute(sql).fetchall() == [("planted",)]
        with pytest.raises(OwnQuestionError, match="somebody made in this database"):
            DuckdbMacros(made).check(sql)


def test_a_macro_with_a_name_of_its_own_is_in_nobodys_way():
    with duckdb.connect() as made:
        DuckdbMacros(made).check("SELECT 'a' || 'b'")
        made.execute("CREATE MACRO our_price(x) AS x + 1")
        DuckdbMacros(made).check("SELECT upper('a') || 'b'")


async def test_rows_of_sqlite_that_memory_cannot_hold_go_to_the_file_as_they_come(
    lite: Path, tmp_path: Path
):
    sql = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 700) "
        "SELECT i, CASE WHEN i = 700 THEN 'last' ELSE zeroblob(1000000) END AS v FROM n"
    )
    async with asking(lite, tmp_path) as ask:
        written = tmp_path / "all.parquet"
        limits = QueryLimits(memory_bytes=300_000_000, bytes_max=8_000_000_000, timeout_s=120.0)
        ran = await ask.engine.query(sql, written, limits)
    assert (ran.row_count, ran.truncated) == (700, False)
    # The last value makes the column text, which the first did not tell.
    assert [column.kind for column in ran.columns] == ["integer", "text"]
    values = pq.ParquetFile(written).read_row_group(0, columns=["v"])["v"]
    assert values[0].as_py() == "00" * 1_000_000
