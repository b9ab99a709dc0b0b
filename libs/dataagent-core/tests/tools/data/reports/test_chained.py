"""Reports over earlier results run again when these are gone: they keep the queries behind them."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from query_services import make_services

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.agent_tools import DataToolServices
from dataagent_core.tools.data.agent_tools.report_tool import make_report_maker, report_create
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.reports import (
    ReportMaker,
    make_self_contained,
    read_definition,
    run_report,
)
from dataagent_core.tools.data.reports.chained_queries import substitute_results
from dataagent_core.tools.data.reports.formats.markdown_report import render_markdown
from dataagent_core.tools.data.sources.source_kinds import make_source_spec


@pytest.fixture
async def services(tmp_path: Path, renderer: Renderer) -> AsyncIterator[DataToolServices]:
    write(tmp_path, "shop", "orders", "who,amount\nann,1\nbob,2\n")
    write(tmp_path, "crm", "people", "who,city\nann,Oslo\nbob,Bonn\n")
    specs = [make_source_spec(name, str(tmp_path / name), None) for name in ("shop", "crm")]
    services = make_services(tmp_path, *specs, renderer=renderer)
    yield services
    await services.aclose()


@pytest.fixture
def queries(services: DataToolServices) -> QueryService:
    return services.queries


@pytest.fixture
def maker(services: DataToolServices) -> ReportMaker:
    return make_report_maker(services.queries, services.load_model, services.renderer)


def write(folder: Path, source: str, table: str, text: str) -> None:
    (folder / source).mkdir(exist_ok=True)
    (folder / source / f"{table}.csv").write_text(text)


async def joined(queries: QueryService) -> tuple[str, str]:
    """Join the results of two sources, and count over that: three steps."""
    orders = await queries.query("shop", "SELECT * FROM orders")
    people = await queries.query("crm", "SELECT * FROM people")
    both = await queries.query(
        "results",
        f"SELECT city, {orders.result_id}.amount FROM {orders.result_id} "
        f"JOIN {people.result_id} p ON p.who = {orders.result_id}.who",
    )
    sums = await queries.query(
        "results", f"SELECT city, sum(amount) AS money FROM {both.result_id} GROUP BY city"
    )
    return both.result_id, sums.result_id


async def forget(queries: QueryService, *spared: str) -> None:
    for kept in await queries.results.listed():
        if kept.result_id not in spared:
            await queries.results.remove(kept.result_id)


async def created(services: DataToolServices, result_id: str, **given: Any) -> str:
    """Let a model create a report of a result; give what it is told."""
    blocks = [{"type": "table", "query": result_id}]
    arguments = {"title": "Money", "blocks": blocks, "formats": ["md"], **given}
    return await report_create.bind(services).ainvoke(arguments)


@pytest.mark.parametrize("early", [False, True])
async def test_a_report_over_results_runs_again_after_they_expired(
    services: DataToolServices,
    queries: QueryService,
    maker: ReportMaker,
    tmp_path: Path,
    early: bool,
):
    both, sums = await joined(queries)
    if early:
        # What a result was made from expires before it does.
        await forget(queries, sums)
    before = len(await queries.results.listed())
    told = await created(services, sums)
    assert told.endswith("runs it again with fresh data.")
    assert len(await queries.results.listed()) == before
    shown = (tmp_path / "reports" / "money.md").read_text()
    assert ('FROM "orders"' in shown) is not early
    await forget(queries)
    write(tmp_path, "shop", "orders", "who,amount\nann,40\nbob,2\n")
    definition = read_definition((tmp_path / "reports" / "money.yml").read_text())
    assert both not in str(definition)
    assert len(definition.queries) == 4
    again = await run_report(definition, maker)
    assert "| Oslo | 40 |" in render_markdown(again, "files")
    assert "| Bonn | 2 |" in render_markdown(again, "files")
    assert [name for name, _ in again.results] == list(definition.queries)


async def test_what_is_a_table_of_another_query_is_read_to_its_end(
    services: DataToolServices, queries: QueryService, maker: ReportMaker, tmp_path: Path
):
    write(tmp_path, "shop", "many", "n\n" + "".join(f"{n}\n" for n in range(10_500)))
    limits = QueryLimits(rows_max=20_000)
    many = await queries.query("shop", "SELECT n FROM many", limits)
    count = await queries.query("results", f"SELECT count(*) AS n FROM {many.result_id}")
    await created(services, count.result_id)
    await forget(queries)
    definition = read_definition((tmp_path / "reports" / "money.yml").read_text())
    assert "| 10,500 |" in render_markdown(await run_report(definition, maker), "files")


HANDMADE = """
title: By hand
parameters: {least: {type: number, default: 2}}
queries:
  total: {source: results, sql: "SELECT sum(o.amount) AS money, count(*) AS n FROM Orders o JOIN people USING (who) WHERE amount >= {{least}}"}
  orders: {source: shop, sql: SELECT * FROM orders}
  people: {source: crm, sql: SELECT * FROM people}
