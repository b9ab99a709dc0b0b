"""Callers side by side against one budget, and what reserving and settling costs.

100 callers that each make calls until they are refused, against a budget of N calls, on the books
of core: never more than N are made. The same with 100 real sub-agents of one run. Then the time of
one reserve and settle, without a budget (only counted), and with three that apply, beside a plain
SQLite transaction of the same database.
"""

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from folders import new_folder

CALLERS = 100
CALLS = 250
ROUNDS = 300


async def calls_made(book: Any, calls: int) -> int:
    """Let every caller make calls until the budget is used; count the calls."""
    from dataagent_core.usage import (
        Amount,
        Budget,
        BudgetKey,
        CallUse,
        Reservation,
        RunAccount,
        Spender,
        TokenUsage,
    )

    budget = Budget(key=BudgetKey("user", "ada", "day"), tokens_max=calls * 100)
    made = 0

    async def caller(number: int) -> None:
        nonlocal made
        who = Spender(tenant_id="t", run_id=f"r{number}", session_id="s", user_id="ada")
        account = RunAccount(spender=who, book=book, budgets=[budget])
        while isinstance(held := await account.reserve(Amount(100, 0)), Reservation):
            made += 1
            await account.settle(held, CallUse(tokens=TokenUsage(input=100), cost_nano=0))

    await asyncio.gather(*(caller(number) for number in range(CALLERS)))
    return made


async def sub_agents(home: Path) -> dict[str, float]:
    """Run an agent that starts 100 sub-agents at once under a limit that few of them fit into."""
    from dataagent_core.config import Settings
    from dataagent_core.engine import AgentConfig, AgentFactory
    from dataagent_core.models import Script, ScriptedChatModel
    from dataagent_core.session.stores.bundle import Stores

    task = {"description": "SIDE", "subagent_type": "general-purpose"}
    calls = [{"name": "task", "args": {**task, "description": f"SIDE {n}"}} for n in range(CALLERS)]
    script = {
        "scripts": [
            {"match": "SIDE", "steps": [{"text": "seen", "chunk_delay_s": 0.05}]},
            {"steps": [{"tool_calls": calls}, {"text": "all"}]},
        ]
    }
    limit = 100_000
    stores = Stores.in_memory()
    settings = Settings(home=new_folder(home, "home"), run_tokens_max=limit, max_output_tokens=100)
    model = ScriptedChatModel(script=Script.model_validate(script))
    config = AgentConfig(
        "bench", model=model, workspace_path=new_folder(home, "work"), auto_approve=True
    )
    agent = AgentFactory(settings, stores=stores).create_executor(config)
    events = [event async for event in agent.execute("go", "s")]
    total = await stores.usage.total_of_run(events[0].run_id or "")
    return {"sub_limit": limit, "sub_used": total.tokens.total, "sub_calls": total.calls}


async def median_us(act: Callable[[], Awaitable[object]]) -> float:
    samples: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        await act()
        samples.append(time.perf_counter() - began)
    return statistics.median(samples) * 1e6


async def costs(database: Any, book: Any) -> dict[str, float]:
    """Time one call's reserve and settle."""
    from dataagent_core.usage import (
        Amount,
        Budget,
        BudgetKey,
        CallUse,
        RunAccount,
        Spender,
        TokenUsage,
    )

    who = Spender(tenant_id="t", run_id="r", session_id="s", user_id="ada", project_id="p")
    use = CallUse(tokens=TokenUsage(input=90, output=10), cost_nano=5)
    keys = [BudgetKey("run", "r", "run"), BudgetKey("user", "ada", "day")]
    keys.append(BudgetKey("tenant", "t", "month"))
    limits = [Budget(key=key, tokens_max=10**12, cost_nano_max=10**15) for key in keys]

    def calling(account: Any) -> Callable[[], Awaitable[object]]:
        async def call() -> None:
            await account.settle(await account.reserve(Amount(100, 10)), use)

        return call

    def touch(connection: Any) -> None:
        connection.execute("UPDATE budgets SET tokens_max = 1 WHERE tenant_id = 'nobody'")

    plain = await median_us(lambda: database.write(touch))
    counted = await median_us(calling(RunAccount(spender=who, book=book)))
    limited = await median_us(calling(RunAccount(spender=who, book=book, budgets=limits)))
    return {"plain_us": plain, "counted_us": counted, "limited_us": limited}


async def measured() -> dict[str, float]:
    from dataagent_core.session.stores.sql import SqlUsageStore
    from dataagent_core.session.stores.sqlite import SqliteDatabase
    from dataagent_core.usage import MemoryUsageStore

    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        async with SqliteDatabase(home / "callers.db") as database:
            in_sqlite = await calls_made(SqlUsageStore(database, "t"), CALLS)
        async with SqliteDatabase(home / "costs.db") as database:
            times = await costs(database, SqlUsageStore(database, "t"))
        return {
            "callers": CALLERS,
            "calls_allowed": CALLS,
            "calls_in_memory": await calls_made(MemoryUsageStore(), CALLS),
            "calls_in_sqlite": in_sqlite,
            **await sub_agents(home),
            **times,
        }


def main() -> dict[str, float]:
    return asyncio.run(measured())


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
