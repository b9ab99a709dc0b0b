"""Analytical queries give the same columns and rows with the guard as without it."""

import pytest
from sql_analytical import analytical, analytical_catalogue, make_tables, refusal_of
from sql_data import ENGINES, Engine
from sql_engines import Shop
from sql_same import same

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.guard import check

pytestmark = pytest.mark.timeout(300)

_COUNTS: dict[Engine, int] = {"duckdb": 50, "sqlite": 40, "postgres": 30, "mysql": 30}


def test_there_are_a_hundred_and_fifty_queries() -> None:
    for engine in ENGINES:
        queries = analytical(engine)
        assert len(queries) == len(set(queries)) >= _COUNTS[engine]


@pytest.mark.requirement("F5-honest")
def test_every_analytical_query_gives_the_same_columns_and_rows_as_without_the_guard(
    shop: Shop,
) -> None:
    make_tables(shop.engine, shop.connection)  # type: ignore[attr-defined]
    known = analytical_catalogue(shop.engine)
    wrong: list[str] = []
    for sql in analytical(shop.engine):
        offered = refusal_of(shop.engine, sql)
        try:
            checked = check(sql, known)
        except QueryRefusedError as error:
            if offered is None or offered not in str(error):
                wrong.append(f"{sql}\n  refused: {error}")
            continue
        if offered is not None:
            wrong.append(f"{sql}\n  is not refused any more: {offered}")
            continue
        wrong += _different(shop, sql, checked.sql)
    assert not wrong, "\n".join((f"{len(wrong)} of them:", *wrong))


def _different(shop: Shop, sql: str, guarded: str) -> list[str]:
    columns, rows = shop.asked(sql)
    try:
        theirs, answered = shop.asked(guarded)
    except Exception as error:  # noqa: BLE001 - whatever an engine's driver raises
        return [f"{sql}\n  ran as {guarded}\n  {error}"]
    if columns != theirs:
        return [f"{sql}\n  ran as {guarded}\n  columns {columns} and {theirs}"]
    difference = same(rows, answered)
    return [f"{sql}\n  ran as {guarded}\n  {difference}"] if difference else []
