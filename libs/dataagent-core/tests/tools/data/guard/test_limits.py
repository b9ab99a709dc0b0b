"""A short text cannot make the guard work without end: it runs in the host's own process."""

import pytest
from sql_data import ENGINES, Engine, catalogue

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.guard import check

_STEPS = 40


def _doubled() -> str:
    steps = ["c0 as (select * from employees)"]
    steps += [f"c{n} as (select x.*, y.* from c{n - 1} x, c{n - 1} y)" for n in range(1, _STEPS)]
    return f"with {', '.join(steps)} select count(*) from c{_STEPS - 1}"


def _joined() -> str:
    return f"with w as (select {', '.join(['*'] * 900)} from lineitem) select 1 from {', '.join(f'w w{n}' for n in range(900))}"


def _recursive_inside_recursive() -> str:
    sql = "select 1 as a"
    for n in range(_STEPS):
        sql = f"with recursive t{n} as (select a from ({sql}) x union all select a + 1 from t{n} where a < 3) select a from t{n}"
    return sql


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", [_doubled(), _joined(), _recursive_inside_recursive()])
@pytest.mark.timeout(60)
def test_columns_that_multiply_are_refused(engine: Engine, text: str) -> None:
    with pytest.raises(QueryRefusedError, match=r"columns in all|nested deeper"):
        check(text, catalogue(engine))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_wide_result_of_many_steps_passes(engine: Engine) -> None:
    steps = ["c0 as (select * from lineitem)"]
    steps += [f"c{n} as (select * from c{n - 1} where l_tax > {n})" for n in range(1, 50)]
    assert check(f"with {', '.join(steps)} select * from c49", catalogue(engine)).outputs
