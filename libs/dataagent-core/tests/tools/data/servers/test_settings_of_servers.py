"""A server's own settings do not change where a text ends: the guard has read it already."""

from collections.abc import Callable
from pathlib import Path

from data_servers import Server, asked

from dataagent_core.tools.data.data_model import Catalogue
from dataagent_core.tools.data.guard import check
from tests.services.mariadb import MariaDB
from tests.services.process import Service


async def test_postgresql_ends_a_text_where_the_guard_does(
    postgres: Server, tmp_path: Path
) -> None:
    postgres.admin(f"ALTER ROLE {postgres.user} SET standard_conforming_strings = off")
    engine = postgres.engine()
    try:
        sql = r"SELECT '\' AS a, ' || current_database() || ' AS b, ' --' AS c"
        checked = check(sql, Catalogue(dialect="postgres", tables=(), fingerprint="1"))
        _, rows = await asked(engine, checked.sql, tmp_path)
    finally:
        await engine.aclose()
    assert rows == [{"a": "\\", "b": " || current_database() || ", "c": " --"}]


async def test_mariadb_reads_a_text_as_the_guard_does(
    own_services: Callable[[str], Service], tmp_path: Path
) -> None:
    server = Server("mysql", MariaDB(own_services("mariadb").port))
    server.admin("SET GLOBAL sql_mode = 'NO_BACKSLASH_ESCAPES,ORACLE,PIPES_AS_CONCAT'")
    engine = server.engine()
    try:
        sql = r"""SELECT 'a\\b' AS a, 'it\'s' AS b, CHAR_LENGTH('\n') AS c, 'x' || 'y' AS d"""
        checked = check(sql, Catalogue(dialect="mysql", tables=(), fingerprint="1"))
        _, rows = await asked(engine, checked.sql, tmp_path)
    finally:
        await engine.aclose()
    assert rows == [{"a": "a\\b", "b": "it's", "c": 1, "d": "xy"}]


async def test_mariadb_takes_double_quotes_for_a_text_as_the_guard_does(
    own_services: Callable[[str], Service], tmp_path: Path
) -> None:
    server = Server("mysql", MariaDB(own_services("mariadb").port))
    for mode in ("ANSI_QUOTES", "ANSI", "POSTGRESQL", "DB2", "MAXDB"):
        server.admin(f"SET GLOBAL sql_mode = '{mode}'")
        engine = server.engine()
        try:
            # Not through the guard, which writes texts in single quotes.
            _, rows = await asked(engine, 'SELECT "x" AS a', tmp_path)
        finally:
            await engine.aclose()
        assert rows == [{"a": "x"}], mode
