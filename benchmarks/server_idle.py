"""1,000 idle WebSocket connections: memory of the server for each.

Baseline: a bare Starlette WebSocket that only waits, under the same uvicorn settings. The first
connections are left out: they pay for what the process imports once.
"""

import asyncio
import resource
from contextlib import AsyncExitStack

from server_clients import new_sessions, socket
from server_load import Served, folder, memory_mb, other_server, server

CONNECTIONS, WARM = 1000, 50
SETTLE_S = 2.0


async def kb_each(served: Served, sessions: list[str]) -> float:
    async with AsyncExitStack() as stack:
        for session in sessions[:WARM]:
            await stack.enter_async_context(socket(served.url, session))
        await asyncio.sleep(SETTLE_S)
        before = memory_mb(served.processes)
        for session in sessions[WARM:]:
            await stack.enter_async_context(socket(served.url, session))
        await asyncio.sleep(SETTLE_S)
        return (memory_mb(served.processes) - before) * 1024 / (len(sessions) - WARM)


async def ours(served: Served, connections: int) -> float:
    sessions = await new_sessions(served.url, connections + WARM)
    return await kb_each(served, sessions)


def main(connections: int = CONNECTIONS) -> dict[str, float]:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # handed on to the servers
    with folder() as home, server(home) as served:
        full = asyncio.run(ours(served, connections))
    with folder() as home, other_server("bare_websockets.py", home, "/ready") as served:
        names = [str(n) for n in range(connections + WARM)]
        bare = asyncio.run(kb_each(served, names))
    return {"idle_kb": full, "idle_bare_kb": bare, "idle_ratio": full / bare}


if __name__ == "__main__":
    print(main())
