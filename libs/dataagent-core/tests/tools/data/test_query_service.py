"""From SQL to a kept result, over real files in a real sandbox."""

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from query_services import open_queries

from dataagent_core.config.limits.data import (
    DESCRIBE_SAMPLE_ROWS,
    PROFILE_COLUMNS_MAX,
    PROFILE_SAMPLE_ROWS,
)
from dataagent_core.errors import (
    NotFoundError,
    QueryFailedError,
    QueryRefusedError,
    ValidationError,
)
from dataagent_core.tools.data.catalog import render_table
from dataagent_core.tools.data.data_model import Column, ColumnProfile, QueryLimits, Table
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_core.tools.data.results.stored_result import parse_personal_kinds
from dataagent_core.tools.data.sources.source_spec import SourceSpec


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    file = tmp_path / "sales.csv"
    file.write_text("region,email,amount\nEast,a@example.com,10\nWest,b@example.com,32\n")
    return file


async def rows_of(queries: QueryService, name: str, sql: str) -> tuple[tuple[Any, ...], ...]:
    kept = await queries.query(name, sql)
    return (await read_page(queries.results, kept.result_id, 0, 100)).rows


async def test_a_file_is_asked_by_its_path_and_its_result_is_a_table(sales: Path, tmp_path: Path):
    async with open_queries(tmp_path) as queries:
        kept = await queries.query(str(sales), "SELECT region, amount FROM sales")
        assert kept.row_count == 2
        again = await rows_of(
            queries, "results", f"SELECT sum(amount) FROM {kept.result_id} WHERE region <> 'East'"
        )
    assert again == ((32,),)


@pytest.mark.requirement("F5-3")
async def test_results_of_two_sources_are_joined(sales: Path, tmp_path: Path):
    other = tmp_path / "people.db"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE managers (region TEXT, manager TEXT)")
        database.execute("INSERT INTO managers VALUES ('East', 'Ann'), ('West', 'Bob')")
    async with open_queries(tmp_path) as queries:
        one = await queries.query(str(sales), "SELECT region, amount FROM sales")
        two = await queries.query(str(other), "SELECT region, manager FROM managers")
        rows = await rows_of(
            queries,
            "results",
            f"SELECT manager, amount FROM {one.result_id} JOIN {two.result_id} USING (region) "
            "ORDER BY 1",
        )
    assert rows == (("Ann", 10), ("Bob", 32))


async def test_personal_columns_stay_marked_through_expressions_and_results(
    sales: Path, tmp_path: Path
):
    async with open_queries(tmp_path) as queries:
        kept = await queries.query(
            str(sales), "SELECT upper(email) AS contact, count(*) AS n FROM sales GROUP BY 1"
        )
        assert list(parse_personal_kinds(kept)) == ["contact"]
        again = await queries.query("results", f"SELECT contact || '!' AS x FROM {kept.result_id}")
        assert list(parse_personal_kinds(again)) == ["x"]


async def test_counting_personal_values_shows_none_of_them(sales: Path, tmp_path: Path):
    async with open_queries(tmp_path) as queries:
        kept = await queries.query(str(sales), "SELECT count(DISTINCT email) AS people FROM sales")
    assert kept.personal == ()


@pytest.mark.requirement("F5-8")
async def test_hidden_and_missing_sound_alike_to_a_model_and_not_to_a_person(
    sales: Path, tmp_path: Path
):
    spec = SourceSpec(name="s", kind="files", location=str(sales), hidden=("sales.email",))
    async with open_queries(tmp_path, spec) as queries:
        with pytest.raises(QueryRefusedError) as hidden:
            await queries.query("s", "SELECT email FROM sales")
        with pytest.raises(QueryRefusedError) as missing:
            await queries.query("s", "SELECT emale FROM sales")
        everything = await queries.query("s", "SELECT * FROM sales")
    assert str(hidden.value).replace("'email'", "'emale'") == str(missing.value)
    assert "hidden" in hidden.value.for_person
    assert "hidden" not in missing.value.for_person
    assert [column.name for column in everything.columns] == ["region", "amount"]


async def test_a_schema_that_changed_a_moment_ago_is_seen(sales: Path, tmp_path: Path):
    async with open_queries(tmp_path) as queries:
        await queries.query(str(sales), "SELECT region FROM sales")
        sales.write_text("region,amount,extra\nEast,1,2\n")
        assert await rows_of(queries, str(sales), "SELECT extra FROM sales") == ((2,),)


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT 1; SELECT 2", "statement"),
        ("DELETE FROM sales", "SELECT"),
        ("SELECT * FROM read_csv('/etc/passwd')", "(?i)read_?csv"),
        ("SELECT * FROM nope", "no table"),
    ],
)
async def test_sql_that_may_not_run_keeps_nothing(sales: Path, tmp_path: Path, sql: str, why: str):
    async with open_queries(tmp_path) as queries:
        with pytest.raises(QueryRefusedError, match=why):
            await queries.query(str(sales), sql)
        assert await queries.results.listed() == []


async def test_unknown_sources_and_results_say_what_to_do(sales: Path, tmp_path: Path):
    spec = SourceSpec(name="shop", kind="files", location=str(sales))
    async with open_queries(tmp_path, spec) as queries:
        with pytest.raises(NotFoundError, match="Did you mean 'shop'"):
            await queries.query("shops", "SELECT 1")
        with pytest.raises(NotFoundError, match="Run the query again"):
            await queries.query("results", "SELECT * FROM r_000000000000")
        with pytest.raises(QueryRefusedError, match="names 0"):
            await queries.query("results", "SELECT 1")


