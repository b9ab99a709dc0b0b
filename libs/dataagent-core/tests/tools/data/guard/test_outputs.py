"""Where each output's values come from, through whatever stands between."""

import pytest
from sql_data import Engine, catalogue

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.data_model import ColumnOrigin
from dataagent_core.tools.data.guard import check


def _of(sql: str, engine: Engine = "duckdb") -> list[tuple[str, set[ColumnOrigin]]]:
    return [
        (o.name, {(table.removeprefix("public."), name) for table, name in o.columns})
        for o in check(sql, catalogue(engine)).outputs
    ]


EMAIL = {("employees", "email")}
NAME = {("employees", "name")}
DEPT = {("employees", "dept")}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select email as e, upper(name) as n from employees", [("e", EMAIL), ("n", NAME)]),
        ("select name || email as both_of_them from employees", [("both_of_them", NAME | EMAIL)]),
        ("with x as (select email as e from employees) select e from x", [("e", EMAIL)]),
        ("with x(a, b) as (select name, email from employees) select b from x", [("b", EMAIL)]),
        ("select q.e from (select lower(email) as e from employees) q", [("e", EMAIL)]),
        ("select dept as a from employees union select email from employees", [("a", DEPT | EMAIL)]),
        ("select (select max(email) from employees) as m", [("m", EMAIL)]),
        ("select case when email is null then 1 end as c from employees", [("c", EMAIL)]),
        ("select count(email) as n, count(*) as m from employees", [("n", set()), ("m", set())]),
        ("select count(distinct email) as n from employees", [("n", set())]),
        ("select max(email) over (partition by dept) as m from employees", [("m", EMAIL | DEPT)]),
        ("select 1 as one from employees where email is not null", [("one", set())]),
        ("select e.email from employees e, region r", [("email", EMAIL)]),
        ("select x.email from (employees x cross join region)", [("email", EMAIL)]),
        ("select coalesce(a.email, b.name) as c from employees a join employees b on true", [("c", EMAIL | NAME)]),
        ("select name, dept from employees order by email", [("name", NAME), ("dept", DEPT)]),
        ("values (1)", [("col0", set())]),
    ],
)  # fmt: skip
def test_an_output_derives_from_the_columns_its_value_is_made_of(
    sql: str, expected: list[tuple[str, set[ColumnOrigin]]]
) -> None:
    assert _of(sql) == expected


def test_a_star_is_written_out_in_the_engines_order() -> None:
    assert [n for n, _ in _of("select * from region join nation on true")] == [
        "r_regionkey", "r_name", "r_comment", "n_nationkey", "n_name", "n_regionkey", "n_comment",
    ]  # fmt: skip
    joined = "select * from (select 1 as b, 2 as k) x join (select 3 as k, 4 as c) y using (k)"
    assert [n for n, _ in _of(joined, "postgres")] == ["k", "b", "c"]
    assert [n for n, _ in _of(joined, "duckdb")] == ["b", "k", "c"]
    assert [n for n, _ in _of("select * exclude (r_comment) from region")] == [
        "r_regionkey",
        "r_name",
    ]


def test_a_recursive_cte_carries_what_it_began_with() -> None:
    sql = """with recursive t(id, e) as (select id, email from employees where id = 1
        union all select m.id, t.e from employees m join t on m.manager_id = t.id)
        select e, id from t"""
    assert _of(sql, "postgres") == [("e", EMAIL), ("id", {("employees", "id")})]


def test_columns_that_change_places_in_a_recursion_derive_from_each_other() -> None:
    sql = """with recursive t(a, b) as (select name, email from employees
        union all select b, a from t where a <> b) select a from t"""
    assert _of(sql, "postgres") == [("a", NAME | EMAIL)]


@pytest.mark.parametrize(
    "sql",
    [
        "pivot employees on dept using max(email)",
        "select columns('e.*') from employees",
        "select employees from employees",
        "select unnest(e) from (select employees as e from employees)",
        "select * from (pivot employees on dept using max(email))",
    ],
)
def test_where_the_columns_cannot_be_known_any_may_derive_from_any(sql: str) -> None:
    checked = check(sql, catalogue("duckdb"))
    assert all(("employees", "email") in checked.columns_of(n, 9) for n in range(9))


def test_outputs_beside_unknown_ones_are_counted_from_their_own_end() -> None:
    checked = check("select name, columns('e.*'), dept from employees", catalogue("duckdb"))
    assert checked.columns_of(0, 4) == frozenset(NAME)
    assert checked.columns_of(3, 4) == frozenset(DEPT)
    assert ("employees", "email") in checked.columns_of(1, 4)
    assert ("employees", "email") in checked.columns_of(0, 1)


def test_the_tables_are_those_of_the_catalogue_in_full() -> None:
    sql = "with region as (select 1 as x) select * from Orders, region, LINEITEM l"
    assert check(sql, catalogue("postgres")).tables == ("public.orders", "public.lineitem")


@pytest.mark.parametrize(
    ("sql", "read"),
    [
        ("select id from employees where email is null", {"id", "email"}),
        ("select id from employees order by email", {"id", "email"}),
        ("select count(*) from employees group by email", {"email"}),
        ("select count(email) as n from employees", {"email"}),
        ("select 1 as x from employees a join employees b using (email)", {"email"}),
        ("select id from employees where exists (select email from employees)", {"id", "email"}),
        ("select 1 as x from (select email, dept from employees) q", {"email", "dept"}),
        ("select 1 as x from employees", set[str]()),
    ],
)
def test_every_column_an_engine_looks_at_is_said_to_be_read(sql: str, read: set[str]) -> None:
    assert {name for _, name in check(sql, catalogue("postgres")).reads} == read


def test_a_star_and_a_join_by_all_common_names_read_every_column() -> None:
    for sql in ("select * from employees", "select 1 as x from employees natural join employees b"):
        reads = check(sql, catalogue("duckdb")).reads
        assert {"email", "name", "dept"} <= {name for _, name in reads}


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("pivot employees on email using count(*)", {"email"}),
        ("pivot employees on upper(email) using count(*)", {"email"}),
        ("select * from (pivot employees on email using count(*))", {"email"}),
        ("pivot employees on dept, email in ('a') using count(*)", {"dept"}),
        ("pivot employees on email in (select email from employees) using count(*)", {"email"}),
        ("pivot employees on email in ('a', 'b') using count(*)", set[str]()),
        ("select * from employees pivot (count(*) for email in ('a', 'b'))", set[str]()),
        ("unpivot employees on email, name", set[str]()),
    ],
)
def test_a_pivot_tells_which_columns_name_those_it_makes(sql: str, names: set[str]) -> None:
    try:
        checked = check(sql, catalogue("duckdb"))
    except QueryRefusedError:
        assert "in (select" in sql
        return
    assert {name for _, name in checked.names_from} == names
