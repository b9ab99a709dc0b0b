"""What a refusal says: the construct or the name, and the way out, in one line."""

import pytest
from sql_data import Engine, catalogue
from sql_evasions import CANARY, EVASIONS

from dataagent_core.config.limits.data import SQL_CHARS_MAX
from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.guard import check


def _refusal(sql: str, engine: Engine = "postgres") -> str:
    with pytest.raises(QueryRefusedError) as caught:
        check(sql, catalogue(engine))
    return str(caught.value)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("delete from region", ("DELETE", "SELECT")),
        ("describe region", ("DESCRIBE", "data_describe")),
        ("show tables", ("SHOW", "data_search_catalog")),
        ("summarize region", ("SUMMARIZE", "data_describe")),
        ("explain select 1", ("EXPLAIN", "sql_check")),
        ("select 1; select 2", ("More than one statement", "by itself")),
        ("select pg_sleep(1)", ("pg_sleep()", "list")),
        ("select * from region for update", ("FOR UPDATE", "leave it out")),
        ("select * into x from region", ("INTO", "leave it out")),
        ("select $1", ("parameter", "value itself")),
        ("select * from generate_thing(1)", ("generate_thing()",)),
        ("select * from pg_ls_dir('/')", ("pg_ls_dir()",)),
        ("select a::wipe_type from region", ("wipe_type", "cast to text")),
        ("select r_nam from region", ("There is no column 'r_nam' here. Did you mean 'r_name'",)),
        ("select r.name from region r", ("'r.name'", "Did you mean 'r_name'")),
        ("select * from regions", ("There is no table 'regions'. Did you mean 'region'",)),
        ("select * from public.natio", ("Did you mean 'nation'",)),
        ("select 1 +", ("cannot be read",)),
        ("", ("There is no SQL",)),
        (" ;; ", ("There is no SQL",)),
        ("-- nothing", ("There is no SQL",)),
        ("select 'open", ("cannot be read",)),
        ("select '\ud800'", ("plain Unicode",)),
    ],
)
def test_a_refusal_names_the_construct_and_the_way_out(sql: str, words: tuple[str, ...]) -> None:
    said = _refusal(sql)
    assert all(word in said for word in words), said


def test_every_evasions_refusal_is_one_line_of_plain_words() -> None:
    for evasion in EVASIONS:
        try:
            check(evasion.at("/c", "/o"), catalogue(evasion.engine))
        except QueryRefusedError as error:
            said = str(error)
        else:
            continue
        assert said.endswith((".", "?")), said
        assert "\n" not in said, said
        assert len(said) < 300, said
        assert CANARY not in said


@pytest.mark.parametrize(
    "sql",
    [
        "select " + "(" * 5000 + "1" + ")" * 5000,
        "select " + "(" * 190 + "1" + ")" * 190 + " from " + "(" * 150 + "region" + ")" * 150,
        "select " + "not " * 4000 + "true",
        "select " + "- " * 4000 + "1",
        "select " + "case when true then " * 300 + "1" + " end" * 300,
        "select * from " + "(select * from " * 300 + "region" + ") x" * 300,
        "select " + "f(" * 300 + ")" * 300,
        "select " + "[" * 300 + "]" * 300,
        "select 1" + " union select 1 intersect (select 1" * 250 + ")" * 250,
    ],
)
@pytest.mark.parametrize("engine", ["postgres", "duckdb", "mysql", "sqlite"])
def test_what_is_nested_too_deeply_is_refused_whatever_it_is(sql: str, engine: Engine) -> None:
    assert "." in _refusal(sql, engine)


def test_too_long_a_text_is_refused_before_it_is_read() -> None:
    assert str(SQL_CHARS_MAX) in _refusal("select '" + "x" * SQL_CHARS_MAX + "'")


def test_too_many_parts_are_refused() -> None:
    assert "parts" in _refusal("select 1 in (" + ",".join(["1"] * 30_000) + ")")


@pytest.mark.parametrize(
    "sql",
    [
        "select 1 where 1 = 1" + " or 2 = 2" * 800,
        "select 1" + " + 1" * 2000,
        "select 1" + " union all select 1" * 600,
        "select 1 in (" + ",".join(map(str, range(3000))) + ")",
        "select * from region where " + "(" * 40 + "r_regionkey = 1" + ")" * 40,
    ],
)
def test_long_chains_are_no_deep_nesting(sql: str) -> None:
    assert check(sql, catalogue("postgres")).outputs


def test_a_catalogue_of_another_source_is_never_mixed_up() -> None:
    for engine in ("duckdb", "postgres", "duckdb"):
        checked = check("select r_name from region", catalogue(engine))
        assert ('"public"' in checked.sql) == (engine == "postgres")
