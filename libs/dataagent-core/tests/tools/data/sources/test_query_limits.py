"""A query past its limits is dead within a second, its memory returned, and the next one works."""

import asyncio
import time
from pathlib import Path

import psutil
import pytest
from asking import asking

from dataagent_core.errors import QueryFailedError

BOMBS = {
    "cross join": "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range + b.range < 0",
    "recursive": "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT sum(n) FROM r",
    "regular expression": "SELECT count(*) FROM range(100000000) t(n) WHERE regexp_matches(repeat('a', 1000) || n, '(a|aa)+$')",
}
WAYS = pytest.mark.parametrize("sandboxed", [True, False], ids=["sandbox", "plain"])


def all_inside_one_plain(*bombs: str) -> list[tuple[str, bool]]:
    """Try each in the sandbox; without it what stops one stops the others, and one is enough."""
    return [*((bomb, True) for bomb in bombs), (bombs[0], False)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "a.csv"
    made.write_text("v\n1\n2\n")
    return made


def workers() -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for process in psutil.Process().children(recursive=True):
        try:
            if (
                "worker_programs.duckdb_program" in process.cmdline()
                and process.status() != "zombie"
            ):
                found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.mark.parametrize(("bomb", "sandboxed"), all_inside_one_plain(*BOMBS))
async def test_a_late_query_is_stopped(path: Path, tmp_path: Path, bomb: str, sandboxed: bool):
    async with asking(path, tmp_path, sandboxed=sandboxed) as ask:
        assert await ask.rows("SELECT sum(v) FROM a") == [(3,)]
        began = time.monotonic()
        with pytest.raises(
            QueryFailedError, match=r"did not answer within (1|0\.9\d*) s and was stopped"
        ):
            await ask.rows(BOMBS[bomb], timeout_s=1.0)
        assert time.monotonic() - began < 60
        assert workers() == []
        assert await ask.rows("SELECT sum(v) FROM a") == [(3,)]


@pytest.mark.parametrize(
    ("bomb", "sandboxed"),
    all_inside_one_plain(
        "SELECT string_agg(repeat('x', 1000000), '') FROM range(10000)",
        "SELECT list(n) FROM range(1000000000) t(n)",
        "SELECT length(repeat('x', 2000000000) || repeat('y', 2000000000))",
        "SELECT n, list(n) OVER () FROM range(1000000) t(n)",
    ),
)
async def test_a_memory_bomb_ends_in_a_sentence_and_the_next_query_works(
    path: Path, tmp_path: Path, bomb: str, sandboxed: bool
):
    async with asking(path, tmp_path, sandboxed=sandboxed) as ask:
        with pytest.raises(QueryFailedError) as caught:
            await ask.rows(bomb, memory_bytes=300_000_000, timeout_s=20.0)
        assert "Traceback" not in str(caught.value)
        assert len(str(caught.value)) < 600
        assert await ask.rows("SELECT sum(v) FROM a") == [(3,)]


@WAYS
async def test_a_cancelled_query_is_dead_too(path: Path, tmp_path: Path, sandboxed: bool):
    async with asking(path, tmp_path, sandboxed=sandboxed) as ask:
        await ask.rows("SELECT 1")
        asked = asyncio.create_task(ask.rows(BOMBS["cross join"]))
        deadline = time.monotonic() + 10
        while sum(worker.cpu_times().user for worker in workers()) < 1.0:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert workers() == []
        assert await ask.rows("SELECT sum(v) FROM a") == [(3,)]


async def test_a_large_sort_spills_to_disk_and_the_disk_is_given_back(path: Path, tmp_path: Path):
    sql = "SELECT n FROM range(8000000) t(n) ORDER BY hash(n), n::VARCHAR LIMIT 5 OFFSET 7000000"
    async with asking(path, tmp_path) as ask:
        ran, rows = await ask.ran(sql, memory_bytes=200_000_000, timeout_s=100.0)
        assert (ran.row_count, len(rows)) == (5, 5)
    assert list((tmp_path / "scratch").iterdir()) == []


# The engine computes what is constant while it plans: minutes, if it is let.
FOLDED = "SELECT levenshtein(repeat('a', 600000), repeat('b', 600000)) AS s"


@WAYS
async def test_a_plan_that_computes_is_stopped_too(path: Path, tmp_path: Path, sandboxed: bool):
    async with asking(path, tmp_path, sandboxed=sandboxed) as ask:
        assert await ask.rows("SELECT sum(v) FROM a") == [(3,)]
        began = time.monotonic()
        with pytest.raises(QueryFailedError, match=r"within 0\.5 s"):
            await ask.engine.estimate(FOLDED, 0.5)
        with pytest.raises(QueryFailedError, match=r"within 0\.\d+ s"):
            await ask.rows(FOLDED, timeout_s=0.5)
        assert time.monotonic() - began < 60
        assert await ask.rows("SELECT sum(v) FROM a") == [(3,)]
