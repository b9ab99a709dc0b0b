"""What passes runs as it was written, names apart; and only if it is read as what was checked."""

import duckdb
import pytest

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.data_model import Catalogue, Column, Dialect, Table
from dataagent_core.tools.data.guard import check
from dataagent_core.tools.data.guard.parse.sql_dialects import get_sql_dialect
from dataagent_core.tools.data.guard.parse.statement_parser import parse_statement
from dataagent_core.tools.data.guard.rewrite.caller_text import is_same_tree

_COLUMNS = (
    Column(name="a", type="INTEGER", kind="integer"),
    Column(name="j", type="JSON", kind="nested"),
    Column(name="name", type="VARCHAR", kind="text"),
    Column(name="xs", type="INTEGER[]", kind="nested"),
    Column(name="seen", type="TIMESTAMP", kind="timestamp"),
)


def known(dialect: Dialect) -> Catalogue:
    return Catalogue(dialect=dialect, tables=(Table(name="t", columns=_COLUMNS),), fingerprint="1")


@pytest.fixture(scope="module")
def duck() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        """CREATE TABLE t AS SELECT 1 AS a, '{"x": {"b": 5}}'::JSON AS j, 'abc' AS name,
        [1, 2] AS xs, TIMESTAMP '2024-05-06 07:08:09' AS seen"""
    )
    return connection


MEANT = [
    "select 1e3+1e3",
    "select 1E3-2e3+.5e1-1.5e-1, 2e2-1",
    "select name ~ 'b', name ~ 'a.c', name !~ 'b' from t",
    "select json_extract(j, '$..b'), j->'$..b' from t",
    "select 340282366920938463463374607431768211455::UHUGEINT",
    "select list_transform(xs, x -> x + a) from t",
    "select list_transform(str_split(name, 'b'), x -> upper(x)) from t",
    "select list_transform(xs, lambda x: coalesce(x, a)) from t",
    "select list_transform(xs, x -> 1), list_transform(xs, x -> 'k') from t",
    "select list_filter(xs, (x, i) -> x > i - 1), list_reduce(xs, (x, y) -> x - y) from t",
    "select reduce(xs, lambda x, y: x + y) from t",
    "select apply(xs, x -> x + 1), array_apply(xs, lambda x: x + a) from t",
    "select xs.list_transform(x -> x + a), xs.list_transform(lambda x: x + 1) from t",
    "select xs.list_filter(x -> x > a).list_transform(y -> y * a).list_sort('desc') from t",
    "select xs.filter(x -> x > 1).len(), t.xs.list_sum(), xs.reduce((x, y) -> x + y) from t",
    "select name.upper().lower(), name.replace('a', 'b').length(), (name || 'x').upper() from t",
    "select [3, 1].list_sort()[1], a.concat('7')::int + 1, t.name.upper() as n from t",
    "pivot t on name using sum(a) group by a",
    "select date_trunc('month', date '2024-05-06') as month, extract(year from now()) as year from t",
]


@pytest.mark.parametrize("sql", MEANT)
@pytest.mark.parametrize("hidden", [(), ("t.seen",)], ids=["all", "hidden"])
def test_a_query_means_with_the_guard_what_it_means_without(
    duck: duckdb.DuckDBPyConnection, sql: str, hidden: tuple[str, ...]
) -> None:
    checked = check(sql, known("duckdb"), hidden=hidden)
    assert duck.execute(checked.sql).fetchall() == duck.execute(sql).fetchall(), checked.sql


@pytest.mark.parametrize(
    ("dialect", "sql", "runs"),
    [
        ("duckdb", "select 1e3+1e3", "select 1e3 +1e3"),
        ("mysql", "select 1e3+1e3", "select 1e3 +1e3"),
        ("mysql", "select 5--1, 'a--b'", "SELECT 5 - -1, 'a--b'"),
        ("mysql", 'select "it\'s" -- x\nfrom T', "select 'it''s'\nfrom `t` AS `T`"),
        ("postgres", "SELECT A FROM T -- x\n;", 'SELECT "a" FROM "t"'),
        ("postgres", "select 'a' -- joined\n 'b'", "select 'a'\n'b'"),
        ("sqlite", 'select "no such", [a] from t', "select 'no such', `a` from `t`"),
        ("duckdb", "select a-/* x */-a from t /* y */", 'select "a"- -"a" from "t"'),
    ],
)
def test_only_names_texts_and_comments_change(dialect: Dialect, sql: str, runs: str) -> None:
    assert check(sql, known(dialect)).sql == runs


def test_a_column_named_like_a_reserved_word_leaves_the_text_as_it_was_written() -> None:
    columns = (*_COLUMNS, Column(name="from", type="INTEGER", kind="integer"))
    tables = (Table(name="t", columns=columns),)
    sql = 'select "from"+1  as x from t'
    known = Catalogue(dialect="duckdb", tables=tables, fingerprint="1")
    assert check(sql, known).sql == 'select "from"+1 as "x" from "t"'


def test_a_long_sum_of_numbers_is_read_right() -> None:
    sql = f"select {'+'.join(['1e1'] * 200)}"
    assert duckdb.sql(check(sql, known("duckdb")).sql).fetchall() == [(2000.0,)]


def test_a_hidden_column_leaves_the_rest_as_it_was_written() -> None:
    checked = check("select *, name ~ 'b' from T x", known("duckdb"), hidden=["t.seen"])
    inner = '(SELECT "a", "j", "name", "xs" FROM "t")'
    assert checked.sql == f'select *, "name" ~ \'b\' from {inner} "x"'


@pytest.mark.parametrize(
    "sql",
    [
        # DuckDB takes these for a column of JSON, not for a function's parameter.
        "select coalesce(name -> name) from t",
        "select coalesce((name -> name)) from t",
        "select list_value(name -> upper(name)) from t",
    ],
)
def test_a_parameter_that_an_engine_may_take_for_a_column_counts_as_read(sql: str) -> None:
    checked = check(sql, known("duckdb"))
    assert ("t", "name") in checked.reads
    assert ("t", "name") in checked.outputs[0].columns


def test_where_arrows_are_no_functions_an_unknown_column_before_one_is_refused() -> None:
    with pytest.raises(QueryRefusedError, match="There is no column 'secret'"):
        check("select coalesce(secret -> a) from t", known("postgres"))


@pytest.mark.parametrize(
    "sql", ["select date_trunc(name, seen) from t", "select date_part(name, seen) from t"]
)
def test_a_bare_word_that_could_be_a_column_is_not_left_to_the_engine(sql: str) -> None:
    """The parser takes it for a part of a date, DuckDB for a column nobody counted as read."""
    try:
        checked = check(sql, known("duckdb"))
    except QueryRefusedError:
        return
    assert ("t", "name") in checked.reads or "(name" not in checked.sql


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("select a from t", "select b from t"),
        ("select a from t", "select a from t limit 1"),
        ("select a + 1 from t", "select a - 1 from t"),
        ("select 'a' from t", "select 'A' from t"),
        ("select a, a from t", "select a from t"),
    ],
)
def test_trees_that_differ_anywhere_are_not_the_same(one: str, other: str) -> None:
    traits = get_sql_dialect("duckdb")
    assert is_same_tree(
        parse_statement(one, traits), parse_statement(one.replace("a ", '"a" '), traits)
    )
    assert not is_same_tree(parse_statement(one, traits), parse_statement(other, traits))
