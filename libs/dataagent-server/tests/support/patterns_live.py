"""Patterns over REST, for tests: learned from real runs, or written by an admin."""

from typing import Any

from eventually import eventually
from live_server import Caller, LiveServer

GOAL = "look into the sales folder of {day}"
PATTERNS = "/agent/patterns"
WRITTEN: dict[str, Any] = {
    "name": "Weekly sales",
    "goal": "Sum up last week's sales by region",
    "steps": [{"description": "Query the sales", "tools": ["sql_query"]}],
}


async def request(
    live: LiveServer,
    who: Caller,
    method: str,
    path: str,
    body: Any = None,
    *,
    status: int = 200,
) -> Any:
    """Ask the API, and return what it answers with this status."""
    answer = await live.http.request(
        method,
        f"/api/v1{path}",
        headers=who.headers,
        **({} if body is None else {"json": body}),
    )
    assert answer.status_code == status, answer.text
    return None if status == 204 else answer.json()


async def list_patterns(live: LiveServer, who: Caller, query: str = "") -> list[Any]:
    return (await request(live, who, "GET", f"{PATTERNS}{query}"))["items"]


async def teach(live: LiveServer, who: Caller, *days: str, **body: Any) -> list[str]:
    """Do the same task on some days; return the runs once their pattern has counted them."""
    runs = [(await live.chat(who, GOAL.format(day=day), **body))["run_id"] for day in days]
    found: list[Any] = []

    async def counted() -> bool:
        found[:] = await list_patterns(live, who, "?mine=true")
        if not found:
            return False
        shown = await request(live, who, "GET", f"{PATTERNS}/{found[0]['id']}")
        return set(runs) <= {run["run_id"] for run in shown["runs"]}

    await eventually(counted)
    return runs