blocks: [{type: table, query: total}]
"""


async def test_a_query_may_be_over_the_reports_other_queries(maker: ReportMaker):
    report = await run_report(read_definition(HANDMADE), maker)
    assert "| 2 | 1 |" in render_markdown(report, "files")


async def test_a_definition_that_names_a_result_gets_its_query(
    queries: QueryService, maker: ReportMaker
):
    kept = await queries.query("shop", "SELECT * FROM orders")
    text = HANDMADE.replace("FROM Orders o JOIN people USING (who)", f"FROM {kept.result_id} o")
    whole = await make_self_contained(read_definition(text), queries.results)
    assert whole.queries["from1_shop"].source == "shop"
    assert await make_self_contained(whole, queries.results) is whole
    await forget(queries)
    assert "| 2 | 1 |" in render_markdown(await run_report(whole, maker), "files")


async def test_a_result_nobody_knows_is_said_to_be_gone_when_kept_and_when_run(
    queries: QueryService, maker: ReportMaker
):
    text = HANDMADE.replace("FROM Orders o JOIN people USING (who)", "FROM r_0123456789ab o")
    for trying in (
        make_self_contained(read_definition(text), queries.results),
        run_report(read_definition(text), maker),
    ):
        with pytest.raises(ValidationError, match="'total' of the report is over an earlier") as no:
            await trying
        assert "kept for 7 days" in str(no.value)
        assert "r_0123456789ab" in str(no.value)


async def test_queries_over_each_other_are_refused(maker: ReportMaker):
    text = """
    title: Round
    queries:
      a: {source: results, sql: SELECT * FROM b}
      b: {source: results, sql: SELECT * FROM a}
    blocks: [{type: table, query: a}]
    """
    with pytest.raises(ValidationError, match="a, b are over each other"):
        await run_report(read_definition(text), maker)


def test_names_of_queries_stay_what_columns_call_their_tables():
    sql = "WITH b AS (SELECT a.x FROM a) SELECT a.x, b.x FROM a, b, c AS d"
    assert substitute_results(sql, {"a": "r_1", "b": "r_2", "c": "r_3"}) == (
        'WITH "b" AS (SELECT "a"."x" FROM "r_1" AS "a") '
        'SELECT "a"."x", "b"."x" FROM "r_1" AS "a", "b", "r_3" AS "d"'
    )


async def test_braces_in_what_a_model_writes_are_text(
    services: DataToolServices, queries: QueryService, maker: ReportMaker, tmp_path: Path
):
    kept = await queries.query("shop", "SELECT '{{ user }}' AS word FROM orders")
    text = {"type": "text", "markdown": "Dear {{ user }}, {{ amount }} it is."}
    blocks = [text, {"type": "table", "query": kept.result_id}]
    await created(services, kept.result_id, title="For {{ user }}", blocks=blocks)
    (file,) = (tmp_path / "reports").glob("*.yml")
    again = render_markdown(await run_report(read_definition(file.read_text()), maker), "files")
    assert again.count("user") >= 4
    assert "it is." in again
