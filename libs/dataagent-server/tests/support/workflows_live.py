"""Workflows of patterns over REST, for tests."""

from typing import Any

from live_server import Caller, LiveServer
from patterns_live import PATTERNS, list_patterns, request, teach

FILE = """\
name: look-around
pattern: any
goal: look into the sales folder of {{day}}
inputs:
  day:
    type: text
    example: monday
steps:
- tool: ls
  args:
    path: /
answer: looked on {{day}}
"""


def workflow_of(words: str) -> str:
    """Return a file with these words."""
    return FILE.replace("monday", words)


async def taught(live: LiveServer, who: Caller) -> Any:
    """Return a pattern that was done three times."""
    await teach(live, who, "monday", "tuesday", "wednesday")
    (pattern,) = await list_patterns(live, who)
    return pattern


async def ask(
    live: LiveServer,
    who: Caller,
    what: str,
    pattern: Any,
    body: Any = None,
    *,
    status: int = 200,
) -> Any:
    """Ask for the workflow of a pattern; `what` is a method and what follows in the path."""
    method, _, more = what.partition(" ")
    path = f"{PATTERNS}/{pattern['id']}/workflow{more}"
    return await request(live, who, method, path, body, status=status)


async def store(
    live: LiveServer, who: Caller, pattern: Any, text: str = FILE, *, status: int = 200
) -> Any:
    """Store a file over the newest version of a pattern."""
    now = await request(live, who, "GET", f"{PATTERNS}/{pattern['id']}")
    body = {"text": text, "version": now["version"]}
    return await ask(live, who, "PUT", pattern, body, status=status)
