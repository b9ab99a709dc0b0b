"""What is hidden cannot be reached, and to a model it does not exist; on the real engines."""

import pytest
from sql_data import Engine, catalogue
from sql_engines import Shop

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.guard import check

HIDDEN = ("employees.email", "*.salary", "Readings", "public.events")


def _refused(sql: str, engine: Engine, hidden: tuple[str, ...] = HIDDEN) -> QueryRefusedError:
    with pytest.raises(QueryRefusedError) as caught:
        check(sql, catalogue(engine), hidden=hidden)
    return caught.value


REACHING = (
    "select * from employees",
    "select e.* from employees e where id < 5",
    "select employees.* from employees, region where id = r_regionkey",
    "select * from (select * from employees) x",
    "with x as (select * from employees) select * from x",
    "select * from employees a join employees b on a.id = b.manager_id",
    "select a.* from employees a natural join employees b",
    "select * from employees a join employees b using (id)",
    "select * from employees union all select * from employees",
    "select * from (employees cross join region)",
)
ROWS_AS_VALUES: dict[Engine, tuple[str, ...]] = {
    "postgres": (
        "select e from employees e",
        "select row_to_json(e) from employees e",
        "select (e).* from employees e",
        "select to_jsonb(employees) from employees",
        "select count(e.*) from employees e",
        "select PUBLIC.Employees.name from public.employees",
        "select x.* from region, lateral (select * from employees where id = r_regionkey) x",
        "table employees",
    ),
    "duckdb": (
        "from employees",
        "select employees from employees",
        "select columns('.*') from employees",
        "select columns(*) from employees",
        "select * exclude (name) from employees",
        "select unnest(e) from (select employees as e from employees)",
        "pivot employees on dept using count(*)",
        "unpivot (select id::varchar as id, name from employees) on columns(*)",
        "select to_json(e) from employees e",
        "select main.employees.name from main.employees",
    ),
    "mysql": ("select * from employees natural join employees b",),
    "sqlite": ("select * from main.employees",),
}


def test_no_way_of_selecting_reaches_a_hidden_column(shop: Shop) -> None:
    secrets = [str(s) for row in shop.ask("select email, salary from employees") for s in row if s]
    assert any("@example.com" in s for s in secrets)
    for sql in (*REACHING, *ROWS_AS_VALUES[shop.engine]):
        checked = check(sql, catalogue(shop.engine), hidden=HIDDEN)
        shown = repr(shop.ask(checked.sql))
        assert not [s for s in secrets if s in shown], f"{sql} ran as {checked.sql}"
        read = {column for output in checked.outputs for column in output.columns}
        assert not [c for _, c in read if c in {"email", "salary"}]


def test_visible_columns_of_such_a_table_give_the_same_rows(shop: Shop) -> None:
    sql = "select dept, count(*) as n from employees where name like 'P%' group by dept"
    checked = check(sql, catalogue(shop.engine), hidden=HIDDEN)
    assert sorted(shop.ask(checked.sql)) == sorted(shop.ask(sql))


@pytest.mark.parametrize("engine", ["postgres", "mysql", "duckdb", "sqlite"])
@pytest.mark.parametrize(
    "sql",
    [
        "select email from employees",
        "select e.EMAIL from employees e",
        "select name from employees where email like 'p1%'",
        "select name from employees order by email",
        "select count(email) from employees",
        "select max(salary) over () from employees",
        "select 1 from region where exists (select 1 from employees where salary > 5000)",
        "select (select max(email) from employees) as m",
    ],
)
def test_naming_a_hidden_column_is_refused_as_if_it_did_not_exist(engine: Engine, sql: str) -> None:
    error = _refused(sql, engine)
    assert str(error).startswith("There is no column '")
    assert "hidden" not in str(error)
    assert "is hidden" in error.for_person


@pytest.mark.parametrize("engine", ["postgres", "mysql", "duckdb", "sqlite"])
@pytest.mark.parametrize("name", ["readings", "READINGS"])
def test_a_hidden_table_is_refused_in_the_words_for_one_that_does_not_exist(
    engine: Engine, name: str
) -> None:
    error, other = _refused(f"select * from {name}", engine), _refused("select * from zzzz", engine)
    assert str(error).startswith("There is no table '")
    assert "hidden" not in str(error)
    assert "is hidden" in error.for_person
    assert other.for_person == "There is no table 'zzzz'."


def test_a_hidden_name_is_never_suggested() -> None:
    shown = str(_refused("select emai, salar from employees", "duckdb"))
    assert "email" not in shown
    assert "'Did you mean" not in shown
    assert "readings" not in str(_refused("select * from reading", "duckdb"))
    assert "employees" in str(_refused("select * from employee", "duckdb"))


def test_a_pattern_with_a_schema_hides_in_that_schema_alone() -> None:
    assert "no table" in str(_refused("select * from events", "postgres"))
    assert check("select id from events", catalogue("duckdb"), hidden=HIDDEN).tables == ("events",)


def test_a_table_whose_every_column_is_hidden_is_hidden_itself() -> None:
    error = _refused("select count(*) from region", "sqlite", ("region.*",))
    assert str(error).startswith("There is no table 'region'")


def test_without_patterns_nothing_is_hidden() -> None:
    checked = check("select * from employees", catalogue("sqlite"))
    assert ("employees", "email") in {c for output in checked.outputs for c in output.columns}
