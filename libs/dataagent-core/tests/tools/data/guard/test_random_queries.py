"""Random joins, aggregates, subqueries and set operations: the same with the guard as without."""

import pytest
from sql_engines import Shop
from sql_random import RandomSQL
from sql_same import same

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.guard import check
from tests.counts import rounds

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

_QUERIES = 25


@pytest.mark.requirement("F5-honest")
def test_random_queries_over_random_tables_give_the_same_columns_and_rows(shop: Shop) -> None:
    wrong: list[str] = []
    asked = 0
    seeds = rounds(5, soak=500)
    for seed in range(seeds):
        made = RandomSQL(seed, shop.engine)
        for statement in made.statements():
            shop.run(statement)
        known = made.catalogue()
        for _ in range(_QUERIES):
            sql = made.query()
            try:
                columns, rows = shop.asked(sql)
            except shop.errors:
                continue  # not every one is sound
            asked += 1
            try:
                checked = check(sql, known).sql
            except QueryRefusedError as error:
                wrong.append(f"seed {seed}: {sql}\n  refused: {error}")
                continue
            try:
                names, answered = shop.asked(checked)
            except shop.errors as error:
                wrong.append(f"seed {seed}: {sql}\n  ran as {checked}\n  {error}")
                continue
            told = f"columns {columns} and {names}" if names != columns else same(rows, answered)
            if told:
                wrong.append(f"seed {seed}: {sql}\n  ran as {checked}\n  {told}")
        for statement in made.drops():
            shop.run(statement)
    assert not wrong, "\n".join((f"{len(wrong)} of {asked}:", *wrong[:20]))
    assert asked > seeds * _QUERIES * 0.5
