"""Makes the shop with DuckDB, from a fixed seed: each value is a hash of its row's number.

A hash needs no order and no state, so the rows do not depend on the number of threads. The data has
the errors of real tables: missing e-mails, a few duplicate orders, negative quantities for returns,
cities in three spellings, wrong prices.
"""

from dataclasses import dataclass
from pathlib import Path

import duckdb

YEAR = 2025


@dataclass(frozen=True, slots=True)
class ShopSize:
    """The number of rows of each table; an order has about three lines."""

    customers: int = 20_000
    products: int = 1_000
    orders: int = 334_000
    events: int = 500_000


_NUMBER = "(hash({row} * 7919 + {salt}) >> 11) / 9007199254740992.0"


def _draw(row: str, salt: int) -> str:
    """Write an expression between 0 and 1 from the row's number and the salt."""
    return _NUMBER.format(row=row, salt=salt)


def _pick(values: tuple[str, ...], row: str, salt: int) -> str:
    listed = ", ".join(f"'{value}'" for value in values)
    return f"([{listed}])[1 + CAST(floor({_draw(row, salt)} * {len(values)}) AS INTEGER)]"


_CITIES = ("Shanghai", "Beijing", "Shenzhen", "Chengdu", "Hangzhou", "Berlin", "Paris", "Austin")
_FAMILY = ("Wang", "Li", "Zhang", "Chen", "Müller", "Martin", "Smith", "Garcia", "Sato", "Kim")
_GIVEN = ("Wei", "Fang", "Min", "Jing", "Anna", "Louis", "Emma", "Noah", "Yuki", "Lena")
_CATEGORIES = ("Books", "Electronics", "Garden", "Grocery", "Home", "Sports", "Toys")
_CHANNELS = ("web", "app", "store")
_EVENTS = ("view", "view", "view", "view", "search", "cart", "checkout")


def make_shop(folder: Path, size: ShopSize | None = None) -> dict[str, int]:
    """Write five Parquet files into a folder and return the rows of each."""
    size = size or ShopSize()
    folder.mkdir(parents=True, exist_ok=True)
    counts: dict[str, int] = {}
    with duckdb.connect() as database:
        database.execute("SET preserve_insertion_order = true; SET enable_progress_bar = false")
        for name, select in _list_tables(size).items():
            database.execute(f"CREATE TABLE {name} AS {select}")
            target = str(folder / f"{name}.parquet").replace("'", "''")
            database.execute(f"COPY {name} TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
            row = database.execute(f"SELECT count(*) FROM {name}").fetchone()
            counts[name] = row[0] if row else 0
    return counts


def _list_tables(size: ShopSize) -> dict[str, str]:
    return {
        "customers": _write_customers(size),
        "products": _write_products(size),
        "orders": _write_orders(size),
        "order_lines": _write_order_lines(size),
        "events": _write_events(size),
    }


def _write_customers(size: ShopSize) -> str:
    return f"""
        SELECT i AS customer_id,
               {_pick(_GIVEN, "i", 1)} || ' ' || {_pick(_FAMILY, "i", 2)} AS full_name,
               CASE WHEN {_draw("i", 3)} < 0.04 THEN NULL
                    ELSE 'customer' || i || '@example.com' END AS email,
               CASE WHEN {_draw("i", 4)} < 0.02 THEN upper({_pick(_CITIES, "i", 5)})
                    WHEN {_draw("i", 4)} < 0.03 THEN ' ' || {_pick(_CITIES, "i", 5)}
                    ELSE {_pick(_CITIES, "i", 5)} END AS city,
               DATE '{YEAR - 3}-01-01' + CAST(floor({_draw("i", 6)} * 1400) AS INTEGER)
                   AS registered_on,
               {_draw("i", 7)} < 0.3 AS is_member
        FROM range(1, {size.customers} + 1) AS t(i)"""


def _write_products(size: ShopSize) -> str:
    return f"""
        SELECT i AS product_id,
               {_pick(_CATEGORIES, "i", 11)} AS category,
               {_pick(_CATEGORIES, "i", 11)} || ' item ' || i AS product_name,
               CAST(CASE WHEN {_draw("i", 12)} < 0.003 THEN 0
                         ELSE 2 + pow({_draw("i", 13)}, 3) * 400 END AS DECIMAL(10, 2))
                   AS list_price,
               CAST((2 + pow({_draw("i", 13)}, 3) * 400)
                    * (0.4 + 0.3 * {_draw("i", 14)}) AS DECIMAL(10, 2)) AS unit_cost
        FROM range(1, {size.products} + 1) AS t(i)"""


def _write_orders(size: ShopSize) -> str:
    # More towards the end of the year; some customers buy much more than others.
    day = f"CAST(floor(365 * pow({_draw('i', 21)}, 0.85)) AS INTEGER)"
    customer = f"1 + CAST(floor(pow({_draw('i', 22)}, 2) * {size.customers}) AS INTEGER)"
    return f"""
        SELECT CASE WHEN {_draw("i", 23)} < 0.0005 THEN i - 1 ELSE i END AS order_id,
               {customer} AS customer_id,
               CAST(DATE '{YEAR}-01-01' + {day} AS TIMESTAMP)
                   + to_seconds(CAST(floor({_draw("i", 24)} * 86400) AS INTEGER)) AS ordered_at,
               {_pick(_CHANNELS, "i", 25)} AS channel,
               CASE WHEN {_draw("i", 26)} < 0.03 THEN 'cancelled'
                    WHEN {_draw("i", 26)} < 0.06 THEN 'returned' ELSE 'completed' END AS status
        FROM range(1, {size.orders} + 1) AS t(i)"""


def _write_order_lines(size: ShopSize) -> str:
    row = "(o.order_id * 8 + n)"
    product = f"1 + CAST(floor(pow({_draw(row, 32)}, 1.6) * {size.products}) AS INTEGER)"
    return f"""
        WITH chosen AS (
            SELECT o.order_id, o.status, n, {row} AS i, {product} AS product_id
            FROM (SELECT DISTINCT order_id, status FROM orders) AS o
            CROSS JOIN (SELECT unnest([1, 2, 3, 4, 5]) AS n)
            WHERE n <= 1 + CAST(floor({_draw("o.order_id", 31)} * 5) AS INTEGER))
        SELECT c.order_id, c.n AS line_no, c.product_id,
               CASE WHEN c.status = 'returned' THEN -1 ELSE 1 END
                   * (1 + CAST(floor(pow({_draw("c.i", 33)}, 3) * 5) AS INTEGER)) AS quantity,
               CAST(p.list_price * CASE WHEN {_draw("c.i", 34)} < 0.2 THEN 0.9 ELSE 1 END
                    AS DECIMAL(10, 2)) AS unit_price
        FROM chosen AS c JOIN products AS p USING (product_id)
        ORDER BY c.order_id, c.n"""


def _write_events(size: ShopSize) -> str:
    return f"""
        SELECT i AS event_id,
               1 + CAST(floor(pow({_draw("i", 41)}, 2) * {size.customers}) AS INTEGER)
                   AS customer_id,
               {_pick(_EVENTS, "i", 42)} AS event_type,
               TIMESTAMP '{YEAR}-01-01'
                   + to_seconds(CAST(floor({_draw("i", 43)} * 31536000) AS INTEGER))
                   AS happened_at,
               CASE WHEN {_draw("i", 44)} < 0.4 THEN NULL
                    ELSE 1 + CAST(floor({_draw("i", 45)} * 1000) AS INTEGER) END AS product_id
        FROM range(1, {size.events} + 1) AS t(i)"""
