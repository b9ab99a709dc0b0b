"""What waits is written together and in order, and nobody waits for ever."""

import asyncio
from collections.abc import Sequence

import pytest

from dataagent_server.stores.batches import Batches, QueuedItem

Batch = Sequence[QueuedItem[int, int]]


async def test_what_comes_while_one_is_written_goes_into_the_next_in_order():
    written: list[list[int]] = []

    async def write(batch: Batch) -> None:
        await asyncio.sleep(0)
        written.append([waiting.item for waiting in batch])
        for waiting in batch:
            waiting.written(waiting.item * 10)

    batches = Batches(write, together_max=4)
    assert await asyncio.gather(*map(batches.put, range(7))) == [n * 10 for n in range(7)]
    assert written == [[0, 1, 2, 3], [4, 5, 6]]


async def test_a_batch_that_fails_is_told_to_its_callers_and_the_next_is_written():
    async def write(batch: Batch) -> None:
        for waiting in batch:
            if waiting.item == 0:
                raise OSError("the disk is full")
            waiting.written(waiting.item)

    batches = Batches(write, together_max=1)
    first, second = await asyncio.gather(batches.put(0), batches.put(1), return_exceptions=True)
    assert isinstance(first, OSError)
    assert second == 1


async def test_a_writer_that_is_stopped_in_the_middle_leaves_nobody_waiting():
    begun = asyncio.Event()

    async def write(_: Batch) -> None:
        writing = asyncio.current_task()
        assert writing is not None
        writing.cancel()
        begun.set()
        await asyncio.sleep(60)

    batches = Batches(write, together_max=4)
    put = asyncio.create_task(batches.put(0))
    await begun.wait()
    async with asyncio.timeout(60):
        with pytest.raises(asyncio.CancelledError):
            await put
