"""Engines reached through an extra or a URL: as strict, though only read here, not run."""

import pytest
from sql_data import TABLES

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.data_model import Catalogue, Column, Dialect, Table
from dataagent_core.tools.data.guard import check


def _catalogue(dialect: Dialect) -> Catalogue:
    upper = dialect == "snowflake"
    tables = tuple(
        Table(
            name=name.upper() if upper else name,
            columns=tuple(
                Column(name=c.upper() if upper else c, type=t, kind="text")
                for c, t in columns.items()
            ),
        )
        for name, columns in TABLES.items()
    )
    return Catalogue(dialect=dialect, tables=tables, fingerprint="x")


OTHERS: tuple[Dialect, ...] = ("clickhouse", "spark", "trino", "snowflake", "bigquery")
HONEST = (
    "select dept, count(*), avg(salary) from employees group by dept having count(*) > 1 order by 2",
    "with x as (select id, name from employees) select * from x where id in (1, 2)",
    "select name, row_number() over (partition by dept order by salary desc) as n from employees",
    "select r_name from region union all select n_name from nation",
    "select upper(name), coalesce(email, 'none'), case when id > 3 then 1 else 0 end from employees",
    "select cast(salary as decimal(10, 2)), extract(year from hired) from employees",
    "select a.name, b.name as boss from employees a left join employees b on a.manager_id = b.id",
)
OWN: tuple[tuple[Dialect, str], ...] = (
    ("clickhouse", "select uniqExact(dept), quantile(0.5)(salary), toStartOfMonth(hired) as m from employees group by m"),
    ("clickhouse", "select arrayMap(x -> x + 1, [1, 2]), countIf(id > 3) from employees"),
    ("spark", "select id, t from events lateral view explode(tags) e as t"),
    ("spark", "select collect_list(name), percentile_approx(salary, 0.5) from employees"),
    ("trino", "select approx_distinct(dept), array_agg(name) from employees cross join unnest(array[1, 2]) as t(n)"),
    ("snowflake", "select e.id, f.value from events e, lateral flatten(input => e.tags) f"),
    ("snowflake", "select name from employees qualify row_number() over (partition by dept order by id) = 1"),
    ("bigquery", "select id, t from events, unnest(tags) as t"),
    ("bigquery", "select safe_divide(id, 2), format_date('%Y', hired) from employees"),
)  # fmt: skip
HARMFUL: tuple[tuple[Dialect, str], ...] = (
    ("clickhouse", "select * from file('/etc/passwd', 'LineAsString')"),
    ("clickhouse", "select * from url('http://example.com', CSV)"),
    ("clickhouse", "select * from remote('host', db.t)"),
    ("clickhouse", "select * from s3('x')"),
    ("clickhouse", "select * from system.tables"),
    ("clickhouse", "select 1 settings readonly = 0"),
    ("clickhouse", "select 1 into outfile '/tmp/x'"),
    ("clickhouse", "select 1 format CSV"),
    ("clickhouse", "select sleep(3), dictGet('d', 'a', 1)"),
    ("clickhouse", "select * from numbers(10), executable('x', TSV, 'a String')"),
    ("clickhouse", "select getSetting('x'), hostName(), currentUser()"),
    ("spark", "select java_method('java.lang.System', 'exit', 1)"),
    ("spark", "select reflect('java.lang.System', 'getenv')"),
    ("spark", "select * from parquet.`/etc/passwd`"),
    ("spark", "select * from csv.`/etc/passwd`"),
    ("spark", "select transform(id) using 'cat' as (x) from employees"),
    ("spark", "select input_file_name(), current_user()"),
    ("trino", "select * from table(system.query(query => 'delete from x'))"),
    ("trino", "select * from system.runtime.queries"),
    ("trino", "call system.runtime.kill_query('x')"),
    ("snowflake", "select system$wait(10)"),
    ("snowflake", "select * from @stage/file.csv"),
    ("snowflake", "select $1 from @~/x"),
    ("snowflake", "select * from table(result_scan(last_query_id()))"),
    ("snowflake", "select * from identifier('secrets')"),
    ("snowflake", "select * from employees at (offset => -60)"),
    ("snowflake", "select current_account(), current_role()"),
    ("snowflake", "select seq4() from table(generator(rowcount => 10))"),
    ("bigquery", "select * from external_query('c', 'delete from x')"),
    ("bigquery", "select * from employees for system_time as of timestamp '2020-01-01'"),
    ("bigquery", "select * from `region_secrets.INFORMATION_SCHEMA.TABLES`"),
    ("bigquery", "select * from ml.predict(model m, table employees)"),
    ("bigquery", "select @param, @@project_id, session_user()"),
    ("bigquery", "select * from `employees*`"),
)  # fmt: skip


@pytest.mark.parametrize("dialect", OTHERS)
@pytest.mark.parametrize("sql", HONEST)
def test_honest_queries_pass(dialect: Dialect, sql: str) -> None:
    known = _catalogue(dialect)
    checked = check(sql, known)
    assert check(checked.sql, known).tables == checked.tables


@pytest.mark.parametrize(("dialect", "sql"), OWN)
def test_queries_in_a_dialects_own_words_pass(dialect: Dialect, sql: str) -> None:
    assert check(sql, _catalogue(dialect)).tables


@pytest.mark.parametrize(("dialect", "sql"), HARMFUL)
def test_harmful_queries_are_refused(dialect: Dialect, sql: str) -> None:
    with pytest.raises(QueryRefusedError):
        check(sql, _catalogue(dialect))


@pytest.mark.parametrize("dialect", OTHERS)
@pytest.mark.parametrize(
    "sql",
    [
        "delete from region",
        "select 1; drop table region",
        "select * from secrets",
        "select sleep(1)",
    ],
)
def test_what_no_engine_may_do_is_refused(dialect: Dialect, sql: str) -> None:
    with pytest.raises(QueryRefusedError):
        check(sql, _catalogue(dialect))
