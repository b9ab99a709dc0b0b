"""200 runs at once, each streaming 100 chunks 200 ms apart over a WebSocket of its own.

How long from the model's chunk to the client's frame, what the server needs for it, and how many
transactions it makes. Baseline: the same clients reading the model's endpoint with nothing of ours
between.
"""

import asyncio
import statistics
import time

import httpx
from server_clients import chat_in, new_sessions
from server_load import Cost, Served, endpoint, folder, server, watched
from server_wal import commits

RUNS, CHUNKS, DELAY_S = 200, 100, 0.2


async def direct(model: str) -> list[list[float]]:
    limits = httpx.Limits(max_connections=None)

    async def read(client: httpx.AsyncClient) -> list[float]:
        late: list[float] = []
        body = {"messages": [{"role": "user", "content": "go"}]}
        async with client.stream("POST", f"{model}/chat/completions", json=body) as answer:
            async for line in answer.aiter_lines():
                if '"content": "' in line:
                    sent = line.split('"content": "')[1].split()[0]
                    late.append(time.time() - float(sent))
        return late

    async with httpx.AsyncClient(trust_env=False, timeout=300, limits=limits) as client:
        return await asyncio.gather(*(read(client) for _ in range(RUNS)))


async def ours(served: Served) -> tuple[list[list[float]], Cost, int]:
    sessions = await new_sessions(served.url, RUNS)
    before = commits(served.database)

    async def all_chats() -> list[list[float]]:
        return await asyncio.gather(*(chat_in(served.url, session) for session in sessions))

    late, cost = await watched(served, all_chats())
    return late, cost, commits(served.database) - before


def p50_p95_ms(late: list[list[float]], chunks: int = CHUNKS) -> tuple[float, float]:
    every = [one * 1000 for run in late for one in run]
    if len(every) != RUNS * chunks:
        raise SystemExit(f"{len(every)} chunks came, not {RUNS * chunks}")
    return statistics.median(every), statistics.quantiles(every, n=20)[-1]


def measure(workers: int) -> dict[str, float]:
    with (
        folder() as home,
        endpoint(home, "chunks", str(CHUNKS), str(DELAY_S)) as model,
        server(home, model, workers=str(workers)) as served,
    ):
        late, cost, transactions = asyncio.run(ours(served))
    p50, p95 = p50_p95_ms(late)
    return {
        "p50_ms": p50,
        "p95_ms": p95,
        "peak_mb": cost.peak_mb,
        "cpu_s": cost.cpu_s,
        "commits_per_chunk": transactions / (RUNS * CHUNKS),
    }


def read_directly(chunks: int = CHUNKS) -> dict[str, float]:
    """Read the endpoint with nothing between; the CPU is that of the clients."""
    with folder() as home, endpoint(home, "chunks", str(chunks), str(DELAY_S)) as model:
        began = time.process_time()
        late = asyncio.run(direct(model))
        cpu_ms = (time.process_time() - began) * 1000
    p50, p95 = p50_p95_ms(late, chunks)
    chunk_cpu_ms = cpu_ms / (RUNS * chunks)
    return {"direct_p50_ms": p50, "direct_p95_ms": p95, "direct_chunk_cpu_ms": chunk_cpu_ms}


def main() -> dict[str, float]:
    figures = read_directly()
    for workers in (1, 2):
        figures |= {f"{name}_{workers}": value for name, value in measure(workers).items()}
    return figures | {"p95_ratio": figures["p95_ms_1"] / figures["direct_p95_ms"]}


if __name__ == "__main__":
    print(main())
