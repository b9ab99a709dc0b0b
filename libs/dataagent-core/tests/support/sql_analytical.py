"""Analytical queries of `analytical/`, one file for each engine, and the tables they need more.

A query ends at a blank line. They run over the shop of `sql_data.py` and the tables made here.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from sql_data import Engine, catalogue

from dataagent_core.tools.data.data_model import Catalogue, Column, ColumnKind, Table

_FOLDER = Path(__file__).parent / "analytical"
_DESCRIBES = "data_describe tells what a table holds"
# Honest queries that are refused all the same: the first words, and what is offered instead.
REFUSED: dict[Engine, dict[str, str]] = {
    "duckdb": {
        "EXPLAIN SELECT": "sql_check tells what a query would cost",
        "SUMMARIZE": "data_describe with profile=true tells what a table's columns hold",
        "DESCRIBE": _DESCRIBES,
    },
    "sqlite": {
        "EXPLAIN QUERY PLAN": "sql_check tells what a query would cost",
        # A table called like a function: `notes MATCH '...'` says the same.
        "SELECT rowid, title FROM notes('quarter*')": "functions that only compute from data",
    },
    "postgres": {
        "EXPLAIN": "sql_check tells what a query would cost",
        "SELECT U&": "write the characters themselves",
    },
    "mysql": {
        "SHOW": "data_list_sources and data_search_catalog tell what there is",
        "SELECT _utf8mb4": "A character set before a string cannot be used here: leave it out",
    },
}

_SALES_ROWS = """
(1, 100.50, '北', 'a', 1.5), (2, 20.25, '南', 'b', 2.5), (3, 7.00, '北', NULL, 3.5)
"""
_SALES = '"Sales 2024" ("Order No" int, "Net Amount" {}, "地区" {}, "select" {}, "Größe" {})'
_MADE: dict[Engine, tuple[str, ...]] = {
    "duckdb": (
        f"CREATE TABLE {_SALES.format('decimal(10,2)', 'varchar', 'varchar', 'double')}",
        f'INSERT INTO "Sales 2024" VALUES {_SALES_ROWS}',
        "CREATE TABLE prices AS SELECT s AS symbol, TIMESTAMP '2024-01-01 09:00:00' + to_minutes(10 * i) AS seen, 100.0 + i AS price FROM range(6) t(i), (VALUES ('A'), ('B')) v(s)",
        "CREATE TABLE trades AS SELECT s AS symbol, TIMESTAMP '2024-01-01 09:03:00' + to_minutes(7 * i) AS seen, 5 + i AS qty FROM range(6) t(i), (VALUES ('A'), ('B')) v(s)",
        "CREATE TABLE nested AS SELECT {'sku': 'x' || i, 'price': i * 1.5} AS item, i AS qty, [{'sku': 'p' || (i % 2), 'n': i}] AS parts, MAP {'colour': 'red', 'size': 'M'} AS props FROM range(1, 4) t(i)",
    ),
    "sqlite": (
        f"CREATE TABLE {_SALES.format('real', 'text', 'text', 'real')}",
        f'INSERT INTO "Sales 2024" VALUES {_SALES_ROWS}',
        "CREATE VIRTUAL TABLE notes USING fts5(title, body)",
        """INSERT INTO notes VALUES ('report one', 'net revenue of the first quarter'),
        ('report two', 'profit and loss'), ('minutes', 'quarterly revenue, net revenue and profit')""",
    ),
    "postgres": (
        f"CREATE TABLE {_SALES.format('numeric(10,2)', 'text', 'text', 'float8')}",
        f'INSERT INTO "Sales 2024" VALUES {_SALES_ROWS}',
    ),
    "mysql": (
        f"CREATE TABLE {_SALES.format('decimal(10,2)', 'varchar(9)', 'varchar(9)', 'double')} DEFAULT CHARSET utf8mb4".replace('"', "`"),
        f"INSERT INTO `Sales 2024` VALUES {_SALES_ROWS}",
    ),
}  # fmt: skip
_SALES_COLUMNS: dict[str, ColumnKind] = {
    "Order No": "integer",
    "Net Amount": "decimal",
    "地区": "text",
    "select": "text",
    "Größe": "float",
}
_OTHERS: dict[Engine, dict[str, dict[str, ColumnKind]]] = {
    "duckdb": {
        "prices": {"symbol": "text", "seen": "timestamp", "price": "decimal"},
        "trades": {"symbol": "text", "seen": "timestamp", "qty": "integer"},
        "nested": {"item": "nested", "qty": "integer", "parts": "nested", "props": "nested"},
    },
    "sqlite": {"notes": {"title": "text", "body": "text"}},
}


def analytical(engine: Engine) -> list[str]:
    """List the queries of one engine."""
    text = (_FOLDER / f"{engine}.sql").read_text(encoding="utf-8")
    return [query.strip() for query in text.split("\n\n")]


def refusal_of(engine: Engine, sql: str) -> str | None:
    """Give what is offered instead of a query that is refused; None for all that may run."""
    return next((why for words, why in REFUSED[engine].items() if sql.startswith(words)), None)


def make_tables(engine: Engine, connection: Any) -> None:
    """Make the tables that the shop has not."""
    run = connection.cursor().execute if engine == "mysql" else connection.execute
    for statement in _MADE[engine]:
        run(statement)


def analytical_catalogue(engine: Engine) -> Catalogue:
    """Describe the shop and the tables made here."""
    shop = catalogue(engine)
    more = {"Sales 2024": _SALES_COLUMNS, **_OTHERS.get(engine, {})}
    tables = tuple(
        Table(
            name=name,
            schema=shop.default_schema,
            columns=tuple(Column(name=c, type=kind, kind=kind) for c, kind in columns.items()),
        )
        for name, columns in more.items()
    )
    return replace(shop, tables=(*shop.tables, *tables))
