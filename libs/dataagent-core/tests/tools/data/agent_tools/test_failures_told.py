"""What a model is told when an engine fails, and what a person is told."""

import sqlite3
from pathlib import Path

import pytest
from query_services import open_queries, open_services

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.agent_tools.sql_tools import sql_query


@pytest.fixture
def people(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    file.write_text(
        "id,full_name,city,code\n1,Zhang Weiling,Berlin,x1\n2,Alice Smithson,Paris,x2\n"
    )
    return file


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT CAST(full_name AS INTEGER) FROM people",
        "SELECT id FROM people WHERE full_name::DATE > DATE '2020-01-01'",
        "SELECT id FROM people ORDER BY strptime(full_name, '%Y')",
        "SELECT count(*) FROM people a JOIN people b ON a.full_name::INTEGER = b.id",
        "SELECT x.n::INTEGER FROM (SELECT full_name AS n FROM people) x",
        "SELECT sum(q.n::INTEGER) AS s FROM (SELECT upper(full_name) AS n FROM people) q",
    ],
)
async def test_a_personal_value_an_engine_quotes_is_for_the_person_alone(
    people: Path, tmp_path: Path, sql: str
):
    async with open_queries(tmp_path) as queries:
        with pytest.raises(QueryFailedError) as failed:
            await queries.query(str(people), sql)
    told, shown = str(failed.value).lower(), failed.value.for_person.lower()
    assert "zhang" not in told
    assert "alice" not in told
    assert "error: " in told
    assert "hidden from you" in told
    assert "zhang" in shown or "alice" in shown


async def test_the_same_holds_for_what_the_tool_says(people: Path, tmp_path: Path):
    async with open_services(tmp_path) as services:
        tool = sql_query.bind(services)
        with pytest.raises(QueryFailedError) as failed:
            await tool.ainvoke(
                {"source": people.name, "sql": "SELECT full_name::INTEGER FROM people"}
            )
    assert "Zhang" not in str(failed.value)


async def test_a_sqlite_text_that_is_no_json_is_not_shown(tmp_path: Path):
    file = tmp_path / "people.db"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE people (id INTEGER, full_name TEXT)")
        database.execute("INSERT INTO people VALUES (1, 'Zhang Weiling')")
    async with open_queries(tmp_path) as queries:
        with pytest.raises(QueryFailedError) as failed:
            await queries.query(
                str(file), "SELECT json_extract('{}', '$' || full_name) AS x FROM people"
            )
    assert "Zhang" not in str(failed.value)


async def test_other_values_are_blanked_and_the_querys_own_stay(people: Path, tmp_path: Path):
    async with open_queries(tmp_path) as queries:
        with pytest.raises(QueryFailedError) as failed:
            await queries.query(str(people), "SELECT city::INTEGER FROM people")
        with pytest.raises(QueryFailedError) as own:
            await queries.query(str(people), "SELECT 'abcdef'::INTEGER FROM people")
    assert "Could not convert string '…' to INT32" in str(failed.value)
    assert "Berlin" in failed.value.for_person
    assert "'abcdef'" in str(own.value)


async def test_what_is_wrong_with_the_query_itself_is_told_in_full(people: Path, tmp_path: Path):
    async with open_queries(tmp_path) as queries:
        with pytest.raises(QueryFailedError, match=r"sum\(VARCHAR\)"):
            await queries.query(str(people), "SELECT sum(full_name) FROM people")
