"""Transactions of one streamed run: one per batch of events, not one per chunk.

Baseline: one transaction per chunk. The chunks come 5 ms apart; a batch is what comes within
`TEXT_BATCH_S`. Counted in the file itself, so that nothing is left out (`server_wal.py`).
"""

import asyncio

from server_clients import chat_in, new_sessions
from server_load import Served, endpoint, folder, server, watched
from server_wal import commits

from dataagent_core.config.limits import TEXT_BATCH_S

CHUNKS, DELAY_S = 1000, 0.005


async def one_run(served: Served) -> tuple[int, float]:
    warm, session = await new_sessions(served.url, 2)
    await chat_in(served.url, warm)
    before = commits(served.database)
    _, cost = await watched(served, chat_in(served.url, session))
    return commits(served.database) - before, cost.took_s


def main() -> dict[str, float]:
    with (
        folder() as home,
        endpoint(home, "chunks", str(CHUNKS), str(DELAY_S)) as model,
        server(home, model) as served,
    ):
        transactions, took_s = asyncio.run(one_run(served))
    return {
        "commits_chunks": CHUNKS,
        "commits_batches": took_s / TEXT_BATCH_S,
        "commits": transactions,
        "commits_ratio": transactions / CHUNKS,
    }


if __name__ == "__main__":
    print(main())
