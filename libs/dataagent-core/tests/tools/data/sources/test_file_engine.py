"""Files and folders behind one engine: names, types, caps, what changes, and what is out of reach."""

import asyncio
import datetime as dt
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from asking import asking, table, types
from leftovers import Leftovers

from dataagent_core.errors import QueryFailedError
from dataagent_core.sandbox.bubblewrap.sandbox_base import find_bwrap
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.sources.engines.file_engine import FileEngine
from dataagent_core.tools.data.sources.source_kinds import make_source_spec
from dataagent_core.tools.data.sources.source_spec import SourceSpec

WAYS = pytest.mark.parametrize("sandboxed", [True, False], ids=["sandbox", "plain"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "data"
    made.mkdir()
    return made


def csv(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


@WAYS
async def test_a_folder_is_one_table_for_each_file_and_they_can_be_joined(
    folder: Path, tmp_path: Path, sandboxed: bool
):
    csv(folder / "orders.csv", "id,customer,amount", "1,7,2.5", "2,8,4", "3,7,1")
    pq.write_table(pa.table({"id": [7, 8], "name": ["Ann", "Bob"]}), folder / "customers.parquet")
    async with asking(folder, tmp_path, sandboxed=sandboxed) as ask:
        found = await ask.engine.catalogue()
        assert [(t.name, t.rows, t.rows_exact) for t in found.tables] == [
            ("customers", 2, True),
            ("orders", 3, True),
        ]
        assert await ask.rows(
            "SELECT name, sum(amount) FROM orders JOIN customers c ON c.id = customer "
            "GROUP BY name ORDER BY name"
        ) == [("Ann", 3.5), ("Bob", 4.0)]
        assert bool(await ask.engine.warnings()) is not sandboxed


async def test_names_are_made_from_file_names_and_clashes_are_told(folder: Path, tmp_path: Path):
    for name in ("2024 sales.csv", "a.csv", "a.tsv", "A.b.csv", "a-b.csv", "销售.csv", "[x]*?.csv"):
        csv(folder / name, "v", "1")
    async with asking(folder, tmp_path) as ask:
        found = await ask.engine.catalogue()
        assert sorted(t.name for t in found.tables) == sorted(
            ["t_2024_sales", "A_b", "x", "a_b_csv", "a", "a_tsv", "销售"]
        )
        assert "a.tsv is the table a_tsv: a is a.csv" in found.notes
        assert "a-b.csv is the table a_b_csv: a_b is A.b.csv" in found.notes
        for name in ("x", "销售", "t_2024_sales"):
            assert await ask.rows(f"SELECT v FROM {name}") == [(1,)]


async def test_types_parquet_has_not_come_out_sensibly(folder: Path, tmp_path: Path):
    csv(folder / "a.csv", "v", "1")
    sql = """SELECT 170141183460469231731687303715884105727::HUGEINT AS huge,
        '12345678-1234-1234-1234-123456789abc'::UUID AS uuid, '101'::BIT AS bits,
        'b'::ENUM('a', 'b') AS enum, INTERVAL '1 month 2 days' AS span,
        '12:00:00+02'::TIMETZ AS timetz, '{"a": 1}'::JSON AS json,
        union_value(n := 1) AS one_of, MAP {'k': 1} AS map, {'a': INTERVAL 1 DAY} AS inner_span,
        NULL AS nothing, 1 AS huge FROM a"""
    async with asking(folder, tmp_path) as ask:
        ran, rows = await ask.ran(sql)
    assert rows == [
        {
            "huge": Decimal(170141183460469231731687303715884105727),
            "uuid": "12345678-1234-1234-1234-123456789abc",
            "bits": "101",
            "enum": "b",
            "span": "1 month 2 days",
            "timetz": "12:00:00+02",
            "json": '{"a": 1}',
            "one_of": "1",
            "map": [("k", 1)],
            "inner_span": "{'a': 1 day}",
            "nothing": None,
            "huge_1": 1,
        }
    ]
    assert [column.kind for column in ran.columns][:3] == ["integer", "text", "text"]


async def test_rows_and_bytes_are_capped_and_the_order_is_kept(folder: Path, tmp_path: Path):
    csv(folder / "a.csv", "v", *map(str, range(50_000)))
    async with asking(folder, tmp_path) as ask:
        ran, rows = await ask.ran("SELECT v FROM a ORDER BY v DESC", rows_max=100)
        assert (ran.row_count, ran.truncated) == (100, True)
        assert [row["v"] for row in rows] == list(range(49_999, 49_899, -1))
        ran, rows = await ask.ran("SELECT v FROM a", rows_max=50_000)
        assert (ran.row_count, ran.truncated, len(rows)) == (50_000, False, 50_000)
        ran, _ = await ask.ran(
            "SELECT repeat('x', 10000) FROM a", bytes_max=1_000_000, rows_max=50_000
        )
        assert ran.truncated
        ran, rows = await ask.ran("SELECT v FROM a WHERE v < 0")
        assert (ran.row_count, rows, ran.columns[0].name) == (0, [], "v")


async def test_files_that_come_change_and_go_are_seen(folder: Path, tmp_path: Path):
    csv(folder / "a.csv", "v", "1")
    async with asking(folder, tmp_path) as ask:
        first = await ask.engine.catalogue()
        assert await ask.rows("SELECT * FROM a") == [(1,)]
        assert await ask.engine.fingerprint() == first.fingerprint
        with (folder / "a.csv").open("a") as file:
            file.write("2\n")
        assert await ask.engine.fingerprint() != first.fingerprint
        assert await ask.rows("SELECT sum(v) FROM a") == [(3,)]
        csv(tmp_path / "new.csv", "w,x", "5,six").replace(folder / "a.csv")
        assert await ask.rows("SELECT * FROM a") == [(5, "six")]
        csv(folder / "b.csv", "z", "9")
        assert await ask.rows("SELECT z FROM b") == [(9,)]
        (folder / "a.csv").unlink()
        with pytest.raises(QueryFailedError, match="Table with name a does not exist"):
            await ask.rows("SELECT * FROM a")
        assert [t.name for t in (await ask.engine.catalogue()).tables] == ["b"]


async def test_a_file_that_is_gone_is_one_sentence(tmp_path: Path):
    path = csv(tmp_path / "a.csv", "v", "1")
    async with asking(path, tmp_path) as ask:
        await ask.engine.catalogue()
        path.unlink()
        for asked in (ask.engine.catalogue(), ask.engine.fingerprint(), ask.rows("SELECT 1")):
            with pytest.raises(QueryFailedError, match="is not there any more"):
                await asked


OUT_OF_REACH = [
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('{secret}')",
    "SELECT * FROM '{secret}'",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM read_text('source.json')",
    "COPY a TO '{out}'",
    "COPY a TO 'stolen.csv'",
    "ATTACH '{out}' AS x",
    "SET memory_limit = '10GB'",
    "SET enable_external_access = true",
    "SET allowed_paths = ['/etc/passwd']",
    "RESET lock_configuration",
    "INSTALL httpfs",
    "LOAD sqlite_scanner",
    "EXPORT DATABASE '{out}'",
    "SELECT * FROM read_csv('https://example.org/a.csv')",
]


@WAYS
async def test_a_locked_engine_reaches_nothing_but_its_files(
    folder: Path, tmp_path: Path, sandboxed: bool
):
    csv(folder / "a.csv", "v", "1")
    secret, out = csv(tmp_path / "secret.csv", "v", "SECRET"), tmp_path / "out.csv"
    async with asking(folder, tmp_path, sandboxed=sandboxed) as ask:
        for sql in OUT_OF_REACH:
            with pytest.raises(QueryFailedError):
                await ask.rows(sql.format(secret=secret, out=out))
        assert not out.exists()
        assert await ask.rows("SELECT v FROM a") == [(1,)]
        assert await ask.rows("SELECT current_setting('memory_limit')") == [("1.0 GiB",)]


async def test_beneath_a_root_a_link_put_in_the_way_later_is_not_followed(tmp_path: Path):
    root = tmp_path / "workspace"
    (root / "data").mkdir(parents=True)
    other = tmp_path / "other"
    other.mkdir()
    csv(root / "data" / "a.csv", "v", "1")
    csv(other / "a.csv", "v", "666")
    spec = make_source_spec("s", "data", root)
    engine = FileEngine(spec, scratch=tmp_path / "scratch", beneath=root)
    try:
        assert len((await engine.catalogue()).tables) == 1
        (root / "data").rename(root / "was")
        (root / "data").symlink_to(other)
        with pytest.raises(QueryFailedError):
            await engine.query("SELECT * FROM a", tmp_path / "r.parquet", QueryLimits())
    finally:
        await engine.aclose()


async def test_earlier_results_are_tables_under_the_names_they_are_given(tmp_path: Path):
    paths = {"r1": tmp_path / "x.parquet", "r2": tmp_path / "y.parquet"}
    pq.write_table(pa.table({"k": [1, 2], "v": ["a", "b"]}), paths["r1"])
    pq.write_table(pa.table({"k": [2, 3]}), paths["r2"])
    spec = SourceSpec(name="results", kind="results", location="")
    engine = FileEngine(spec, scratch=tmp_path / "scratch", tables=paths)
    try:
        into = tmp_path / "joined.parquet"
        await engine.query("SELECT v FROM r1 JOIN r2 USING (k)", into, QueryLimits())
        assert pq.read_table(into).to_pylist() == [{"v": "b"}]
        assert sorted(t.name for t in (await engine.catalogue()).tables) == ["r1", "r2"]
    finally:
        await engine.aclose()


async def test_a_profile_tells_what_is_missing_usual_and_extreme(folder: Path, tmp_path: Path):
    lines = [f"{n % 4},{'' if n % 5 == 0 else n},2024-01-{n % 28 + 1:02}" for n in range(1_000)]
    csv(folder / "a.csv", "kind,n,day", *lines)
    async with asking(folder, tmp_path) as ask:
        found = table(await ask.engine.catalogue(), "a")
        kind, n, day = await ask.engine.profile(found, [], 10_000)
        assert (kind.distinct, kind.minimum, kind.maximum, kind.top[0][1]) == (4, "0", "3", 250)
        assert n.nulls_fraction == pytest.approx(0.2)
        assert n.mean == pytest.approx(sum(n for n in range(1000) if n % 5) / 800)
        assert (day.minimum, day.maximum) == ("2024-01-01", "2024-01-28")
        only = await ask.engine.profile(found, ["n"], 10)
        assert [profile.name for profile in only] == ["n"]


async def test_an_estimate_says_how_many_rows_are_expected(folder: Path, tmp_path: Path):
    pq.write_table(pa.table({"v": list(range(10_000))}), folder / "p.parquet")
    async with asking(folder, tmp_path) as ask:
        estimate = await ask.engine.estimate("SELECT * FROM p a CROSS JOIN p b")
        assert estimate.rows == 100_000_000
        assert estimate.cost is not None
        assert "CROSS_PRODUCT" in estimate.plan


async def test_questions_at_the_same_time_each_get_their_own_answer(folder: Path, tmp_path: Path):
    csv(folder / "a.csv", "v", *map(str, range(100)))
    async with asking(folder, tmp_path) as ask:
        answers = await asyncio.gather(
            *(ask.rows(f"SELECT v FROM a WHERE v = {n}") for n in range(10))
        )
        assert answers == [[(n,)] for n in range(10)]


async def test_nothing_is_left_behind(folder: Path, tmp_path: Path):
    csv(folder / "a.csv", "v", "1")
    left = Leftovers()
    for _ in range(2):
        async with asking(folder, tmp_path) as ask:
            assert await ask.rows("SELECT v FROM a") == [(1,)]
        assert list((tmp_path / "scratch").iterdir()) == []
    await left.is_nothing()
    assert [path.name for path in folder.iterdir()] == ["a.csv"]


async def test_dates_and_times_stay_what_they_are(folder: Path, tmp_path: Path):
    csv(
        folder / "a.csv",
        "day,at",
        "31.12.2023,2024-01-01 10:00:00",
        "01.02.2024,2024-02-01 11:30:00",
    )
    async with asking(folder, tmp_path) as ask:
        assert types(table(await ask.engine.catalogue(), "a")) == {"day": "DATE", "at": "TIMESTAMP"}
        assert await ask.rows('SELECT max(day), max("at") FROM a') == [
            (dt.date(2024, 2, 1), dt.datetime.combine(dt.date(2024, 2, 1), dt.time(11, 30)))
        ]


def test_the_sandbox_is_there():
    assert find_bwrap().path
