"""Clients of our server: sessions over REST, talk over WebSockets."""

import json
import time

import httpx
from server_load import HEADERS
from websockets.asyncio.client import ClientConnection, connect


def rest(url: str) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=None)
    return httpx.AsyncClient(
        base_url=url, headers=HEADERS, trust_env=False, timeout=300, limits=limits
    )


async def new_sessions(url: str, count: int) -> list[str]:
    async with rest(url) as client:
        made: list[str] = []
        for _ in range(count):
            answer = await client.post("/api/v1/sessions", json={})
            made.append(answer.raise_for_status().json()["session_id"])
        return made


def socket(url: str, session: str, after: int | None = None) -> connect:
    query = "" if after is None else f"?after={after}"
    address = f"{url.replace('http', 'ws', 1)}/ws/chat/{session}{query}"
    return connect(address, additional_headers=HEADERS, proxy=None, max_size=None, compression=None)


async def chat(connection: ClientConnection) -> list[float]:
    """Ask, read to the end, and return how late each piece of text was."""
    late: list[float] = []
    await connection.send(json.dumps({"type": "chat", "payload": {"message": "go"}}))
    async for text in connection:
        now = time.time()
        frame = json.loads(text)
        match frame["event_type"]:
            case "text" if not frame["data"]["is_final"]:
                late += [now - float(sent) for sent in frame["data"]["content"].split()]
            case "done":
                if frame["data"]["reason"] != "completed":
                    raise SystemExit(f"a run ended with {frame['data']}")
                return late
            case "error":
                raise SystemExit(f"a run failed: {text}")
            case _:
                pass
    raise SystemExit("a connection ended before its run")


async def chat_in(url: str, session: str) -> list[float]:
    async with socket(url, session) as connection:
        return await chat(connection)
