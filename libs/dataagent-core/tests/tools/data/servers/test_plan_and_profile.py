"""What a server says a query will cost, and what a sample of a table looks like."""

from pathlib import Path

import pytest
from data_servers import Server, asked

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.sources.engines.server_engine import ServerEngine


def _many(server: Server) -> None:
    server.admin("CREATE TABLE n (i INT PRIMARY KEY, word VARCHAR(20), x DECIMAL(10, 2) NULL)")
    rows = "SELECT {i}, CASE WHEN {i} % 4 = 0 THEN 'four' ELSE 'other' END, NULLIF({i} % 2, 0)"
    if server.kind == "postgres":
        server.admin(
            f"INSERT INTO n {rows.format(i='i')} FROM generate_series(1, 5000) AS i", "ANALYZE n"
        )
    else:
        server.admin(f"INSERT INTO n {rows.format(i='seq')} FROM seq_1_to_5000", "ANALYZE TABLE n")


async def test_a_query_is_estimated_and_not_run(
    server: Server, engine: ServerEngine, tmp_path: Path
) -> None:
    _many(server)
    small = await engine.estimate("SELECT * FROM n WHERE i = 7")
    large = await engine.estimate("SELECT * FROM n AS a CROSS JOIN n AS b")
    assert small.rows == 1
    assert large.rows is not None
    assert large.rows > 10_000_000
    assert large.cost is not None
    assert large.cost > (small.cost or 0)
    assert "n" in large.plan
    assert len(large.plan) < 4_001
    _, rows = await asked(engine, "SELECT count(*) AS c FROM n", tmp_path)
    assert rows == [{"c": 5_000}]


async def test_a_profile_counts_on_a_sample(server: Server, engine: ServerEngine) -> None:
    _many(server)
    (table,) = (await engine.catalogue()).tables
    i, word, x = await engine.profile(table, ["i", "word", "x"], 5_000)
    assert (i.minimum, i.maximum, i.distinct, i.mean) == ("1", "5000", 5_000, 2_500.5)
    assert word.top == (("other", 3_750), ("four", 1_250))
    assert word.samples == ("other", "four")
    assert x.nulls_fraction == 0.5
    assert x.mean == 1.0


async def test_a_large_postgresql_table_is_sampled_where_it_lies(postgres: Server) -> None:
    postgres.admin(
        "CREATE TABLE big AS SELECT i FROM generate_series(1, 400000) AS i", "ANALYZE big"
    )
    engine = postgres.engine()
    (table,) = (await engine.catalogue()).tables
    (profile,) = await engine.profile(table, ["i"], 1_000)
    await engine.aclose()
    assert profile.distinct == 1_000
    assert int(profile.maximum or 0) > 1_000


async def test_a_plan_takes_no_longer_than_it_may(postgres: Server) -> None:
    # What is constant is computed while it plans: here some seconds.
    slow = "SELECT " + " || ".join(f"md5(repeat('x', {n}00000000))" for n in range(1, 10))
    engine = postgres.engine()
    try:
        with pytest.raises(QueryFailedError):
            await engine.estimate(slow, 0.5)
    finally:
        await engine.aclose()
