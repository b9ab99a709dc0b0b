"""The engine by itself, without the guard before it, changes nothing: one layer of several."""

from pathlib import Path

import pytest
from data_servers import Server, asked

from dataagent_core.errors import QueryFailedError

_POSTGRES = [
    "DELETE FROM t",
    "WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone",
    "SET TRANSACTION READ WRITE",
    "COMMIT",
    "SELECT 1; DELETE FROM t",
    "SET TRANSACTION READ WRITE; DELETE FROM t; COMMIT",
    "COMMIT; BEGIN READ WRITE; DELETE FROM t; COMMIT",
    "SELECT wipe()",
    "SELECT * INTO copied FROM t",
    "CREATE TABLE more (i INT)",
    "SELECT nextval('numbers')",
    "SELECT lo_create(0)",
    "SELECT * FROM t FOR UPDATE",
    "DO $$ BEGIN DELETE FROM t; END $$",
]
_MYSQL = [
    "DELETE FROM t",
    "COMMIT",
    "SELECT 1; DELETE FROM t",
    "COMMIT; DELETE FROM t; COMMIT",
    "SET TRANSACTION READ WRITE",
    "SELECT wipe()",
    "INSERT INTO t VALUES (2)",
    "CREATE TABLE more (i INT)",
    "START TRANSACTION READ WRITE",
]


@pytest.mark.parametrize("sql", _POSTGRES)
async def test_postgresql_changes_nothing_even_for_a_superuser(
    postgres: Server, tmp_path: Path, sql: str
) -> None:
    postgres.admin(
        "CREATE TABLE t (i INT)",
        "INSERT INTO t VALUES (1)",
        "CREATE SEQUENCE numbers",
        "CREATE FUNCTION wipe() RETURNS int LANGUAGE sql SECURITY DEFINER AS "
        "'DELETE FROM t; SELECT 1'",
    )
    await _try(postgres, sql, tmp_path)
    assert postgres.admin("SELECT last_value, is_called FROM numbers") == [(1, False)]


@pytest.mark.parametrize("sql", _MYSQL)
async def test_mysql_changes_nothing_even_for_root(mysql: Server, tmp_path: Path, sql: str) -> None:
    mysql.admin(
        "CREATE TABLE t (i INT)",
        "INSERT INTO t VALUES (1)",
        "CREATE FUNCTION wipe() RETURNS INT MODIFIES SQL DATA BEGIN DELETE FROM t; RETURN 1; END",
    )
    await _try(mysql, sql, tmp_path)


async def _try(server: Server, sql: str, folder: Path) -> None:
    engine = server.engine(server.admin_url)
    with pytest.raises(QueryFailedError):
        await asked(engine, sql, folder)
    # A next question finds a session nobody has touched.
    _, rows = await asked(engine, "SELECT i FROM t", folder)
    await engine.aclose()
    assert rows == [{"i": 1}]
    assert server.admin("SELECT i FROM t") == [(1,)]
    assert [table.name for table in await _tables(server)] == ["t"]


async def _tables(server: Server):
    engine = server.engine(server.admin_url)
    catalogue = await engine.catalogue()
    await engine.aclose()
    return catalogue.tables
