"""What an engine shows is never from elsewhere than the guard says; on the real engines.

A name the guard takes for another one than the engine does hides a table or a personal column
behind an alias, a CTE or letters that count alike for one of them only.
"""

from itertools import product

import pytest
from sql_data import Engine, catalogue
from sql_engines import Shop

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.data_model import Catalogue, Column, Table
from dataagent_core.tools.data.guard import check

_LONG_S = "\N{LATIN SMALL LETTER LONG S}"
_KELVIN = "\N{KELVIN SIGN}"
_QUOTES: dict[Engine, str] = {"postgres": '"', "mysql": "`", "duckdb": '"', "sqlite": '"'}
# The letters of a name as it is defined and as it is used, by who compares them how.
_LETTERS = (("a", "a"), ("A", "a"), ("a", "A"), ("k", _KELVIN), (_KELVIN, "k"))

OTHERS_OF_THE_NAME = (
    "with t(a, b, c) as (select * from (select email from employees) x, (select 1 as y, 2 as k) z join (select 2 as k) w using (k)) select b, a, c from t",
    "select (select max(d) from (select 1 as email, email as d) w) from employees",
    "select (select max(d) from (select email as d, 1 as email) w) from employees",
    "select (select w.email from (select 1 as email) w) from employees w",
    "select employees.email from employees, (select 1 as email) x",
)
STARS: dict[Engine, tuple[str, ...]] = {
    "duckdb": (
        "select [email for email in [email]] from employees",
        "select [email for email in [1] if email is not null] from employees",
        "select [x for x, email in [email]] from employees",
        "select * like 'em%' from employees",
        "select * similar to 'em.*' from employees",
        "select * not like 'x%' from employees",
        "select x from (select * ilike 'em%' from employees) t(x)",
        "select (*) from employees",
        "select email.upper().lower() from employees",
        "select [1].list_transform(x -> email) from employees",
        "select [1].list_filter(x -> x < id).list_transform(x -> employees.email).list_sort() from employees",
        "select (select email from employees limit 1).lower()",
        "select #7 from employees",
        "select x from (select #7 from employees) t(x)",
    ),
    "sqlite": (
        "select (select max(e.value) from json_each(json_array(u.email)) e, employees u) from (select 1 as email) u",
        "select (select max(e.value) from (json_each(json_array(u.email)) e cross join employees u)) from (select 1 as email) u",
        "with t(a, b, c, d) as (select * from (select 1 as x) cross join (select email, 2 as y, 1 as k from employees) natural join (select 1 as k)) select c, b, d from t",
        "with t(a, b, c, d) as (select * from (select 1 as x) cross join ((select email, 2 as y, 1 as k from employees) natural join (select 1 as k))) select b, c, d from t",
    ),
    "postgres": (
        "select x.email from public.employees, lateral (select employees.email) x",
        'select "employees".email from employees, (select 1 as email) as "Employees"',
    ),
    "mysql": (),
}


def _twice_named(engine: Engine) -> list[str]:
    """Give a name to two things, in letters that an engine may take for the same."""
    quote = _QUOTES[engine]
    made: list[str] = []
    for letters in _LETTERS:
        one, other = (f"{quote}{name}{quote}" for name in letters)
        made += [
            f"select {one}.email from employees as {one}, (select 1 as email) as {other}",
            f"select {one}.* from employees as {one}, (select 1 as email) as {other}",
            f"select {other}.email from (select 1 as email) as {one}, employees as {other}",
            f"select (select {one}.email from (select 1 as email) as {other}) from employees as {one}",
            f"select (select {one} from (select 1 as {other}) w) from (select email as {one} from employees) v",
            f"select z from (select email as {one} from employees) v, (select 1 as {other}) w, lateral (select {one} as z) y",
            f"with {one} as (select 1 as email), v as (select * from {other}) select email from v",
        ]
    return made


def _wrong(shop: Shop, sql: str) -> str | None:
    """Say what ran if it showed an email that the guard does not derive from the emails."""
    try:
        checked = check(sql, catalogue(shop.engine), hidden=("employees.salary",))
        rows = shop.ask(checked.sql)
    except QueryRefusedError:
        return None
    except Exception:  # noqa: BLE001 - the engine refuses it
        return None
    for row in rows:
        for position, cell in enumerate(row):
            columns = {column for _, column in checked.columns_of(position, len(row))}
            if "@example.com" in repr(cell) and "email" not in columns:
                return checked.sql
    return None


def test_no_value_is_shown_that_derives_from_elsewhere(shop: Shop) -> None:
    asked = (*OTHERS_OF_THE_NAME, *STARS[shop.engine], *_twice_named(shop.engine))
    assert [ran for sql in asked if (ran := _wrong(shop, sql))] == []


def test_a_cte_of_nearly_its_name_does_not_open_a_hidden_table(shop: Shop) -> None:
    quote = _QUOTES[shop.engine]
    spelled = [f"{quote}{name}{quote}" for name in ("readings", "READINGS", f"reading{_LONG_S}")]
    opened: list[str] = []
    for one, other in product(spelled, spelled):
        sql = f"with {one} as (select 1 as x) select * from {other}"
        try:
            checked = check(sql, catalogue(shop.engine), hidden=("readings",))
        except QueryRefusedError:
            continue
        assert checked.tables == ()
        if shop.ask(checked.sql) != [(1,)]:
            opened.append(checked.sql)
    assert opened == []


@pytest.mark.parametrize("engine", ["postgres", "mysql", "duckdb", "sqlite"])
@pytest.mark.parametrize(
    "sql",
    [
        "with Totals as (select dept, sum(salary) as s from employees group by dept) select totals.s from TOTALS",
        "select E.name from employees e where e.Id in (select E.id from employees)",
        "with recursive N as (select 1 as i union all select i + 1 from n where i < 3) select i from n",
    ],
)
def test_letters_that_count_alike_may_be_used(engine: Engine, sql: str) -> None:
    assert check(sql, catalogue(engine)).outputs


def test_postgresql_folds_only_ascii_letters_of_bare_names() -> None:
    checked = check("select ÄPFEL from (select 1 as ÄpFeL) x", catalogue("postgres"))
    assert checked.sql == 'select "Äpfel" from (select 1 as "Äpfel") "x"'


@pytest.mark.parametrize(
    "sql", ["select rowid from p", "select x.oid from p x", "select _rowid_ as n from p, p y"]
)
def test_the_row_number_of_sqlite_derives_from_the_key(sql: str) -> None:
    columns = (
        Column(name="ssn", type="INTEGER", kind="integer", primary=True),
        Column(name="age", type="INTEGER", kind="integer"),
    )
    known = Catalogue(dialect="sqlite", tables=(Table(name="p", columns=columns),), fingerprint="1")
    assert [output.columns for output in check(sql, known).outputs] == [{("p", "ssn")}]
