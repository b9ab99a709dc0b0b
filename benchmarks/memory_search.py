"""Memories of one person: adding one, and searching 100,000, beside a scan of all texts with LIKE.

The facts are sentences of a few thousand words, of which some are in very many, one of five in
Chinese, with the offline embedder's vectors. `memory_search.py 10000` measures so many.
"""
# ruff: noqa: E501 (a row of a table is one line)

import asyncio
import gc
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles

import psutil

from dataagent_core.memory.memory import Memory, MemoryScope, MemorySource
from dataagent_core.memory.search.hybrid_search import HybridSearch
from dataagent_core.memory.search.index_text import index_text, index_texts
from dataagent_core.memory.search.memory_query import MemoryQuery
from dataagent_core.memory.search.query_text import read_query
from dataagent_core.memory.search_index import IndexEntry, MeaningQuery, SearchedTime
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.memory.sql.store.memory_writes import add_memory
from dataagent_core.memory.sql.store.sql_memory_store import SqlMemoryStore
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder
from dataagent_core.session.stores.sql.connection import SqlConnection

FACTS = 100_000
PAGE = 2_000
ROUNDS = 200
ADDED = 100
SCANS = 5
SEED = 22
SCOPE = MemoryScope.of_user("bench", "ada", "helper")
NOW = datetime(2026, 3, 1, tzinfo=UTC)
TIME = SearchedTime(now=NOW)
PEOPLE = ("my sister", "our customer", "the team", "my manager", "the supplier", "our partner")
VERBS = ("likes", "works with", "moved to", "prefers", "pays", "waits for", "asked about", "owns")
THINGS = (
    "revenue",
    "reports",
    "the budget",
    "a contract",
    "the prices",
    "tea",
    "a train",
    "charts",
)
CHINESE = ("我喜欢", "客户住在", "团队负责", "经理决定", "供应商提供", "我们使用")
SYLLABLES = ("ba", "do", "ki", "lu", "me", "no", "pa", "ri", "sta", "tu", "ver", "xon", "yl", "zam")


def make_fact(rng: random.Random) -> str:
    """Write a fact of common words and one or two that few others have."""
    if rng.random() < 0.2:  # one of five is Chinese
        rare = "".join(chr(rng.randint(0x4E00, 0x5E00)) for _ in range(3))
        return f"{rng.choice(CHINESE)}{rare},从{rng.randint(1990, 2026)}年开始"
    rare = " ".join("".join(rng.choice(SYLLABLES) for _ in range(3)) for _ in range(2))
    return f"{rng.choice(PEOPLE)} {rng.choice(VERBS)} {rng.choice(THINGS)} of {rare} since {rng.randint(1990, 2026)}"


def make_memory(number: int, content: str) -> Memory:
    """Make a memory of a conversation."""
    source = MemorySource(
        kind="conversation",
        session_id=f"s{number // 100}",
        seq_first=number + 1,
        seq_last=number + 1,
    )
    return Memory(
        id=f"m{number}",
        scope=SCOPE,
        type="fact",
        content=content,
        source=source,
        confidence=1.0,
        valid_from=NOW,
        recorded_at=NOW,
        updated_at=NOW,
    )


