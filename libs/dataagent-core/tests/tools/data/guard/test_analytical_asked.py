"""Analytical queries of a query service: guard, process, engine and the kept result together."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from query_services import open_queries
from sql_analytical import analytical, make_tables, refusal_of
from sql_data import Engine
from sql_engines import MariaDBShop, PostgreSQLShop, Shop, fill

from dataagent_core.errors import DataAgentError
from dataagent_core.tools.data.sources.source_spec import SourceKind, SourceSpec

pytestmark = [pytest.mark.timeout(300), pytest.mark.slow]

_KINDS: dict[Engine, SourceKind] = {
    "postgres": "postgres",
    "mysql": "mysql",
    "duckdb": "duckdb",
    "sqlite": "sqlite",
}
# Values that a result holds as they are; of others (lists, intervals, bytes) it has its own form.
_PLAIN = (str, int, float, Decimal, date, type(None))


def _source(shop: Shop, place: Path) -> SourceSpec:
    location = str(place / "shop.db")
    if shop.engine == "duckdb":
        location = str(place / "shop.duckdb")
        with duckdb.connect(location) as made:
            fill("duckdb", made.execute, made.executemany, "?")
            make_tables("duckdb", made)
    elif isinstance(shop, PostgreSQLShop | MariaDBShop):
        location = shop.url
    return SourceSpec(name="shop", kind=_KINDS[shop.engine], location=location)


async def test_every_analytical_query_asked_at_a_desk_gives_the_drivers_columns_and_rows(
    shop: Shop, folder: Path, tmp_path: Path
) -> None:
    make_tables(shop.engine, shop.connection)  # type: ignore[attr-defined]
    wrong: list[str] = []
    async with open_queries(tmp_path, _source(shop, folder / shop.engine)) as queries:
        for sql in analytical(shop.engine):
            if refusal_of(shop.engine, sql) is not None:
                continue
            try:
                kept = await queries.query("shop", sql)
            except DataAgentError as error:
                wrong.append(f"{sql}\n  {error}")
                continue
            columns, rows = shop.asked(sql)
            names = [column.name for column in kept.columns]
            if names != list(_numbered(columns)):
                wrong.append(f"{sql}\n  columns {columns} and {names}")
                continue
            table = pq.read_table(await queries.results.path(kept.result_id))
            plain = [n for n in range(len(columns)) if all(isinstance(r[n], _PLAIN) for r in rows)]
            expected = sorted(tuple(_plain(row[n]) for n in plain) for row in rows)
            held = [map(_plain, table.column(n).to_pylist()) for n in plain]
            answered = sorted(zip(*held, strict=True)) if plain else expected
            if expected != answered or table.num_rows != len(rows):
                wrong.append(f"{sql}\n  {expected}\n  {answered}")
    assert not wrong, "\n".join((f"{len(wrong)} of them:", *wrong))


def _numbered(names: list[str]) -> Iterator[str]:
    """Name columns as a result does, in which no two have the same name."""
    counts = Counter[str]()
    for name in names:
        counts[name] += 1
        yield name if counts[name] == 1 else f"{name}_{counts[name]}"


def _plain(value: Any) -> str:
    """Write a value so that those of a driver and of a result are alike and can be sorted."""
    if isinstance(value, (bool, int, float, Decimal)):
        return f"{float(value):.9g}"
    return str(value.replace(tzinfo=None)) if isinstance(value, datetime) else str(value)
