"""Replay of a session of 10,000 events over WebSocket and server-sent events, in events per second.

Baseline: the same events read from the log alone, in the server's own pages, as lines that nobody
parses, renders or sends: the ratio is what serving them costs, and cannot come near 1. The
reader only counts bytes, so that its own parsing is not what is measured; a second WebSocket
reader is the `websockets` library, as a Python program would use it.
"""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from server_clients import new_sessions, socket
from server_load import KEY, Served, folder, server
from server_rows import log_with, opened

from dataagent_server.sessions.live.limits import READ_PAGE_EVENTS

EVENTS, ROUNDS = 10_000, 5
UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


async def read_until(url: str, path: str, headers: str, last: bytes) -> None:
    """Ask with plain bytes and read until the last event has begun to come."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    head = f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nX-API-Key: {KEY}\r\n{headers}\r\n"
    writer.write(head.encode())
    tail = b""
    while last not in tail:
        data = await reader.read(1 << 20)
        if not data:
            raise SystemExit(f"{path} ended before its last event: {tail!r}")
        tail = tail[-len(last) :] + data
    writer.close()


async def with_library(url: str, session: str) -> None:
    last = b""
    async with socket(url, session, after=0) as connection:
        for _ in range(EVENTS):
            last = await connection.recv(decode=False)
        if f'"seq":{EVENTS},'.encode() not in last:
            raise SystemExit(f"the last of {EVENTS} frames was {last[:200]!r}")


async def per_s(replay: Callable[[], Awaitable[None]]) -> float:
    samples: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        await replay()
        samples.append(EVENTS / (time.perf_counter() - began))
    return statistics.median(samples)


async def measure(served: Served) -> dict[str, float]:
    [session] = await new_sessions(served.url, 1)
    async with opened(f"sqlite:///{served.database}") as database:
        log = await log_with(database, session, EVENTS)

        async def pages() -> None:
            after = count = 0
            while page := await log.read_lines(session, after, READ_PAGE_EVENTS):
                after, count = page[-1][0], count + len(page)
            if count != EVENTS:
                raise SystemExit(f"the log gave {count} events, not {EVENTS}")

        alone = await per_s(pages)
    sse = f"/api/v1/sessions/{session}/events/stream"
    websocket = f"/ws/chat/{session}?after=0"
    url, seq = served.url, f'"seq":{EVENTS},'.encode()
    figures = {
        "replay_log_per_s": alone,
        "replay_websocket_per_s": await per_s(lambda: read_until(url, websocket, UPGRADE, seq)),
        "replay_library_per_s": await per_s(lambda: with_library(url, session)),
        "replay_sse_per_s": await per_s(
            lambda: read_until(url, sse, "", f"\nid: {EVENTS}\n".encode())
        ),
    }
    return figures | {"replay_ratio": figures["replay_websocket_per_s"] / alone}


def main() -> dict[str, float]:
    with folder() as home, server(home) as served:
        return asyncio.run(measure(served))


if __name__ == "__main__":
    print(main())
