"""A relation that is not from many to one is found out before a number is wrong."""

import sqlite3
from pathlib import Path

import pytest
from query_services import open_queries

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.agent_tools.metric_tool import parse_metric_query, run_metric_query
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_core.tools.data.semantic import parse_model
from dataagent_core.tools.data.sources.source_kinds import make_source_spec

MODEL = parse_model(
    """
datasets:
  - {name: orders, source: shop}
  - {name: customers, source: shop, dimensions: [{name: segment}]}
relations: [{from: orders, to: customers, on: {customer: id}}]
metrics: [{name: revenue, dataset: orders, expr: sum(amount)}]
""",
    "the model",
)
BY_SEGMENT = parse_metric_query({"metrics": ["revenue"], "dimensions": ["segment"]})


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "orders.csv").write_text("customer,amount\n1,10\n2,20\n,5\n")
    # Keys that are missing join nothing, however many there are.
    (folder / "customers.csv").write_text("id,segment\n1,A\n2,B\n,C\n,D\n")
    return folder


async def test_a_doubled_key_is_refused_by_its_name_and_a_clean_table_is_asked(
    shop: Path, tmp_path: Path
):
    async with open_queries(tmp_path, make_source_spec("shop", str(shop), None)) as queries:
        kept = await run_metric_query(queries, MODEL, BY_SEGMENT)
        page = await read_page(queries.results, kept.result_id, 0, 10)
        assert sorted(page.rows, key=str) == [("A", 10), ("B", 20), (None, 5)]
        opened = await queries.open_source("shop")
        assert len(opened.proven) == 1
        (shop / "customers.csv").write_text("id,segment\n1,A\n1,B\n2,A\n")
        opened.catalogue.forget()
        with pytest.raises(QueryRefusedError, match=r"customers\.id is not unique"):
            await run_metric_query(queries, MODEL, BY_SEGMENT)
        # Without the join nothing is doubled.
        await run_metric_query(queries, MODEL, parse_metric_query({"metrics": ["revenue"]}))


async def test_a_primary_key_needs_no_look(tmp_path: Path):
    database = sqlite3.connect(tmp_path / "shop.db")
    database.executescript(
        "CREATE TABLE orders (customer, amount); INSERT INTO orders VALUES (1, 10);"
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, segment);"
        "INSERT INTO customers VALUES (1, 'A');"
    )
    database.close()
    spec = make_source_spec("shop", str(tmp_path / "shop.db"), None)
    async with open_queries(tmp_path, spec) as queries:
        kept = await run_metric_query(queries, MODEL, BY_SEGMENT)
        assert (await read_page(queries.results, kept.result_id, 0, 10)).rows == (("A", 10),)
