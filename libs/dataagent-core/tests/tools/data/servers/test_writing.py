"""Changes: tried and rolled back, kept only as announced, and never half."""

import asyncio
from dataclasses import replace

import pytest
from data_servers import Server, until

from dataagent_core.errors import QueryFailedError, QueryRefusedError
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.sources.writes.source_write import commit_write, try_write
from dataagent_core.tools.data.sources.writes.write_guard import CheckedWrite, check_write


@pytest.fixture
def spec(server: Server) -> SourceSpec:
    server.admin(
        "CREATE TABLE t (id INT PRIMARY KEY, a INT)",
        "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)",
    )
    return server.spec(write_url=server.admin_url)


async def _change(server: Server, sql: str) -> CheckedWrite:
    engine = server.engine(server.admin_url)
    catalogue = await engine.catalogue()
    await engine.aclose()
    return check_write(sql, catalogue)


def _rows(server: Server) -> list[tuple[int, int]]:
    return server.admin("SELECT id, a FROM t ORDER BY id")  # pyright: ignore[reportReturnType]


async def test_a_change_is_tried_then_kept(server: Server, spec: SourceSpec) -> None:
    before = _rows(server)
    change = await _change(server, "UPDATE t SET a = a + 1 WHERE id > 1")
    plan = await try_write(spec, change)
    assert (plan.count, plan.table, plan.notes) == (2, "t", ())
    assert _rows(server) == before
    assert await commit_write(spec, plan) == 2
    assert _rows(server) == [(1, 10), (2, 21), (3, 31)]
    for sql, count in (
        ("DELETE FROM t WHERE id = 1", 1),
        ("INSERT INTO t (id, a) SELECT id + 10, a FROM t WHERE id > 1", 2),
        ("INSERT INTO t (id, a) VALUES (20, 1), (21, NULL)", 2),
    ):
        plan = await try_write(spec, await _change(server, sql))
        assert plan.count == count
        assert await commit_write(spec, plan) == count
    assert len(_rows(server)) == 6


async def test_another_number_of_rows_than_announced_is_not_kept(
    server: Server, spec: SourceSpec
) -> None:
    plan = await try_write(spec, await _change(server, "UPDATE t SET a = 0 WHERE a > 10"))
    server.admin("INSERT INTO t VALUES (4, 40)")
    before = _rows(server)
    with pytest.raises(QueryFailedError, match="would now change 3 rows, and 2 were announced"):
        await commit_write(spec, plan)
    assert _rows(server) == before


async def test_a_plan_that_was_tampered_with_is_refused(server: Server, spec: SourceSpec) -> None:
    plan = await try_write(spec, await _change(server, "DELETE FROM t WHERE id = 1"))
    for other in (
        replace(plan, sql=plan.sql.replace("1", "2")),
        replace(plan, count=2),
        replace(plan, source="another"),
    ):
        with pytest.raises(QueryRefusedError, match="not the change that was tried"):
            await commit_write(spec, other)
    assert len(_rows(server)) == 3


async def test_there_is_no_writing_without_a_write_url_or_on_files(spec: SourceSpec) -> None:
    change = CheckedWrite("DELETE FROM t WHERE id = 1", "DELETE", "", "t")
    with pytest.raises(QueryRefusedError, match="no write_url"):
        await try_write(replace(spec, write_url=None), change)
    for kind in ("sqlite", "duckdb", "files"):
        with pytest.raises(QueryRefusedError, match="only ever read"):
            await try_write(replace(spec, kind=kind), change)
    with pytest.raises(QueryRefusedError, match="not an address of"):
        await try_write(replace(spec, write_url="trino://a@h/d"), change)


async def test_the_reader_cannot_write_and_the_server_says_so(
    server: Server, spec: SourceSpec
) -> None:
    change = await _change(server, "DELETE FROM t WHERE id = 1")
    with pytest.raises(QueryFailedError, match="denied"):
        await try_write(replace(spec, write_url=server.url()), change)


async def test_more_than_one_statement_is_not_taken_by_the_server_either(
    server: Server, spec: SourceSpec
) -> None:
    # As if the guard had let it through.
    change = CheckedWrite(
        "DELETE FROM t WHERE id = 1; DELETE FROM t WHERE id = 2; COMMIT", "DELETE", "", "t"
    )
    with pytest.raises(QueryFailedError):
        await try_write(spec, change)
    assert len(_rows(server)) == 3


