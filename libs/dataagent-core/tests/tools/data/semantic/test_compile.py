"""Metrics by dimensions give what SQL written by hand gives, and never count a row twice."""

import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dataagent_core.errors import ConfigurationError, NotFoundError, QueryRefusedError
from dataagent_core.tools.data.data_model import Dialect
from dataagent_core.tools.data.sample import ShopSize, make_shop
from dataagent_core.tools.data.semantic import (
    Filter,
    MetricQuery,
    SemanticModel,
    load_model,
    parse_model,
)
from dataagent_core.tools.data.semantic.metric_sql import compile_metrics

MODEL = """
datasets:
  - {name: lines, source: shop, table: order_lines}
  - name: orders
    source: shop
    dimensions:
      - {name: channel, synonyms: [渠道]}
      - {name: ordered_at, type: time}
      - {name: is_web, expr: channel = 'web', type: boolean}
  - {name: products, source: shop, dimensions: [{name: category}]}
  - {name: customers, source: shop, dimensions: [{name: city}]}
  - {name: events, source: shop, dimensions: [{name: event_type}]}
relations:
  - {from: lines, to: orders, on: {order_id: order_id}}
  - {from: lines, to: products, on: {product_id: product_id}}
  - {from: orders, to: customers, on: {customer_id: customer_id}}
metrics:
  - {name: revenue, dataset: lines, expr: sum(quantity * unit_price), synonyms: [收入]}
  - {name: returns, dataset: lines, expr: count(*), filter: quantity < 0}
  - {name: buyers, dataset: orders, expr: count(distinct customer_id), filter: status = 'completed'}
  - {name: lines_sold, dataset: lines, expr: count(*)}
  - {name: pairs, dataset: lines, expr: "count(distinct order_id, product_id)", filter: quantity > 2}
  - {name: middle, dataset: lines, expr: "quantile_cont(quantity, 0.5)", filter: quantity > 2}
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> SemanticModel:
    folder = tmp_path_factory.mktemp("semantic")
    (folder / "shop.yml").write_text(MODEL, encoding="utf-8")
    return load_model(folder)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    folder = tmp_path_factory.mktemp("shop")
    make_shop(folder, ShopSize(customers=200, products=50, orders=1_000, events=100))
    database = duckdb.connect()
    for file in folder.glob("*.parquet"):
        database.execute(f"CREATE TABLE {file.stem} AS SELECT * FROM '{file}'")
    # A doubled order is dirt in the sample; relations promise one.
    database.execute(
        "CREATE OR REPLACE TABLE orders AS SELECT DISTINCT ON (order_id) * FROM orders"
    )
    return database


def rows(shop: Any, model: SemanticModel, **query: Any) -> list[tuple[Any, ...]]:
    return shop.execute(compile_metrics(model, MetricQuery(**query), "duckdb")).fetchall()


def test_a_metric_by_a_dimension_of_another_dataset(shop: Any, model: SemanticModel):
    ours = rows(shop, model, metrics=("revenue",), dimensions=("category",))
    by_hand = shop.execute(
        "SELECT category, sum(quantity * unit_price) FROM order_lines LEFT JOIN products "
        "USING (product_id) GROUP BY 1 ORDER BY 1"
    ).fetchall()
    assert ours == by_hand


@pytest.mark.requirement("F5-4")
def test_a_metric_over_two_joins_and_a_grain(shop: Any, model: SemanticModel):
    ours = rows(
        shop,
        model,
        metrics=("revenue", "lines_sold"),
        dimensions=("city", "ordered_at"),
        grain="quarter",
    )
    by_hand = shop.execute(
        "SELECT city, CAST(date_trunc('quarter', ordered_at) AS DATE), "
        "sum(quantity * unit_price), count(*) FROM order_lines LEFT JOIN orders USING (order_id) "
        "LEFT JOIN customers USING (customer_id) GROUP BY 1, 2 ORDER BY 1, 2"
    ).fetchall()
    assert ours == by_hand


def test_a_filtered_metric_counts_only_its_rows(shop: Any, model: SemanticModel):
    assert (
        rows(shop, model, metrics=("returns",))
        == shop.execute("SELECT count(*) FROM order_lines WHERE quantity < 0").fetchall()
    )
    assert (
        rows(shop, model, metrics=("buyers",), dimensions=("渠道",))
        == shop.execute(
            "SELECT channel, count(DISTINCT customer_id) FROM orders WHERE status = 'completed' "
            "GROUP BY 1 ORDER BY 1"
        ).fetchall()
    )


def test_filters_narrow_the_rows_and_top_orders_them(shop: Any, model: SemanticModel):
    ours = rows(
        shop,
        model,
        metrics=("收入",),
        dimensions=("category",),
        filters=(
            Filter(dimension="channel", op="in", value=["web", "app"]),
            Filter(dimension="ordered_at", op="between", value=["2025-01-01", "2025-06-30"]),
        ),
        top=3,
    )
    by_hand = shop.execute(
        "SELECT category, sum(quantity * unit_price) AS r FROM order_lines LEFT JOIN orders "
        "USING (order_id) LEFT JOIN products USING (product_id) WHERE channel IN ('web', 'app') "
        "AND ordered_at BETWEEN '2025-01-01' AND '2025-06-30' GROUP BY 1 ORDER BY r DESC LIMIT 3"
    ).fetchall()
    assert ours == by_hand


def test_a_filters_value_is_a_value_and_never_sql(shop: Any, model: SemanticModel):
    evil = "x' OR 1=1 --"
    ours = rows(
        shop,
        model,
        metrics=("lines_sold",),
        filters=(Filter(dimension="category", op="=", value=evil),),
    )
    assert ours == [(0,)]


@pytest.mark.parametrize("grain", ["day", "week", "month", "quarter", "year"])
def test_a_grain_is_the_same_in_sqlite(shop: Any, model: SemanticModel, grain: Any):
    other = sqlite3.connect(":memory:")
    other.execute("CREATE TABLE orders (order_id, customer_id, ordered_at TEXT, channel, status)")
    for row in shop.execute("SELECT * FROM orders").fetchall():
        values = [*row[:2], str(row[2]), *row[3:]]
        other.execute("INSERT INTO orders VALUES (?, ?, ?, ?, ?)", values)
    query = MetricQuery(metrics=("buyers",), dimensions=("ordered_at",), grain=grain)
    theirs = other.execute(compile_metrics(model, query, "sqlite")).fetchall()
    ours = shop.execute(compile_metrics(model, query, "duckdb")).fetchall()
    assert theirs == [(str(day), count) for day, count in ours]


@pytest.mark.parametrize("dialect", ["postgres", "mysql", "snowflake", "bigquery", "trino"])
def test_every_dialect_is_written_and_can_be_read_again(model: SemanticModel, dialect: Dialect):
    import sqlglot

    query = MetricQuery(metrics=("revenue",), dimensions=("ordered_at", "category"), grain="month")
    assert sqlglot.parse_one(compile_metrics(model, query, dialect), dialect=dialect)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ({"metrics": ("revenu",)}, "Did you mean 'revenue'"),
        ({"metrics": ("revenue",), "dimensions": ("categry",)}, "Did you mean 'category'"),
        ({"metrics": ()}, "at least one metric"),
        ({"metrics": ("revenue", "buyers")}, "one after the other"),
        ({"metrics": ("buyers",), "dimensions": ("category",)}, "without counting rows twice"),
        ({"metrics": ("revenue",), "dimensions": ("event_type",)}, "without counting rows twice"),
        (
            {
                "metrics": ("revenue",),
                "filters": (Filter(dimension="category", op="between", value=["a"]),),
            },
            "between takes two values",
        ),
    ],
)
def test_what_cannot_be_answered_says_why(model: SemanticModel, query: dict[str, Any], why: str):
    with pytest.raises((QueryRefusedError, NotFoundError), match=why):
        compile_metrics(model, MetricQuery(**query), "duckdb")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("datasets: 3", "'datasets' is not one of"),
        ("metricks: []", "'metricks' is not one of"),
        ("- 1", "must hold datasets"),
        ("datasets: [{name: a, source: s, tabel: x}]", "tabel"),
        ("metrics: [{name: m, dataset: nope, expr: count(*)}]", "no dataset"),
        ("datasets: [{name: a, source: s}, {name: a, source: s}]", "two datasets named 'a'"),
        ("a: [", "cannot be read as YAML"),
        ("datasets: " + "[" * 3_000 + "]" * 3_000, "nested more than 30 deep"),
        ("datasets: &a [1]\nmetrics: *a", "aliases"),
        ("datasets: [{name: 'a b', source: s}]", "name"),
    ],
)
def test_a_wrong_file_is_named_with_what_is_wrong(tmp_path: Path, text: str, why: str):
    (tmp_path / "x.yml").write_text(text)
    with pytest.raises(ConfigurationError, match=why):
        load_model(tmp_path)


def test_a_metric_that_adds_nothing_up_is_refused(tmp_path: Path):
    (tmp_path / "x.yml").write_text(
        "datasets: [{name: a, source: s}]\nmetrics: [{name: m, dataset: a, expr: price}]"
    )
    with pytest.raises(ConfigurationError, match="adds nothing up"):
        compile_metrics(load_model(tmp_path), MetricQuery(metrics=("m",)), "duckdb")


def test_distinct_pairs_of_some_rows_are_pairs(shop: Any, model: SemanticModel):
    expected = shop.execute(
        "SELECT count(DISTINCT (order_id, product_id)) FROM order_lines WHERE quantity > 2"
    ).fetchall()
    assert rows(shop, model, metrics=("pairs",)) == expected
    written = compile_metrics(model, MetricQuery(metrics=("pairs",)), "mysql")
    assert written.count("CASE WHEN") == 2


def test_a_filter_that_an_aggregate_cannot_take_is_refused(model: SemanticModel):
    with pytest.raises(ConfigurationError, match="with CASE"):
        compile_metrics(model, MetricQuery(metrics=("middle",)), "duckdb")


@pytest.mark.parametrize(
    ("op", "value", "condition"),
    [
        ("=", None, "city IS NULL"),
        ("!=", None, "city IS NOT NULL"),
        ("in", [None], "city IS NULL"),
        ("in", ["Berlin", None], "(city = 'Berlin' OR city IS NULL)"),
        ("not in", ["Berlin", None], "city <> 'Berlin' AND city IS NOT NULL"),
    ],
)
def test_null_in_a_filter_asks_whether_something_is_there(op: Any, value: Any, condition: str):
    model = parse_model(
        "datasets: [{name: c, source: s, dimensions: [{name: city}, {name: kind}]}]\n"
        "metrics: [{name: n, dataset: c, expr: count(*)}]",
        "m",
    )
    database = duckdb.connect()
    database.execute(
        "CREATE TABLE c AS SELECT * FROM (VALUES "
        "('Berlin', 'a'), ('Paris', 'a'), (NULL, 'a'), (NULL, 'b')) AS t(city, kind)"
    )
    filters = (
        Filter(dimension="city", op=op, value=value),
        Filter(dimension="kind", op="=", value="a"),
    )
    sql = compile_metrics(model, MetricQuery(metrics=("n",), filters=filters), "duckdb")
    by_hand = f"SELECT count(*) FROM c WHERE {condition} AND kind = 'a'"
    assert database.execute(sql).fetchall() == database.execute(by_hand).fetchall()


def test_null_is_not_larger_or_smaller(model: SemanticModel):
    filters = (Filter(dimension="category", op="<", value=None),)
    with pytest.raises(QueryRefusedError, match="does not take null"):
        compile_metrics(model, MetricQuery(metrics=("revenue",), filters=filters), "duckdb")
