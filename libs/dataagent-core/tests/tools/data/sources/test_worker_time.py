"""The time of a question covers the start of the process that answers it."""

import asyncio
import time

import pytest

from dataagent_core.errors import QueryFailedError
from dataagent_core.sandbox.port import Process
from dataagent_core.tools.data.sources.workers.worker import Worker


async def test_a_process_that_is_slow_to_start_is_given_up_in_time():
    async def start() -> Process:
        await asyncio.sleep(600)
        raise AssertionError

    worker = Worker(start, "The source 'slow'")
    began = time.monotonic()
    with pytest.raises(QueryFailedError, match=r"did not answer within 0\.1 s"):
        await worker.ask("query", {}, 0.1)
    assert time.monotonic() - began < 60
    await worker.aclose()
