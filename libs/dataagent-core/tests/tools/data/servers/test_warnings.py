"""What a server warns of while it answers is part of the result."""

from pathlib import Path

import pytest
from data_servers import Server, asked

from dataagent_core.tools.data.data_model import QueryLimits


async def test_what_mariadb_cuts_or_cannot_read_is_said(mysql: Server, tmp_path: Path) -> None:
    mysql.admin(
        "CREATE TABLE w (v VARCHAR(20))",
        "INSERT INTO w SELECT CONCAT(seq, ' EUR') FROM seq_1_to_500",
    )
    engine = mysql.engine()
    try:
        counted = (
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5000) "
            "SELECT count(*) AS c FROM r"
        )
        ran, rows = await asked(engine, counted, tmp_path)
        assert rows == [{"c": 1001}]
        assert len(ran.notes) == 1
        assert ran.notes[0].startswith("The server warns: ")
        assert "max_recursive_iterations" in ran.notes[0]

        summed = "SELECT sum(v) AS s FROM w"
        ran, _ = await asked(engine, summed, tmp_path)
        assert len(ran.notes) == 1
        assert "Truncated incorrect DOUBLE value" in ran.notes[0]
        assert ran.notes[0].endswith("(500 such warnings)")

        long = "SELECT length(group_concat(repeat(v, 1000))) AS g FROM w"
        ran, _ = await asked(engine, long, tmp_path)
        assert any("GROUP_CONCAT" in note for note in ran.notes)

        assert (await asked(engine, "SELECT v FROM w", tmp_path))[0].notes == ()
    finally:
        await engine.aclose()
        mysql.admin("DROP TABLE w")


@pytest.mark.parametrize(
    ("limits", "rows"),
    [
        (QueryLimits(rows_max=3), 20_000),
        (QueryLimits(bytes_max=20_000), 20_000),
        # The server is through with it before the first row is read.
        (QueryLimits(rows_max=3), 20),
    ],
)
async def test_what_mariadb_warns_of_in_an_answer_that_is_cut_is_said(
    mysql: Server, tmp_path: Path, limits: QueryLimits, rows: int
) -> None:
    mysql.admin(
        "CREATE TABLE w (v VARCHAR(20))",
        f"INSERT INTO w SELECT CONCAT(seq, ' EUR') FROM seq_1_to_{rows}",
    )
    engine = mysql.engine()
    try:
        cut = "SELECT v + 0 AS n, repeat(v, 50) AS t FROM w"
        ran, _ = await asked(engine, cut, tmp_path, limits)
        assert ran.truncated
        assert len(ran.notes) == 1
        assert "Truncated incorrect DOUBLE value" in ran.notes[0]
        assert "(at least " in ran.notes[0]

        plain = "SELECT v, repeat(v, 50) AS t FROM w"
        ran, _ = await asked(engine, plain, tmp_path, limits)
        assert ran.truncated
        assert ran.notes == ()
        assert mysql.running() == []
    finally:
        await engine.aclose()
        mysql.admin("DROP TABLE w")


async def test_what_postgresql_warns_of_is_said(postgres: Server, tmp_path: Path) -> None:
    postgres.admin(
        "CREATE FUNCTION warn() RETURNS int LANGUAGE plpgsql AS "
        "'BEGIN RAISE WARNING ''the figures are of last year''; RAISE NOTICE ''x''; RETURN 1; END'",
        "CREATE VIEW warned AS SELECT warn() AS a FROM generate_series(1, 3)",
    )
    engine = postgres.engine(postgres.admin_url)
    try:
        ran, rows = await asked(engine, "SELECT a FROM warned", tmp_path)
        assert len(rows) == 3
        assert ran.notes == ("The server warns: the figures are of last year (3 such warnings)",)
        first = QueryLimits(rows_max=1)
        ran, _ = await asked(engine, "SELECT a FROM warned", tmp_path, first)
        assert ran.truncated
        assert [note.partition(" (")[0] for note in ran.notes] == [
            "The server warns: the figures are of last year"
        ]
    finally:
        await engine.aclose()
        postgres.admin("DROP VIEW warned; DROP FUNCTION warn()")
