"""Engines are closed when nobody uses them, all of them at the end, and nothing is left."""

import asyncio
import itertools
import os
import time
from pathlib import Path

import pytest

from dataagent_core.config.limits.data import DATA_WORKERS_OF_SOURCE_MAX
from dataagent_core.errors import ConflictError, QueryFailedError
from dataagent_core.sandbox.processes.completion import run_to_completion
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.sources.engines.engine_openers import make_engine_opener
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool, OpenSource
from dataagent_core.tools.data.sources.engines.file_engine import FileEngine
from dataagent_core.tools.data.sources.source_kinds import make_source_spec

_NUMBERS = itertools.count()
BOMB = "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range + b.range < 0"


class Sources:
    """Small files, and the pool over them."""

    def __init__(self, folder: Path, engines_max: int) -> None:
        self.folder = folder
        self.scratch = folder / "scratch"
        self.pool = EnginePool(make_engine_opener(self.scratch), engines_max)

    async def opened(self, number: int) -> OpenSource:
        file = self.folder / f"e{number}.csv"
        file.write_text("a\n1\n")
        return await self.pool.source(make_source_spec(f"e{number}", str(file), None))

    async def ask(self, number: int, sql: str = "SELECT 1 AS a", timeout_s: float = 20.0) -> int:
        opened = await self.opened(number)
        into = self.folder / f"{next(_NUMBERS)}.parquet"
        return (await opened.engine.query(sql, into, QueryLimits(timeout_s=timeout_s))).row_count

    @property
    def workers(self) -> int:
        return len(list(self.scratch.glob("worker-*")))

    async def working(self, count: int) -> None:
        deadline = time.monotonic() + 20
        while self.workers < count:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)

    @property
    def left(self) -> list[Path]:
        return list(self.scratch.iterdir()) if self.scratch.exists() else []


async def test_many_sources_at_once_keep_to_the_limit_and_leave_nothing(tmp_path: Path):
    sources = Sources(tmp_path, engines_max=2)
    seen: list[int] = []

    async def ask(number: int) -> int:
        rows = await sources.ask(number % 4)
        seen.append(sources.workers)
        return rows

    assert await asyncio.gather(*map(ask, range(8))) == [1] * 8
    assert max(seen) <= 2 * DATA_WORKERS_OF_SOURCE_MAX
    await sources.pool.aclose()
    assert sources.left == []


async def test_what_was_opened_before_another_took_its_place_is_asked_all_the_same(tmp_path: Path):
    sources = Sources(tmp_path, engines_max=1)
    first = await sources.opened(0)
    await first.catalogue.get()
    assert await sources.ask(1) == 1
    assert [t.name for t in (await first.engine.catalogue()).tables] == ["e0"]
    assert sources.workers == 1
    await sources.pool.aclose()
    assert sources.left == []


async def test_closing_ends_what_is_under_way_and_refuses_what_comes_after(tmp_path: Path):
    sources = Sources(tmp_path, engines_max=2)
    slow = asyncio.create_task(sources.ask(0, BOMB, timeout_s=60))
    await sources.working(1)
    began = time.monotonic()
    await sources.pool.aclose()
    with pytest.raises(ConflictError, match="closed"):
        await slow
    assert time.monotonic() - began < 50
    assert sources.left == []
    with pytest.raises(ConflictError, match="closed"):
        await sources.ask(0)


async def test_who_finds_no_place_is_told_so_in_time(tmp_path: Path):
    sources = Sources(tmp_path, engines_max=1)
    slow = asyncio.create_task(sources.ask(0, BOMB, timeout_s=60))
    await sources.working(1)
    began = time.monotonic()
    with pytest.raises(QueryFailedError, match="has to wait: 1 other sources"):
        await sources.ask(1, timeout_s=0.5)
    assert time.monotonic() - began < 50
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    assert await sources.ask(1) == 1
    await sources.pool.aclose()


async def test_a_short_question_passes_a_long_one_and_a_full_house_says_busy(tmp_path: Path):
    sources = Sources(tmp_path, engines_max=1)
    assert await sources.ask(0) == 1
    slow = [asyncio.create_task(sources.ask(0, BOMB, timeout_s=60)) for _ in range(2)]
    await sources.working(2)
    assert await sources.ask(0) == 1
    slow.append(asyncio.create_task(sources.ask(0, BOMB, timeout_s=60)))
    # It is the third as soon as it has its turn.
    said, began = "", time.monotonic()
    while not said and not slow[-1].done():
        began = time.monotonic()
        try:
            await sources.ask(0, timeout_s=1)
        except QueryFailedError as error:
            said = str(error)
    assert "e0 is busy with 3 other questions" in said
    assert time.monotonic() - began < 50
    await sources.pool.aclose()
    assert all(
        isinstance(r, Exception) for r in await asyncio.gather(*slow, return_exceptions=True)
    )
    assert sources.left == []


async def test_waiting_counts_towards_the_time_of_a_query(tmp_path: Path):
    sources = Sources(tmp_path, engines_max=1)
    assert await sources.ask(0) == 1
    began = time.monotonic()
    late = [sources.ask(0, BOMB, timeout_s=2) for _ in range(90)]
    ended = await asyncio.gather(*late, return_exceptions=True)
    assert all(isinstance(one, QueryFailedError) for one in ended)
    # One after the other, three at a time, they would take a minute.
    assert time.monotonic() - began < 50
    assert sources.left == []
    await sources.pool.aclose()


async def test_a_closed_engine_starts_nothing(tmp_path: Path):
    file = tmp_path / "a.csv"
    file.write_text("a\n1\n")
    engine = FileEngine(make_source_spec("a", str(file), None), scratch=tmp_path / "scratch")
    await engine.catalogue()
    await run_to_completion(engine.aclose())
    with pytest.raises(ConflictError, match="closed"):
        await engine.catalogue()
    assert list((tmp_path / "scratch").iterdir()) == []


async def test_folders_of_killed_processes_are_swept_away_and_others_are_not(tmp_path: Path):
    sources = Sources(tmp_path, engines_max=1)
    stale, fresh = sources.scratch / "worker-stale", sources.scratch / "worker-fresh"
    for folder in (stale, fresh):
        folder.mkdir(parents=True)
    os.utime(stale, (1, 1))
    assert await sources.ask(0) == 1
    (own,) = {path for path in sources.left if path.name.startswith("worker-")} - {fresh}
    os.utime(own, (1, 1))
    other = Sources(tmp_path, engines_max=1)
    assert await other.ask(1) == 1
    assert not stale.exists()
    assert own.exists()
    assert fresh.exists()
    assert await sources.ask(0) == 1
    await sources.pool.aclose()
    await other.pool.aclose()
