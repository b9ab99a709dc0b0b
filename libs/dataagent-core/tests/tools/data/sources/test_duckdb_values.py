"""Values and plans of DuckDB that Parquet, Python or EXPLAIN do not have."""

from pathlib import Path
from typing import Any

import pytest
from asking import Asking, asking

from dataagent_core.tools.data.guard import check


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    rows = "".join(f"{place},{number}\n" for number, place in enumerate(["West", "East"] * 3))
    (folder / "sales.csv").write_text(f"place,amount\n{rows}")
    return folder / "sales.csv"


async def _run(ask: Asking, sql: str) -> list[tuple[Any, ...]]:
    """Ask as the query service does: checked first."""
    return await ask.rows(check(sql, await ask.engine.catalogue()).sql)


async def test_values_beyond_pythons_are_given_as_text(sales: Path, tmp_path: Path) -> None:
    async with asking(sales, tmp_path) as ask:
        for sql, cells in {
            "select 340282366920938463463374607431768211455::UHUGEINT": (
                "340282366920938463463374607431768211455",
            ),
            "select [340282366920938463463374607431768211455::UHUGEINT] as xs": (
                "[340282366920938463463374607431768211455]",
            ),
            "select 'infinity'::date, '-infinity'::timestamp, 1": ("infinity", "-infinity", 1),
            "select date '10000-01-01', timestamptz '10000-01-01 00:00:00+00'::text is null": (
                "10000-01-01",
                False,
            ),
            "select date '0044-03-15 (BC)' as ides, '9999-12-31'::date::text": (
                "0044-03-15 (BC)",
                "9999-12-31",
            ),
            "select [date '10000-01-01'] as days, {'at': 'infinity'::timestamp} as s": (
                "[10000-01-01]",
                "{'at': infinity}",
            ),
        }.items():
            assert await _run(ask, sql) == [cells], sql


async def test_a_date_beyond_pythons_in_a_late_row_makes_its_column_text(
    sales: Path, tmp_path: Path
) -> None:
    sql = (
        "select case when range = 199999 then date '12024-01-01' else date '2024-01-01' end as day, "
        "date '9999-12-31' as last from range(200000) order by range"
    )
    async with asking(sales, tmp_path) as ask:
        ran, rows = await ask.ran(sql, rows_max=200_000)
    assert [column.kind for column in ran.columns] == ["text", "date"]
    assert [rows[0]["day"], rows[-1]["day"]] == ["2024-01-01", "12024-01-01"]


@pytest.mark.parametrize(
    "sql",
    [
        "pivot sales on place using sum(amount)",
        "select * from (pivot sales on place using sum(amount))",
        "with p as (pivot sales on place using sum(amount)) select * from p",
    ],
)
async def test_a_pivot_whose_columns_the_data_names_is_planned_and_run(
    sales: Path, tmp_path: Path, sql: str
) -> None:
    async with asking(sales, tmp_path) as ask:
        checked = check(sql, await ask.engine.catalogue()).sql
        assert (await ask.engine.estimate(checked)).rows is None
        assert [tuple(map(int, row)) for row in await ask.rows(checked)] == [(9, 6)]
