"""How often a search of memory finds the turn that answers a question, beside BM25 and S2's RRF.

Every turn of all conversations is added through `MemoryService.add` to a file of SQLite, with its
session, its place there and its date, and every question is one search.
"""
# ruff: noqa: E501 (a row of a table is one line)

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from os import getloadavg
from pathlib import Path
from statistics import mean, median, quantiles

from memory_baselines import PlainBm25, PlainVectors, fuse_ranks
from memory_conversations import SETS, Question, RetrievalSet, load_set

from dataagent_core.memory.memory import MemoryMetadata, MemoryScope, MemorySource
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.search_terms import SearchType
from dataagent_core.memory.sql.store.sqlite_memory_store import open_memory_store
from dataagent_core.models.embeddings.kept_vectors import KeptVectors
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder

TOP = 10
# Measured once on the tuning set, each part alone taken away from, or added to, what is used.
CHOSEN = """
What was chosen, on the 87 questions of the tuning set (2026-11-20, 185 turns; one question is 1.1 points):

| | R@10 | R@5 | MRR |
|---|--:|--:|--:|
| BM25 alone | 47.1 | 36.2 | 23.6 |
| **all that was kept** | **78.7** | **67.2** | **42.2** |
| without stems of English words | 77.6 | 64.9 | 42.5 |
| without single Chinese signs beside pairs | 73.0 | 60.3 | 36.4 |
| names of speakers left in what is embedded | 76.4 | 66.1 | 42.7 |
| words of any question left in what is embedded | 75.3 | 63.8 | 39.4 |
| without turns beside good results | 71.8 | 59.2 | 40.4 |
| without who speaks | 75.9 | 64.9 | 41.0 |
| without dates that a question names | 75.3 | 64.9 | 40.5 |
| without recency (kept: it decides between equals) | 78.7 | 67.2 | 42.2 |
| BM25's length share 0.75 instead of 0.5 | 78.7 | 67.2 | 40.5 |
| RRF instead of scores | 71.3 | 63.8 | 40.3 |
| not kept: no list of words of grammar (reads more rows) | 79.9 | 67.2 | 42.9 |
| not kept: the list of words common to requests | 75.3 | 64.9 | 40.8 |

Tried earlier on 78 questions and not kept: words near in meaning to those of the question (R@10 -2 to
+1, MRR +1 to +4), vectors without their mean (-1), neighbours added up instead of the best (-1 to
-3), graph entities that are mentioned everywhere counting less (-3). Not tried: misspellings by parts
of words, terms of the first results added to the query.
"""
TENANT = "bench"
SCOPE = MemoryScope.of_user(TENANT, "ada", "helper")
# Finds the ids of turns for a question, the best first.
Search = Callable[[str], Awaitable[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Figures:
    """Percent of the gold turns among the first, and of reciprocal ranks."""

    recall_10: float
    recall_5: float
    reciprocal_rank: float


async def measure(questions: Sequence[Question], search: Search) -> Figures:
    """Ask all questions."""
    tens: list[float] = []
    fives: list[float] = []
    ranks: list[float] = []
    for question in questions:
        found = list(await search(question.text))[:TOP]
        tens.append(mean(gold in found for gold in question.gold))
        fives.append(mean(gold in found[:5] for gold in question.gold))
        ranks.append(
            max((1 / (found.index(g) + 1) for g in question.gold if g in found), default=0)
        )
    return Figures(*(100 * mean(values) for values in (tens, fives, ranks)))


class MemorySearch:
    """The conversations as memories of one person."""

    def __init__(self, folder: Path) -> None:
        store = open_memory_store(folder / "memory.db", TENANT)
        self.service = MemoryService(store, embedder=KeptVectors(WordLlamaEmbedder()))
        self._turns: dict[str, list[str]] = {}
        self.times_ms: list[float] = []

    async def fill(self, conversations: RetrievalSet) -> None:
        """Add every turn; what one memory says for two turns stands for both."""
        for turn in conversations.turns:
            place = MemorySource(session_id=turn.session_id, seq_first=turn.seq, seq_last=turn.seq)
            metadata = MemoryMetadata(scope=SCOPE, type="context", source=place, valid_from=turn.at)
            memory = await self.service.add(f"{turn.speaker}: {turn.text}", metadata)
            self._turns.setdefault(memory.id, []).append(turn.id)

    def by(self, search_type: SearchType) -> Search:
        """Search in one way."""

        async def search(query: str) -> list[str]:
            began = time.perf_counter()
            found = await self.service.search(query, SCOPE, TOP, search_type=search_type)
            self.times_ms.append((time.perf_counter() - began) * 1_000)
            return [turn for one in found for turn in self._turns[one.memory.id]]

        return search


async def compare(conversations: RetrievalSet) -> tuple[dict[str, Figures], dict[str, float], str]:
    """Measure all ways, ours also by language; and say how long ours took."""
    questions = conversations.questions
    texts = {turn.id: f"{turn.speaker}: {turn.text}" for turn in conversations.turns}
    bm25, vectors = PlainBm25(texts), PlainVectors(texts)

    async def by_words(query: str) -> list[str]:
        return bm25.rank(query)

    async def by_ranks(query: str) -> list[str]:
        return fuse_ranks(vectors.rank(query), bm25.rank(query))

    figures = {
        "BM25 alone": await measure(questions, by_words),
        "S2's RRF of plain legs": await measure(questions, by_ranks),
    }
    with tempfile.TemporaryDirectory() as folder:
        memories = MemorySearch(Path(folder))
        await memories.fill(conversations)
        ways: dict[str, SearchType] = {
            "our words alone": "keyword",
            "our meaning alone": "semantic",
            "**ours**": "hybrid",
        }
        for name, search_type in ways.items():
            memories.times_ms.clear()
            figures[name] = await measure(questions, memories.by(search_type))
        took = f"{median(memories.times_ms):.1f} ms, 95 % under {quantiles(memories.times_ms, n=20)[-1]:.1f} ms"
        languages = {
            language: (
                await measure(
                    [one for one in questions if one.language == language], memories.by("hybrid")
                )
            ).recall_10
            for language in sorted({one.language for one in questions})
        }
    return figures, languages, took


def section(path: Path = SETS / "test") -> str:
    """Write the section of RESULTS.md."""
    conversations = load_set(path)
    figures, languages, took = asyncio.run(compare(conversations))
    plain = figures["BM25 alone"].recall_10
    rows = "".join(
        f"| {name} | {one.recall_10:.1f} | {one.recall_10 - plain:+.1f} | {one.recall_5:.1f} | {one.reciprocal_rank:.1f} |\n"
        for name, one in figures.items()
    )
    by_language = ", ".join(f"{language} {recall:.1f}" for language, recall in languages.items())
    return f"""\
## Memory retrieval
{len(conversations.questions)} questions over {len(conversations.turns)} turns, all of them in one scope of one person
(`benchmarks/memory_retrieval.py`, the set in `benchmarks/memory_retrieval/`; aim: at least +10 points over BM25 alone).
Percent of the turns that answer a question among the first ten and the first five, and the mean
reciprocal rank. Nothing was chosen on this set. Offline embeddings, no graph, no model.

| | R@10 | beside BM25 | R@5 | MRR |
|---|--:|--:|--:|--:|
{rows}
R@10 of ours by language: {by_language}. A search took {took} (load {getloadavg()[0]:.0f}).
{CHOSEN if path == SETS / "test" else ""}"""


def main(arguments: Sequence[str]) -> str:
    """Measure the test set, or what `--set` names."""
    if not arguments:
        return section()
    match arguments:
        case ["--set", path]:
            return section(Path(path))
        case _:
            raise SystemExit("usage: memory-retrieval [--set FILE_OR_FOLDER]")


if __name__ == "__main__":
    print(main(sys.argv[1:]))
