"""ClickHouse's data in a folder: read in a sandbox, never written, nothing else reached."""

import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from dataagent_core.errors import (
    NotFoundError,
    PathEscapeError,
    QueryFailedError,
    ValidationError,
)
from dataagent_core.tools.data.data_model import EngineResult, QueryLimits
from dataagent_core.tools.data.sources.engines.chdb_engine import ChdbEngine
from dataagent_core.tools.data.sources.source_spec import SourceSpec

pytest.importorskip("chdb")
_MAKE = """
import sys
from chdb import session
made = session.Session(sys.argv[1])
for sql in (
    "CREATE DATABASE shop",
    "CREATE TABLE shop.t (id Int64, name Nullable(String) COMMENT 'who', d Decimal(10, 2), "
    "day Date, list Array(Int32), e Enum('a' = 1), u UUID, big Int256) ENGINE = MergeTree "
    "ORDER BY id COMMENT 'things'",
    "INSERT INTO shop.t SELECT number, toString(number), number / 4, '2024-02-29', [1, 2], 'a', "
    "'6ecd8c99-4036-403d-bf84-cf8400f67836', 5 FROM numbers(30000)",
):
    made.query(sql)
made.close()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("clickhouse") / "db"
    # A process of its own: chdb keeps one engine for a process.
    subprocess.run([sys.executable, "-c", _MAKE, str(made)], check=True, timeout=60)
    return made


@pytest.fixture
def engine(folder: Path, tmp_path: Path) -> ChdbEngine:
    spec = SourceSpec(name="clicks", kind="clickhouse", location=f"chdb://{folder}")
    return ChdbEngine(spec, scratch=tmp_path / "scratch")


async def _asked(
    engine: ChdbEngine, sql: str, into: Path, limits: QueryLimits | None = None
) -> tuple[EngineResult, list[dict[str, Any]]]:
    ran = await engine.query(sql, into, limits or QueryLimits())
    return ran, pq.read_table(into).to_pylist()


async def test_tables_are_listed_asked_and_looked_at(engine: ChdbEngine, tmp_path: Path) -> None:
    catalogue = await engine.catalogue()
    (table,) = catalogue.tables
    assert (table.qualified, table.rows, table.comment) == ("shop.t", 30_000, "things")
    assert [c.name for c in table.columns if c.primary] == ["id"]
    assert table.columns[1].comment == "who"
    _, rows = await _asked(
        engine, "SELECT * FROM shop.t ORDER BY id DESC LIMIT 1", tmp_path / "1.parquet"
    )
    assert rows[0]["d"] == Decimal("7499.75")
    assert (rows[0]["e"], rows[0]["big"]) == ("a", "5")
    assert rows[0]["u"] == "6ecd8c99-4036-403d-bf84-cf8400f67836"
    ran, rows = await _asked(
        engine,
        "SELECT id, e FROM shop.t ORDER BY id DESC",
        tmp_path / "2.parquet",
        QueryLimits(rows_max=25_000),
    )
    assert (ran.row_count, ran.truncated) == (25_000, True)
    assert [row["id"] for row in rows] == list(range(29_999, 4_999, -1))
    (profile,) = await engine.profile(table, ["id"], 1_000)
    assert profile.distinct == 1_000
    estimate = await engine.estimate("SELECT count(name) FROM shop.t WHERE id > 0")
    assert estimate.rows
    assert await engine.fingerprint() == catalogue.fingerprint
    await engine.aclose()


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO shop.t (id) VALUES (1)",
        "DROP TABLE shop.t",
        "SET readonly = 0",
        "SELECT 1 SETTINGS max_threads = 9",
        "SELECT * FROM file('/source/../../../../root/.bashrc', 'LineAsString')",
        "SELECT 1 INTO OUTFILE '/tmp/x'",
        "SELECT * FROM url('http://127.0.0.1:9/', 'CSV', 'a String')",
    ],
)
async def test_nothing_is_written_and_nothing_else_is_reached(
    engine: ChdbEngine, tmp_path: Path, sql: str
) -> None:
    with pytest.raises(QueryFailedError):
        await engine.query(sql, tmp_path / "out.parquet", QueryLimits(timeout_s=5))
    _, rows = await _asked(engine, "SELECT count() AS c FROM shop.t", tmp_path / "after.parquet")
    assert rows == [{"c": 30_000}]
    await engine.aclose()


async def test_a_late_query_is_killed(engine: ChdbEngine, tmp_path: Path) -> None:
    await engine.fingerprint()
    began = time.monotonic()
    with pytest.raises(QueryFailedError, match="was stopped"):
        await engine.query(
            "SELECT count() FROM numbers(1000000000000) WHERE sin(number) > 2",
            tmp_path / "late.parquet",
            QueryLimits(timeout_s=1),
        )
    assert time.monotonic() - began < 60
    await engine.aclose()


def test_a_folder_that_is_none_a_server_and_a_way_out_are_refused(tmp_path: Path) -> None:
    for location, error in (
        (f"chdb://{tmp_path}", NotFoundError),
        ("clickhouse://h/d", ValidationError),
        ("chdb:///etc", PathEscapeError),
    ):
        spec = SourceSpec(name="c", kind="clickhouse", location=location)
        with pytest.raises(error):
            ChdbEngine(spec, scratch=tmp_path, beneath=tmp_path)
