"""Honest queries give the same rows with the guard as without it, on the real engines."""

from collections import Counter

import pytest
from sql_data import ENGINES, catalogue
from sql_engines import Shop
from sql_honest import HONEST, honest
from sql_same import same

from dataagent_core.tools.data.guard import check
from dataagent_core.tools.data.guard.checked_sql import MANY

pytestmark = pytest.mark.timeout(300)


def test_there_are_three_hundred_queries_over_all_four_engines() -> None:
    counts = Counter(engine for engine, _ in HONEST)
    assert sum(counts.values()) >= 300
    assert all(counts[engine] >= 100 for engine in ENGINES)


@pytest.mark.requirement("F5-honest")
def test_every_honest_query_gives_the_same_rows_as_without_the_guard(shop: Shop) -> None:
    wrong: list[str] = []
    for sql in honest(shop.engine):
        checked = check(sql, catalogue(shop.engine))
        rows = shop.ask(sql)
        if difference := same(rows, shop.ask(checked.sql)):
            wrong.append(f"{sql}\n  ran as {checked.sql}\n  {difference}")
        many = any(output.name == MANY for output in checked.outputs)
        if rows and not many and len(checked.outputs) != len(rows[0]):
            wrong.append(f"{sql}\n  has {len(rows[0])} columns, not {len(checked.outputs)}")
    assert not wrong, "\n".join(wrong)


def test_what_will_run_passes_the_guard_unchanged(shop: Shop) -> None:
    known = catalogue(shop.engine)
    for sql in honest(shop.engine):
        once = check(sql, known)
        again = check(once.sql, known)
        assert again.tables == once.tables, sql
        assert same(shop.ask(again.sql), shop.ask(once.sql)) == "", sql


def test_a_row_limit_gives_the_first_rows_in_the_querys_own_order(shop: Shop) -> None:
    sql = "select o_orderkey from orders order by o_totalprice desc, o_orderkey"
    checked = check(sql, catalogue(shop.engine), rows_max=7)
    assert shop.ask(checked.sql) == shop.ask(sql)[:7]


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("select r_name from region limit 3", 3),
        ("select r_name from region limit 300", 4),
        ("select r_name from region union all select n_name from nation", 4),
    ],
)
def test_a_row_limit_never_gives_more_than_either_asks_for(shop: Shop, sql: str, rows: int) -> None:
    checked = check(sql, catalogue(shop.engine), rows_max=4)
    assert len(shop.ask(checked.sql)) == rows