async def fill(file: MemoryFile, facts: Sequence[str], embedder: WordLlamaEmbedder) -> None:
    """Add all facts, some thousand in a transaction."""
    for start in range(0, len(facts), PAGE):
        some = facts[start : start + PAGE]
        entries = await index_texts([(text, "") for text in some], embedder)

        def write(connection: SqlConnection, first: int = start, rows: Iterable[tuple[str, IndexEntry]] = zip(some, entries, strict=True)) -> None:  # fmt: skip
            for number, (content, entry) in enumerate(rows, start=first):
                add_memory(connection, make_memory(number, content), entry)

        await file.write(write)


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of each, on the clock and of the processor: other programs slow the first."""

    clock: list[float]
    cpu: list[float]

    def row(self, name: str) -> str:
        """Write a row of the table."""
        worst = quantiles(self.clock, n=20)[-1]
        return f"| {name} | {median(self.clock):.2f} | {worst:.2f} | {median(self.cpu):.2f} |\n"


async def measure(wanted: Sequence[str], work: Callable[[str], Awaitable[object]]) -> Times:
    """Do it for each."""
    clock: list[float] = []
    cpu: list[float] = []
    for each in wanted:
        began, used = time.perf_counter(), time.process_time()
        await work(each)
        clock.append((time.perf_counter() - began) * 1_000)
        cpu.append((time.process_time() - used) * 1_000)
    return Times(clock, cpu)


def scan(path: Path, words: Sequence[str]) -> int:
    """Find texts with any of the words as SQL does without an index."""
    condition = " OR ".join("CAST(content AS TEXT) LIKE ?" for _ in words)
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(
            f"SELECT id FROM memories WHERE {condition}", [f"%{word}%" for word in words]
        )
        return len(found.fetchall())


@dataclass(frozen=True, slots=True)
class Bench:
    """A file of facts, and what is asked of it."""

    path: Path
    file: MemoryFile
    store: SqlMemoryStore
    embedder: WordLlamaEmbedder
    questions: list[str]
    meanings: dict[str, MeaningQuery]
    words: dict[str, tuple[str, ...]]

    async def find_words(self, text: str) -> None:
        """Search by words."""
        assert await self.store.match_words([SCOPE], self.words[text], ["memory"], TIME, 50)

    async def find_near(self, text: str) -> None:
        """Search by meaning."""
        assert await self.store.match_vector([SCOPE], self.meanings[text], ["memory"], TIME, 50)

    async def find_both(self, text: str) -> None:
        """Search by both."""
        await self.find_words(text)
        await self.find_near(text)

    async def find(self, text: str) -> None:
        """Search as a person does."""
        search = HybridSearch(self.store, None, self.embedder, clock=lambda: NOW)
        assert (await search.search(MemoryQuery(text=text, scopes=[SCOPE], limit=10))).results

    async def add(self, text: str) -> None:
        """Add a fact, as it comes."""
        memory = make_memory(random.getrandbits(62), text)
        await self.store.add(memory, await index_text(text, self.embedder))

    async def add_and_find(self, text: str) -> None:
        """Add a fact, and search by meaning."""
        await self.add(text)
        await self.find_near(self.questions[0])


async def make_bench(path: Path, count: int) -> Bench:
    """Fill a file, and choose what is asked."""
    rng, embedder, file = random.Random(SEED), WordLlamaEmbedder(), MemoryFile(path)
    facts = [make_fact(rng) for _ in range(count)]
    await fill(MemoryFile(path), facts, embedder)
    questions = [rng.choice(facts) for _ in range(ROUNDS)]
    vectors = await embedder.embed(questions)
    return Bench(
        path,
        file,
        SqlMemoryStore(file, SCOPE.tenant_id),
        embedder,
        questions,
        {
            text: MeaningQuery(embedder=embedder.name, vector=vector)
            for text, vector in zip(questions, vectors, strict=True)
        },
        {text: read_query(text).words for text in questions},
    )


async def run(count: int) -> str:
    """Measure with so many facts."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        bench = await make_bench(Path(folder) / "memory.db", count)
        filled = (time.perf_counter() - began) * 1_000 / count
        size_mb = bench.path.stat().st_size / 1_000_000
        gc.collect()
        before = psutil.Process().memory_info().rss
        loaded = await measure(bench.questions[:1], bench.find_near)
        gc.collect()
        grown_mb = (psutil.Process().memory_info().rss - before) / 1_000_000
        cached_mb = bench.file.vectors.size_bytes / 1_000_000
        rows = (await measure(bench.questions, bench.find_words)).row("words")
        rows += (await measure(bench.questions, bench.find_near)).row("meaning")
        both = await measure(bench.questions, bench.find_both)
        rows += both.row("both legs, one after the other (aim: 10)")
        rows += (await measure(bench.questions, bench.find)).row(
            "the whole search of `MemoryService`"
        )
        rng = random.Random(SEED + 1)
        added = [make_fact(rng) for _ in range(ADDED)]
        rows += (await measure(added, bench.add)).row("add, embedding included (aim: 5)")
        changed = await measure(added, bench.add_and_find)
        rows += changed.row("add, then a search by meaning that takes it in")
        asked = bench.questions[:SCANS]
        began, used = time.perf_counter(), time.process_time()
        for text in asked:
            scan(bench.path, bench.words[text])
        scanned = (time.perf_counter() - began) * 1_000 / SCANS
        scanned_cpu = (time.process_time() - used) * 1_000 / SCANS
        forgotten = await measure(["m7"], lambda name: bench.store.remove([name]))
    return f"""\
## Memory
{count:,} facts of one person in a SQLite file of {size_mb:.0f} MB with vectors of the offline embedder
(`benchmarks/memory_search.py`). The baseline finds texts with LIKE. Where other programs work, CPU
milliseconds say more than those on the clock.

| | ms | ms, 95 % | CPU ms |
|---|--:|--:|--:|
{rows}| baseline: a scan of all texts with LIKE | {scanned:.1f} | | {scanned_cpu:.1f} |
| **ratio** of both legs to the scan | **{median(both.clock) / scanned:.2f}** | | **{median(both.cpu) / scanned_cpu:.2f}** |
| the first search, which reads all vectors | {loaded.clock[0]:,.0f} | | {loaded.cpu[0]:,.0f} |
| add, {PAGE:,} in a transaction, each with its embedding | {filled:.2f} | | |
| forget one: the file is written anew | {forgotten.clock[0]:,.0f} | | {forgotten.cpu[0]:,.0f} |

All vectors are compared, so the nearest are found. They take {cached_mb / count * 100_000:.0f} MB for 100,000 (aim: 150); the
process grew by {grown_mb / count * 100_000:.0f} MB for 100,000 with its first search.
"""


def section() -> str:
    """Write the section of RESULTS.md."""
    return asyncio.run(run(FACTS))


if __name__ == "__main__":
    print(asyncio.run(run(int(sys.argv[1]) if sys.argv[1:] else FACTS)))
