"""A query past its time, or given up, is over: here and on the server."""

import asyncio
import time
from pathlib import Path

import pytest
from data_servers import Server, asked, until

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.sources.engines.server_engine import ServerEngine

# Sleeps without sending a row, and computes without one.
_SLOW = {
    "postgres": [
        "SELECT pg_sleep(60)",
        "SELECT count(*) FROM generate_series(1, 10000000000)",
    ],
    "mysql": [
        "SELECT SLEEP(60)",
        "SELECT COUNT(*) FROM seq_1_to_100000 a JOIN seq_1_to_100000 b ON a.seq % 7 <> b.seq % 9",
    ],
}


@pytest.mark.parametrize("number", [0, 1])
async def test_a_late_query_is_stopped_and_the_source_stays_well(
    server: Server, engine: ServerEngine, tmp_path: Path, number: int
) -> None:
    await asked(engine, "SELECT 1 AS one", tmp_path)
    began = time.monotonic()
    with pytest.raises(QueryFailedError, match="and was stopped"):
        await asked(engine, _SLOW[server.kind][number], tmp_path, QueryLimits(timeout_s=1))
    assert time.monotonic() - began < 50
    until(lambda: not server.running(), 1, "the server is idle")
    _, rows = await asked(engine, "SELECT 1 AS one", tmp_path)
    assert rows == [{"one": 1}]


@pytest.mark.parametrize("number", [0, 1])
async def test_a_query_given_up_ends_on_the_server_too(
    server: Server, engine: ServerEngine, tmp_path: Path, number: int
) -> None:
    asking = asyncio.create_task(
        asked(engine, _SLOW[server.kind][number], tmp_path, QueryLimits(timeout_s=60))
    )
    while not server.running():
        await asyncio.sleep(0.02)
        assert not asking.done()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    until(lambda: not server.running(), 1, "the server is idle")
    _, rows = await asked(engine, "SELECT 1 AS one", tmp_path)
    assert rows == [{"one": 1}]
    assert list(tmp_path.glob("*.part")) == []


async def test_ending_one_query_leaves_another_of_the_same_source_alone(
    server: Server, engine: ServerEngine, tmp_path: Path
) -> None:
    short = {"postgres": "SELECT pg_sleep(4), 1 AS one", "mysql": "SELECT SLEEP(4), 1 AS one"}
    other = asyncio.create_task(asked(engine, short[server.kind], tmp_path))
    late = asyncio.create_task(asked(engine, _SLOW[server.kind][0], tmp_path))
    while len(server.running()) < 2:
        await asyncio.sleep(0.02)
        assert not late.done()
    late.cancel()
    with pytest.raises(asyncio.CancelledError):
        await late
    _, rows = await other
    assert rows[0]["one"] == 1


async def test_a_result_cut_short_leaves_nothing_running(
    server: Server, engine: ServerEngine, tmp_path: Path
) -> None:
    many = {
        "postgres": "SELECT generate_series(1, 100000000) AS i, repeat('x', 1000) AS t",
        "mysql": "SELECT seq, REPEAT('x', 1000) AS t FROM seq_1_to_100000000",
    }
    began = time.monotonic()
    ran, _ = await asked(engine, many[server.kind], tmp_path, QueryLimits(rows_max=10))
    assert time.monotonic() - began < 60
    assert (ran.row_count, ran.truncated) == (10, True)
    until(lambda: not server.running(), 1, "the server is idle")


async def test_a_lock_of_somebody_else_is_not_waited_for(postgres: Server, tmp_path: Path) -> None:
    import psycopg

    postgres.admin("CREATE TABLE t (i INT)")
    engine = postgres.engine()
    with psycopg.connect(postgres.admin_url) as holder:
        holder.execute("LOCK TABLE t IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(QueryFailedError, match="holds a lock"):
            await asked(engine, "SELECT * FROM t", tmp_path)
    _, rows = await asked(engine, "SELECT * FROM t", tmp_path)
    await engine.aclose()
    assert rows == []


async def test_a_connection_the_server_ends_is_a_sentence(
    server: Server, engine: ServerEngine, tmp_path: Path
) -> None:
    asking = asyncio.create_task(asked(engine, _SLOW[server.kind][0], tmp_path))
    while not server.running():
        await asyncio.sleep(0.02)
        assert not asking.done()
    for row in server.running():
        kill = "SELECT pg_terminate_backend({})" if server.kind == "postgres" else "KILL {}"
        server.admin(kill.format(row[0]))
    with pytest.raises(QueryFailedError) as failed:
        await asking
    assert "Traceback" not in str(failed.value)
    _, rows = await asked(engine, "SELECT 1 AS one", tmp_path)
    assert rows == [{"one": 1}]
