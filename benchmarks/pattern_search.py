"""Finding a pattern among 100,000 of a tenant, beside a plain scan of all of them.

The goals are made of a few thousand words, of which some are in very many, as in a real tenant.
Each search opens the file, finds candidates and scores them: all that a message waits for.
"""
# ruff: noqa: E501 (a row of a table is one line)

import asyncio
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles

from dataagent_core.patterns import (
    LearningSwitches,
    PatternLibrary,
    calculate_similarity,
    open_pattern_store,
)
from dataagent_core.patterns.entities import find_entities
from dataagent_core.patterns.interaction_pattern import InteractionPattern, PatternStep
from dataagent_core.patterns.signature import sign_terms
from dataagent_core.patterns.similarity import read_query
from dataagent_core.patterns.sql.pattern_rows import COLUMNS, make_row, read_row
from dataagent_core.patterns.sql.sqlite_pattern_store import PatternFile
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import SQLITE, insert

PATTERNS = 100_000
ROUNDS = 200
SCANS = 3
TENANT = "bench"
SEED = 7
VERBS = ("show", "compare", "draw", "export", "explain", "forecast", "check", "rank", "summarise")
SUBJECTS = ("revenue", "cost", "margin", "stock", "churn", "orders", "visits", "returns", "prices")
DIMENSIONS = ("region", "product", "month", "channel", "customer", "supplier", "store", "segment")
CHINESE = ("各地区收入", "各产品成本", "库存周转", "客户流失", "渠道销售", "门店排名")


def make_goal(rng: random.Random) -> str:
    """Write a goal of common words and one or two that few others have."""
    if rng.random() < 0.2:  # one of five is Chinese
        rare = "".join(chr(rng.randint(0x4E00, 0x5E00)) for _ in range(2))
        return f"{rng.choice(CHINESE)},按{rare}统计"
    rare = "".join(rng.choice("bcdfghklmnprst") + rng.choice("aeiou") for _ in range(3))
    return f"{rng.choice(VERBS)} {rng.choice(SUBJECTS)} by {rng.choice(DIMENSIONS)} for {rare}"


def make_pattern(goal: str, number: int, now: datetime) -> InteractionPattern:
    """Make a trusted pattern for a goal."""
    found = find_entities(goal)
    changed_at = now - timedelta(minutes=number)
    return InteractionPattern(
        id=f"p{number}",
        tenant_id=TENANT,
        name=goal,
        description=goal,
        signature=sign_terms(found),
        entities=found.terms,
        steps=tuple(PatternStep(description=f"Step {n}", tools=("sql_query",)) for n in range(5)),
        usage_count=9,
        success_count=9,
        state="trusted",
        created_at=changed_at,
        updated_at=changed_at,
        last_used_at=changed_at,
        last_queried_at=now,
    )


def fill(path: Path, goals: list[str], now: datetime) -> None:
    """Write all patterns in one transaction."""

    def write(connection: SqlConnection) -> None:
        rows: list[list[object]] = []
        terms: list[tuple[object, ...]] = []
        for number, goal in enumerate(goals):
            pattern = make_pattern(goal, number, now)
            rows.append(make_row(pattern, SQLITE))
            changed_at = SQLITE.moment(pattern.updated_at)
            terms += [(TENANT, pattern.id, term, changed_at) for term in pattern.entities]
        connection.executemany(insert("interaction_patterns", COLUMNS), rows)
        columns = ("tenant_id", "pattern_id", "term", "updated_at")
        connection.executemany(insert("interaction_pattern_terms", columns), terms)

    asyncio.run(PatternFile(path).write(write))


def scan(path: Path, message: str, now: datetime) -> str:
    """Score every pattern: what a search without an index does."""
    query = read_query(message)
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM interaction_patterns")
        best = max(
            (read_row(row) for row in rows), key=lambda one: calculate_similarity(query, one, now)
        )
    return best.id


async def search(path: Path, messages: list[str], now: datetime) -> tuple[list[float], int]:
    """Search for each message; return the times and how many were offered a pattern."""
    store = open_pattern_store(path, TENANT)
    library = PatternLibrary(store, TENANT, clock=lambda: now)
    times: list[float] = []
    offered = 0
    for message in messages:
        began = time.perf_counter()
        found = await library.find(message, tools={"sql_query"}, switches=LearningSwitches())
        times.append((time.perf_counter() - began) * 1_000)
        offered += found.offer is not None
    return times, offered


def section() -> str:
    """Write the section of RESULTS.md."""
    rng = random.Random(SEED)
    now = datetime.now(UTC)
    goals = [make_goal(rng) for _ in range(PATTERNS)]
    known = [rng.choice(goals[:5_000]) for _ in range(ROUNDS)]
    kinds = {
        "a task that has a pattern": known,
        "a task like many others, of common words": [
            f"{rng.choice(VERBS)} the {rng.choice(SUBJECTS)} by {rng.choice(DIMENSIONS)}"
            for _ in range(ROUNDS)
        ],
        "a task nobody had": ["write a poem about the sea at night"] * ROUNDS,
        "a message of 1 MB": [f"{known[0]}. {'lorem ipsum dolor ' * 60_000}"] * (ROUNDS // 10),
    }
    rows = ""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "patterns.db"
        fill(path, goals, now)
        size = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1_000_000
        for name, messages in kinds.items():
            times, offered = asyncio.run(search(path, messages, now))
            worst = quantiles(times, n=20)[-1]
            rows += (
                f"| {name} | {median(times):.2f} | {worst:.2f} | {offered / len(messages):.2f} |\n"
            )
        began = time.perf_counter()
        for message in known[:SCANS]:
            scan(path, message, now)
        scanned = (time.perf_counter() - began) * 1_000 / SCANS
    return f"""\
## Patterns
Finding a pattern among {PATTERNS:,} of a tenant in a SQLite file of {size:.0f} MB, from the message to what may be
offered, the opening of the file included (`benchmarks/pattern_search.py`, aim: 10 ms; S2 allows 100). The
baseline reads and scores every pattern.

| message | ms | ms, 95 % | offered |
|---|--:|--:|--:|
{rows}| a plain scan of all | {scanned:,.0f} | | |
"""


if __name__ == "__main__":
    print(section())
