"""Memories over REST, for tests."""

from typing import Any

from live_server import Caller, LiveServer
from patterns_live import request

MEMORIES = "/memories"


async def remember(live: LiveServer, who: Caller, content: str, **more: Any) -> Any:
    """Add a memory, and return it."""
    told = await request(live, who, "POST", MEMORIES, {"content": content, **more}, status=201)
    return told["memory"]


async def list_contents(live: LiveServer, who: Caller, query: str = "") -> list[str]:
    """Return what is remembered, the newest first."""
    page = await request(live, who, "GET", f"{MEMORIES}{query}")
    return [one["content"] for one in page["items"]]


async def search(live: LiveServer, who: Caller, query: str, **more: Any) -> list[Any]:
    """Return what a search finds."""
    told = await request(live, who, "POST", f"{MEMORIES}/search", {"query": query, **more})
    return told["results"]