@pytest.mark.parametrize("limits", [QueryLimits(timeout_s=0), QueryLimits(rows_max=10**9)])
async def test_limits_beyond_reason_are_refused(sales: Path, tmp_path: Path, limits: QueryLimits):
    async with open_queries(tmp_path) as queries:
        with pytest.raises(ValidationError):
            await queries.query(str(sales), "SELECT 1", limits)


async def test_a_results_id_in_a_text_is_no_table(sales: Path, tmp_path: Path):
    async with open_queries(tmp_path) as queries:
        kept = await queries.query(str(sales), "SELECT amount FROM sales")
        sql = f"SELECT 'r_000000000000' AS t, sum(amount) AS n FROM {kept.result_id}"
        assert await rows_of(queries, "results", sql) == (("r_000000000000", 42),)
        with pytest.raises(NotFoundError, match="There is no result 'r_000000000000'"):
            await queries.query("results", "SELECT * FROM r_000000000000")
        with pytest.raises(QueryRefusedError, match="this one names 0"):
            await queries.query("results", f"SELECT '{kept.result_id}' AS t")


@pytest.mark.parametrize("name", ["", "  "])
async def test_no_name_is_no_source(sales: Path, tmp_path: Path, name: str):
    async with open_queries(tmp_path) as queries:
        with pytest.raises(ValidationError, match="No source is named"):
            await queries.query(name, "SELECT 1")


async def test_a_file_that_is_no_table_says_why_when_it_is_asked(sales: Path, tmp_path: Path):
    (sales.parent / "nothing.csv").write_text("")
    async with open_queries(tmp_path) as queries:
        with pytest.raises(QueryRefusedError, match=r"nothing\.csv: it is empty"):
            await queries.query(str(sales.parent), "SELECT * FROM nothing")


async def test_a_file_called_results_is_asked_by_its_path(tmp_path: Path):
    file = tmp_path / "results.csv"
    file.write_text("a\n7\n")
    async with open_queries(tmp_path) as queries:
        assert await rows_of(queries, str(file), "SELECT a FROM results") == ((7,),)


async def test_sqlites_own_table_functions_work_and_others_are_refused(tmp_path: Path):
    sqlite3.connect(tmp_path / "x.db").execute("CREATE TABLE t (j)").connection.close()
    async with open_queries(tmp_path) as queries:
        source = str(tmp_path / "x.db")
        assert await rows_of(queries, source, "SELECT sum(value) FROM json_each('[1,2]')") == (
            (3,),
        )
        with pytest.raises(QueryRefusedError, match="GenerateSeries"):
            await queries.query(source, "SELECT value FROM generate_series(1, 3)")


async def test_a_very_wide_file_is_described_by_its_first_columns(sales: Path, tmp_path: Path):
    wide = sales.with_name("wide.csv")
    wide.write_text(",".join(f"c{n}" for n in range(3_000)) + "\n" + ",".join(["1"] * 3_000))
    async with open_queries(tmp_path) as queries:
        opened = await queries.open_source(str(wide))
        (table,) = (await opened.catalogue.get()).tables
        seen = await queries.profile(opened, table, DESCRIBE_SAMPLE_ROWS)
        assert len(table.columns) == 3_000
        assert [one.name for one in seen] == [f"c{n}" for n in range(PROFILE_COLUMNS_MAX)]


async def test_the_time_of_a_query_holds_for_all_that_comes_before_it(sales: Path, tmp_path: Path):
    """A worker has to be started and the tables read first, which takes longer than this."""
    async with open_queries(tmp_path) as queries:
        with pytest.raises(QueryFailedError, match=r"within 0\.\d+ s"):
            await queries.query(str(sales), "SELECT * FROM sales", QueryLimits(timeout_s=0.02))
        with pytest.raises(QueryFailedError, match=r"within 0\.\d+ s"):
            await queries.check(str(sales), "SELECT * FROM sales", 0.02)
        with pytest.raises(QueryFailedError, match=r"within 0\.\d+ s"):
            await queries.load_catalogue(str(sales), 0.02)
        # What was being read meanwhile is there for the next one.
        assert await rows_of(queries, str(sales), "SELECT amount FROM sales") == ((10,), (32,))


async def test_a_profile_counts_all_rows_where_that_is_cheap(tmp_path: Path):
    file = tmp_path / "n.csv"
    file.write_text("v\n" + "".join(f"{n}\n" for n in range(1, 40_001)))
    async with open_queries(tmp_path) as queries:
        opened = await queries.open_source(str(file))
        table = (await opened.catalogue.get()).tables[0]
        (seen,) = await queries.profile(opened, table, PROFILE_SAMPLE_ROWS)
    assert (seen.minimum, seen.maximum, seen.mean, seen.is_whole) == ("1", "40000", 20000.5, True)


def test_figures_of_a_sample_are_marked_each():
    column = Column(name="v", type="BIGINT", kind="integer")
    table = Table(name="n", columns=(column,), rows=334_000)
    seen = ColumnProfile(
        name="v", nulls_fraction=0.01, distinct=99, minimum="2060", maximum="317440"
    )
    sampled = render_table(table, [seen], None, profile=True)
    assert "v,BIGINT,,~1.0%,~99,<=2060,>=317440," in sampled
    whole = render_table(table, [replace(seen, is_whole=True)], None, profile=True)
    assert "v,BIGINT,,1.0%,~99,2060,317440," in whole
