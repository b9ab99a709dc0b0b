"""A search by words reads a bounded number of rows, the rarest words first."""

from collections import Counter
from pathlib import Path

import pytest

from dataagent_core.memory.search_index import IndexEntry, SearchedTime
from dataagent_core.memory.sql import word_match
from dataagent_core.memory.sql.store.sql_memory_store import SqlMemoryStore
from dataagent_core.memory.sql.store.sqlite_memory_store import open_memory_store
from dataagent_core.testing.conformance.memory import ADA, NOW, TENANT, make_memory

COMMON = 12


@pytest.fixture
async def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SqlMemoryStore:
    """Memories with a common word in all, another in most, and a rare one in the oldest."""
    monkeypatch.setattr(word_match, "SEARCH_WORD_ROWS_MAX", 5)
    opened = open_memory_store(tmp_path / "memory.db", TENANT)
    for number in range(COMMON):
        words = Counter({"common": 1, "most": number > 1, "rare": number == 0})
        await opened.add(make_memory(f"m{number}"), IndexEntry(words=+words))
    return opened


async def find(store: SqlMemoryStore, *words: str, limit: int = 99) -> list[tuple[str, float]]:
    time = SearchedTime(now=NOW)
    found = await store.match_words([ADA], words, ["memory"], time, limit)
    return [(match.key.id, match.score) for match in found]


async def test_of_a_word_that_is_too_frequent_the_newest_documents_are_found(store: SqlMemoryStore):
    assert [name for name, _ in await find(store, "common")] == ["m11", "m10", "m9", "m8", "m7"]


async def test_a_frequent_word_counts_for_what_a_rarer_one_has_found(store: SqlMemoryStore):
    ((alone, rare),) = await find(store, "rare")
    ((both, sum_of_both),) = await find(store, "common", "rare", limit=1)
    assert alone == both == "m0"
    assert sum_of_both > rare


async def test_where_a_rare_word_finds_too_few_the_newest_of_the_next_one_follow(
    store: SqlMemoryStore,
):
    found = await find(store, "rare", "most", "common")
    assert [name for name, _ in found] == ["m0", "m11", "m10", "m9", "m8"]
    # Each document counts each of its words once, whichever way it was found.
    assert len({round(score, 9) for name, score in found if name != "m0"}) == 1
    ((_, expected),) = await find(store, "most", "common", limit=1)
    assert found[1][1] == pytest.approx(expected)


@pytest.mark.requirement("F22-bad-words")
async def test_words_that_nobody_has_find_nothing(store: SqlMemoryStore):
    assert await find(store, "nobody", "", " ") == []
