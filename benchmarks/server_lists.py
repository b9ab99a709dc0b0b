"""Session list and message page over REST, with 100,000 sessions, on each database: p95.

Baseline: the same requests in the same server when it held 100 sessions.
"""

import asyncio
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from itertools import cycle, islice
from typing import Any

import httpx
from server_clients import new_sessions, rest
from server_load import HERE, Served, folder, server
from server_rows import fill_sessions, make_schema, opened

SESSIONS, FEW = 100_000, 100
REQUESTS, RARE = 200, 50
KINDS = ("sqlite", "mariadb", "postgresql")

# The tests' own services, which start and end with whoever asks.
sys.path.insert(0, str(HERE.parent))


@contextmanager
def service(kind: str) -> Generator[str]:
    """Start a database of its own; give its address."""
    from tests.services.mariadb import MariaDBService
    from tests.services.postgresql import PostgreSQLService

    started = {"mariadb": MariaDBService, "postgresql": PostgreSQLService}[kind]()
    try:
        started.start()
        started.client.create("bench")
        yield started.client.url("bench")
    finally:
        started.remove()


async def p95_ms(client: httpx.AsyncClient, requests: list[tuple[str, dict[str, Any]]]) -> float:
    samples: list[float] = []
    for path, query in requests:
        began = time.perf_counter()
        answer = await client.get(path, params=query)
        samples.append((time.perf_counter() - began) * 1000)
        answer.raise_for_status()
    return sorted(samples)[int(len(samples) * 0.95)]


async def deep_pages_ms(client: httpx.AsyncClient) -> float:
    """Leaf through a list from its beginning, and begin again at its end."""
    samples: list[float] = []
    after: dict[str, str] = {}
    for _ in range(REQUESTS):
        began = time.perf_counter()
        answer = await client.get("/api/v1/sessions", params=after)
        samples.append((time.perf_counter() - began) * 1000)
        following = answer.raise_for_status().json()["next"]
        after = {"after": following} if following else {}
    return sorted(samples)[int(REQUESTS * 0.95)]


async def all_kinds(url: str, talked: list[str]) -> dict[str, float]:
    async with rest(url) as client:
        await client.get("/api/v1/sessions")
        named = islice(cycle(talked), REQUESTS)
        page = {"limit": 50, "offset": 20}
        messages = [(f"/api/v1/sessions/{one}/messages", page) for one in named]
        return {
            "list": await deep_pages_ms(client),
            "search": await p95_ms(client, [("/api/v1/sessions", {"q": "things"})] * REQUESTS),
            # Found in one title, so that every session of the person has to be looked at.
            "rare": await p95_ms(client, [("/api/v1/sessions", {"q": "title 51 of"})] * RARE),
            "messages": await p95_ms(client, messages),
        }


async def measure(served: Served, url: str) -> tuple[dict[str, float], dict[str, float]]:
    [like] = await new_sessions(served.url, 1)
    async with opened(url) as database:
        few = await all_kinds(served.url, await fill_sessions(database, like, FEW))
        many = await all_kinds(served.url, await fill_sessions(database, like, SESSIONS, FEW))
    return few, many


def on(kind: str) -> dict[str, float]:
    with folder() as home:
        if kind == "sqlite":
            with server(home) as served:
                few, many = asyncio.run(measure(served, f"sqlite:///{served.database}"))
        else:
            with service(kind) as url:
                asyncio.run(make_schema(url))
                with server(home, database_url=url) as served:
                    few, many = asyncio.run(measure(served, url))
    return {
        f"{kind}_{what}_{name}": value
        for what in few
        for name, value in (
            ("few_ms", few[what]),
            ("ms", many[what]),
            ("ratio", many[what] / few[what]),
        )
    }


def main() -> dict[str, float]:
    return {k: v for kind in KINDS for k, v in on(kind).items()}


if __name__ == "__main__":
    print(main())
