"""Workers of all sources share so many places; who waits is served in turn."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.data_model import QueryLimits
from dataagent_core.tools.data.sources.engines.engine_openers import (
    make_engine_opener,
    make_results_opener,
)
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool
from dataagent_core.tools.data.sources.source_kinds import make_source_spec
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots


class Running:
    """A guest with a process that ends when it is told to."""

    def __init__(self, *, alive: bool = True) -> None:
        self.alive = alive

    async def restart(self) -> None:
        self.alive = False


async def used(slots: WorkerSlots, worker: Running) -> None:
    async with slots.hold(worker, 0.1):
        worker.alive = True


async def test_the_longest_at_rest_gives_its_place(tmp_path: Path):
    slots, workers = WorkerSlots(2), [Running() for _ in range(4)]
    for worker in workers[:3]:
        await used(slots, worker)
    assert [worker.alive for worker in workers[:3]] == [False, True, True]
    # Who rests is asked again without losing its process.
    await used(slots, workers[1])
    await used(slots, workers[3])
    assert [worker.alive for worker in workers] == [False, True, False, True]


async def test_who_waits_is_served_in_turn():
    slots, order = WorkerSlots(1), list[int]()

    async def ask(number: int) -> None:
        async with slots.hold(Running(), 5):
            order.append(number)
            await asyncio.sleep(0)

    async with AsyncExitStack() as busy:
        await busy.enter_async_context(slots.hold(Running(), 1))
        tasks = [asyncio.create_task(ask(number)) for number in range(5)]
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert order == list(range(5))


async def test_who_waits_too_long_is_told_and_loses_nobodys_place():
    slots = WorkerSlots(1)
    async with slots.hold(Running(), 1):
        with pytest.raises(QueryFailedError, match="All 1 data workers are busy"):
            await used(slots, Running())
    await used(slots, Running())


@pytest.mark.parametrize("served", [False, True])
async def test_one_who_gives_up_waiting_passes_the_place_on(served: bool):
    slots = WorkerSlots(1)
    async with AsyncExitStack() as busy:
        await busy.enter_async_context(slots.hold(Running(), 1))
        waiting = asyncio.create_task(used(slots, Running()))
        await asyncio.sleep(0)
        if served:
            await busy.aclose()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    await used(slots, Running())
    async with slots.hold(Running(), 0.1):
        with pytest.raises(QueryFailedError):
            await used(slots, Running())


async def test_what_ended_or_was_closed_leaves_a_place():
    slots, gone, closed = WorkerSlots(1), Running(), Running()
    async with slots.hold(gone, 1):
        gone.alive = False
    await used(slots, closed)
    slots.forget(closed)
    slots.forget(closed)
    async with slots.hold(Running(), 0.1):
        with pytest.raises(QueryFailedError):
            await used(slots, Running())


async def test_many_sources_and_results_have_one_worker_where_one_is_allowed(tmp_path: Path):
    slots, scratch = WorkerSlots(1), tmp_path / "scratch"
    pool = EnginePool(make_engine_opener(scratch, slots=slots), slots=slots)
    limits = QueryLimits(timeout_s=30)

    async def ask(number: int) -> int:
        file = tmp_path / f"e{number}.csv"
        file.write_text("a\n1\n")
        opened = await pool.source(make_source_spec(f"e{number}", str(file), None))
        into = tmp_path / f"{number}.parquet"
        rows = (await opened.engine.query("SELECT 1 AS a", into, limits)).row_count
        assert len(list(scratch.glob("worker-*"))) <= 1
        return rows

    assert await asyncio.gather(*map(ask, range(3))) == [1] * 3
    spec = SourceSpec(name="results", kind="results", location="")
    tables = {"r_0123456789ab": tmp_path / "0.parquet"}
    engine = make_results_opener(scratch, slots=slots)(spec, tables)
    ran = await engine.query("SELECT * FROM r_0123456789ab", tmp_path / "r.parquet", limits)
    assert ran.row_count == 1
    await engine.aclose()
    assert await ask(5) == 1
    await pool.aclose()
