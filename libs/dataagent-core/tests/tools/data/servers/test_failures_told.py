"""What servers quote when they fail, and a dry run with them, is not told to a model."""

from pathlib import Path

import pytest
from data_servers import Server
from query_services import open_queries, open_services

from dataagent_core.errors import QueryFailedError
from dataagent_core.permissions import Judgement
from dataagent_core.tools.data.agent_tools.sql_write_tool import forecast_write
from dataagent_core.tools.data.results.stored_result import parse_personal_kinds


def no_rule(_tool: str, _source: str) -> Judgement:
    return Judgement(action="allow", reason="no rule speaks of it")


@pytest.fixture
def people(server: Server) -> Server:
    _fill(server)
    return server


def _fill(server: Server) -> None:
    server.admin(
        "CREATE TABLE people (id INT PRIMARY KEY, full_name VARCHAR(50) UNIQUE, how VARCHAR(50))",
        "INSERT INTO people VALUES (1, 'Zhang Weiling', '13812345678'), "
        "(2, 'Alice', '13912345679'), (3, 'Bob', '13712345670')",
        "CREATE VIEW v AS SELECT how AS x FROM people",
        "CREATE TABLE log (n INT)",
    )


async def test_a_value_a_query_stumbles_over(people: Server, tmp_path: Path):
    wrong = {
        "postgres": "SELECT CAST(full_name AS INTEGER) AS x FROM people",
        "mysql": "SELECT id FROM people WHERE full_name = (SELECT full_name FROM people)",
    }
    async with open_queries(tmp_path, people.spec()) as queries:
        with pytest.raises(QueryFailedError) as failed:
            await queries.query("shop", wrong[people.kind])
    assert "Zhang" not in str(failed.value)
    assert "hidden from you" in str(failed.value)
    assert failed.value.for_person not in str(failed.value)


async def test_values_tell_what_is_personal_in_a_table_and_in_a_view(
    people: Server, tmp_path: Path
):
    async with open_queries(tmp_path, people.spec()) as queries:
        kept = await queries.query("shop", "SELECT how, id FROM people")
        through = await queries.query("shop", "SELECT upper(x) AS y FROM v")
    assert parse_personal_kinds(kept) == {"how": "phone"}
    assert parse_personal_kinds(through) == {"y": "phone"}


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE people SET full_name = 'Zhang Weiling' WHERE id = 2",
        "INSERT INTO people (id, full_name) SELECT id + 10, full_name FROM people WHERE id = 1",
    ],
)
async def test_a_value_a_dry_run_stumbles_over(people: Server, tmp_path: Path, sql: str):
    failed = await _tried(people, tmp_path, sql)
    assert "Zhang" not in str(failed)
    assert "Zhang" in failed.for_person


async def test_a_change_that_reads_another_tables_personal_column(postgres: Server, tmp_path: Path):
    _fill(postgres)
    sql = "INSERT INTO log (n) SELECT CAST(full_name AS INTEGER) FROM people WHERE id = 1"
    failed = await _tried(postgres, tmp_path, sql)
    assert "Zhang" not in str(failed)
    assert "Zhang" in failed.for_person


async def _tried(server: Server, folder: Path, sql: str) -> QueryFailedError:
    async with open_services(folder, server.spec(write_url=server.admin_url)) as services:
        with pytest.raises(QueryFailedError) as failed:
            await forecast_write(services, {"source": "shop", "sql": sql}, no_rule)
    return failed.value


async def test_what_we_say_ourselves_is_told_in_full(mysql: Server, tmp_path: Path):
    mysql.admin("CREATE TABLE loose (id INT PRIMARY KEY, full_name VARCHAR(50)) ENGINE=MyISAM")
    async with open_services(tmp_path, mysql.spec(write_url=mysql.admin_url)) as services:
        args = {"source": "shop", "sql": "DELETE FROM loose WHERE full_name = 'Ann'"}
        with pytest.raises(QueryFailedError, match="cannot take a change back"):
            await forecast_write(services, args, no_rule)