async def test_triggers_and_cascades_are_noted(server: Server, spec: SourceSpec) -> None:
    server.admin(
        "CREATE TABLE child (i INT PRIMARY KEY, t_id INT, "
        "FOREIGN KEY (t_id) REFERENCES t (id) ON DELETE CASCADE)",
    )
    if server.kind == "postgres":
        server.admin(
            "CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'",
            "CREATE TRIGGER watching BEFORE DELETE ON t FOR EACH ROW EXECUTE FUNCTION noted()",
        )
    else:
        server.admin("CREATE TRIGGER watching BEFORE DELETE ON t FOR EACH ROW SET @x = 1")
    plan = await try_write(spec, await _change(server, "DELETE FROM t WHERE id = 1"))
    triggers, cascades = plan.notes
    assert "watching" in triggers
    assert "child" in cascades


async def test_mysql_tables_that_cannot_take_a_change_back_are_refused(mysql: Server) -> None:
    spec = mysql.spec(write_url=mysql.admin_url)
    for engine in ("MyISAM", "Aria", "MEMORY"):
        mysql.admin(
            "DROP TABLE IF EXISTS t",
            f"CREATE TABLE t (id INT PRIMARY KEY, a INT) ENGINE={engine}",
            "INSERT INTO t VALUES (1, 1)",
        )
        with pytest.raises(QueryFailedError, match="cannot take a change back"):
            await try_write(spec, await _change(mysql, "DELETE FROM t WHERE id = 1"))
        assert _rows(mysql) == [(1, 1)]


async def test_mysql_triggers_beside_such_tables_are_refused(mysql: Server) -> None:
    mysql.admin(
        "CREATE TABLE t (id INT PRIMARY KEY, a INT)",
        "INSERT INTO t VALUES (1, 1)",
        "CREATE TABLE log (i INT) ENGINE=MyISAM",
        "CREATE TRIGGER kept AFTER DELETE ON t FOR EACH ROW INSERT INTO log VALUES (1)",
    )
    spec = mysql.spec(write_url=mysql.admin_url)
    with pytest.raises(QueryFailedError, match="cannot be tried safely"):
        await try_write(spec, await _change(mysql, "DELETE FROM t WHERE id = 1"))
    assert mysql.admin("SELECT * FROM log") == []


async def test_views_are_refused_by_the_server_side_too(server: Server, spec: SourceSpec) -> None:
    server.admin("CREATE VIEW v AS SELECT id, a FROM t")
    with pytest.raises(QueryFailedError, match="Name the table itself"):
        await try_write(spec, CheckedWrite("DELETE FROM v WHERE id = 1", "DELETE", "", "v"))


async def test_a_kill_between_the_change_and_its_commit_leaves_nothing(postgres: Server) -> None:
    # A constraint that is looked at last, and takes its time: the change has run by then.
    postgres.admin(
        "CREATE TABLE t (id INT PRIMARY KEY, a INT)",
        "INSERT INTO t VALUES (1, 10)",
        "CREATE TABLE slow (on_ BOOL)",
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN IF EXISTS (SELECT FROM slow) THEN PERFORM pg_sleep(60); END IF; RETURN NULL; END'",
        "CREATE CONSTRAINT TRIGGER last AFTER UPDATE ON t DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION wait()",
    )
    spec = postgres.spec(write_url=postgres.admin_url)
    plan = await try_write(spec, await _change(postgres, "UPDATE t SET a = 0 WHERE id = 1"))
    postgres.admin("INSERT INTO slow VALUES (true)")
    committing = asyncio.create_task(commit_write(spec, plan))
    while not any("SET CONSTRAINTS" in str(row[2]) for row in postgres.running()):
        await asyncio.sleep(0.02)
        assert not committing.done()
    committing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await committing
    until(lambda: not postgres.running(), 2, "the server is idle")
    assert _rows(postgres) == [(1, 10)]
    postgres.admin("DELETE FROM slow", "UPDATE t SET a = 11 WHERE id = 1")


async def test_a_change_that_waits_for_a_lock_gives_up(server: Server, spec: SourceSpec) -> None:
    import psycopg
    import pymysql

    change = await _change(server, "UPDATE t SET a = 0 WHERE id = 1")
    held: psycopg.Connection | pymysql.Connection
    if server.kind == "postgres":
        held = psycopg.connect(server.admin_url)
        held.execute("UPDATE t SET a = 1 WHERE id = 1")
    else:
        held = pymysql.connect(
            host="127.0.0.1", port=server.port, user="root", database=server.database
        )
        held.cursor().execute("UPDATE t SET a = 1 WHERE id = 1")
    try:
        with pytest.raises(QueryFailedError, match="holds a lock"):
            await try_write(spec, change, timeout_s=4)
    finally:
        held.rollback()
        held.close()
    assert len(_rows(server)) == 3
