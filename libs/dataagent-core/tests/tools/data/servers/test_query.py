"""A query's rows arrive whole, within their limits, whatever names and sizes they have."""

from pathlib import Path

import pytest
from data_servers import Server, asked

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.sources.engines.server_engine import ServerEngine


def _numbers(server: Server, count: int) -> None:
    server.admin("CREATE TABLE n (i INT)")
    if server.kind == "postgres":
        server.admin(f"INSERT INTO n SELECT generate_series(1, {count})")
    else:
        server.admin(f"INSERT INTO n SELECT seq FROM seq_1_to_{count}")


async def test_rows_past_the_limit_are_left_out_and_said(
    server: Server, engine: ServerEngine, tmp_path: Path
) -> None:
    _numbers(server, 30_000)
    sql = "SELECT i FROM n ORDER BY i"
    ran, rows = await asked(engine, sql, tmp_path, QueryLimits(rows_max=15_000))
    assert (ran.row_count, ran.truncated) == (15_000, True)
    assert rows[-1] == {"i": 15_000}
    ran, _ = await asked(engine, sql, tmp_path, QueryLimits(rows_max=30_000))
    assert (ran.row_count, ran.truncated) == (30_000, False)


async def test_bytes_past_the_limit_are_left_out_and_said(
    server: Server, engine: ServerEngine, tmp_path: Path
) -> None:
    _numbers(server, 300)
    limits = QueryLimits(bytes_max=20_000_000)
    ran, _ = await asked(engine, "SELECT i, repeat('x', 200000) AS t FROM n", tmp_path, limits)
    assert ran.truncated
    assert 0 < ran.row_count < 200


@pytest.mark.slow
async def test_a_cell_of_100_megabytes_is_kept_or_refused_in_a_sentence(
    server: Server, engine: ServerEngine, tmp_path: Path
) -> None:
    sql = "SELECT repeat('0123456789', 10000000) AS t, 1 AS i"
    ran, rows = await asked(engine, sql, tmp_path)
    assert ran.row_count == 1
    assert len(rows[0]["t"]) == 100_000_000
    with pytest.raises(QueryFailedError, match="One row holds 100,000,001 bytes"):
        await asked(engine, sql, tmp_path, QueryLimits(bytes_max=50_000_000))


async def test_no_rows_and_equal_names_are_a_result(engine: ServerEngine, tmp_path: Path) -> None:
    ran, rows = await asked(engine, "SELECT 1 AS id, 2 AS id, 'x' AS ID_2", tmp_path)
    assert len({column.name.lower() for column in ran.columns}) == 3
    ran, rows = await asked(engine, "SELECT 1 AS a, 'x' AS b WHERE 1 = 0", tmp_path)
    assert (rows, ran.row_count, ran.truncated) == ([], 0, False)
    assert [column.name for column in ran.columns] == ["a", "b"]


async def test_names_with_quotes_capitals_and_other_alphabets_work(
    server: Server, engine: ServerEngine, tmp_path: Path
) -> None:
    quote = '"' if server.kind == "postgres" else "`"

    def quoted(name: str) -> str:
        return quote + name.replace(quote, quote * 2) + quote

    table, columns = """Or"d`er's 表""", ["Größe", 'a"b`c', "select", "列 %s"]
    server.admin(
        f"CREATE TABLE {quoted(table)} ({', '.join(f'{quoted(c)} INT' for c in columns)})",
        f"INSERT INTO {quoted(table)} VALUES (1, 2, 3, 4)",
    )
    catalogue = await engine.catalogue()
    assert [t.name for t in catalogue.tables] == [table]
    assert [c.name for c in catalogue.tables[0].columns] == columns
    _, rows = await asked(engine, f"SELECT * FROM {quoted(table)}", tmp_path)
    assert rows == [dict(zip(columns, (1, 2, 3, 4), strict=True))]
    profiles = await engine.profile(catalogue.tables[0], columns, 10)
    assert [profile.maximum for profile in profiles] == ["1", "2", "3", "4"]


async def test_1600_columns_are_read(postgres: Server, tmp_path: Path) -> None:
    columns = ", ".join(f"c{n} SMALLINT DEFAULT {n}" for n in range(1_600))
    postgres.admin(f"CREATE TABLE wide ({columns})", "INSERT INTO wide DEFAULT VALUES")
    engine = postgres.engine()
    ran, rows = await asked(engine, "SELECT * FROM wide", tmp_path)
    catalogue = await engine.catalogue()
    await engine.aclose()
    assert len(ran.columns) == len(catalogue.tables[0].columns) == 1_600
    assert rows[0]["c1599"] == 1_599


async def test_a_table_dropped_after_the_catalogue_was_read_is_a_sentence(
    server: Server, engine: ServerEngine, tmp_path: Path
) -> None:
    server.admin("CREATE TABLE gone (i INT)")
    before = await engine.catalogue()
    server.admin("DROP TABLE gone")
    assert await engine.fingerprint() != before.fingerprint
    with pytest.raises(QueryFailedError, match="the schema was changed"):
        await asked(engine, "SELECT * FROM gone", tmp_path)


async def test_nothing_is_left_in_the_folder_of_a_failed_query(
    engine: ServerEngine, tmp_path: Path
) -> None:
    with pytest.raises(QueryFailedError):
        await asked(engine, "SELECT 1 / 0 + nothing", tmp_path)
    assert list(tmp_path.iterdir()) == []
