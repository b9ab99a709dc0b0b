"""What every `MemoryStore` does as a search index: words, vectors, and the time that counts."""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.memory.memory import Memory
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.search_index import (
    DocumentKey,
    IndexEntry,
    Match,
    MeaningQuery,
    SearchedTime,
)
from dataagent_core.models.embeddings.embedder import make_unit
from dataagent_core.testing.conformance.memory import (
    ADA,
    DAY,
    EVE,
    EVERYWHERE,
    NOW,
    PROJECT,
    entry_of,
    make_memory,
)

NOW_TIME = SearchedTime(now=NOW)
TICK = timedelta(microseconds=1)


def vector_entry(*numbers: float, embedder: str = "one") -> IndexEntry:
    """Index a vector."""
    return IndexEntry(words={}, embedder=embedder, vector=make_unit(numbers))


def names(matches: Sequence[Match]) -> list[str]:
    """Name what was found, in its order."""
    return [match.key.id for match in matches]


async def find_words(
    store: MemoryStore, *words: str, time: SearchedTime = NOW_TIME, limit: int = 9
) -> list[str]:
    """Find memories of Ada by words."""
    return names(await store.match_words([ADA], words, ["memory"], time, limit))


async def find_near(
    store: MemoryStore,
    *numbers: float,
    embedder: str = "one",
    time: SearchedTime = NOW_TIME,
    limit: int = 9,
) -> list[str]:
    """Find memories of Ada by a vector."""
    query = MeaningQuery(embedder=embedder, vector=make_unit(numbers))
    return names(await store.match_vector([ADA], query, ["memory"], time, limit))


async def save_again(store: MemoryStore, memory: Memory, **changes: object) -> Memory:
    """Save a memory with changes that leave its text."""
    return await store.save(replace(memory, **changes))  # pyright: ignore[reportArgumentType]


class MemoryIndexConformance:
    """Needs the fixture `memory_store`, opened for the tenant `TENANT`."""

    async def test_rare_words_and_short_texts_count_more(self, memory_store: MemoryStore) -> None:
        for name, words in {
            "rare": ("city", "ulm"),
            "often": ("city", "city"),
            "long": ("city", *(f"w{number}" for number in range(40))),
            "none": ("poem",),
        }.items():
            await memory_store.add(make_memory(name), entry_of(*words))
        assert await find_words(memory_store, "city") == ["often", "rare", "long"]
        assert await find_words(memory_store, "city", "ulm") == ["rare", "often", "long"]
        assert await find_words(memory_store, "city", limit=1) == ["often"]
        assert await find_words(memory_store, "unknown") == []
        assert await find_words(memory_store) == []
        assert await find_words(memory_store, "city", limit=0) == []

    async def test_a_word_counts_as_often_as_it_is_listed(self, memory_store: MemoryStore) -> None:
        await memory_store.add(make_memory("a"), entry_of("ulm"))
        await memory_store.add(make_memory("b"), entry_of("bonn"))
        assert await find_words(memory_store, "ulm", "bonn", "bonn") == ["b", "a"]
        assert await find_words(memory_store, "ulm", "ulm", "bonn") == ["a", "b"]

    async def test_words_of_any_text_can_be_searched(self, memory_store: MemoryStore) -> None:
        words = (
            "'; DROP TABLE memories; --",
            "收入",
            "%",
            "_",
            "A",
            "a",
            "é",
            "🎉",
            "\0",
            "\ud800",
        )
        for number, word in enumerate(words):
            await memory_store.add(make_memory(f"m{number}"), entry_of(word))
        for number, word in enumerate(words):
            assert await find_words(memory_store, word) == [f"m{number}"]

    async def test_a_text_without_words_and_vector_is_stored_and_not_found(
        self, memory_store: MemoryStore
    ) -> None:
        await memory_store.add(make_memory(), entry_of())
        assert await find_words(memory_store, "a") == []
        assert await find_near(memory_store, 1, 0) == []
        assert await memory_store.get("m") is not None

    async def test_the_nearest_vectors_come_first(self, memory_store: MemoryStore) -> None:
        for name, numbers in {
            "far": (1, 3),
            "same": (2, 0),
            "near": (3, 1),
            "away": (-1, 0),
        }.items():
            await memory_store.add(make_memory(name), vector_entry(*numbers))
        assert await find_near(memory_store, 1, 0) == ["same", "near", "far"]
        assert await find_near(memory_store, 1, 0, limit=1) == ["same"]
        query = MeaningQuery(embedder="one", vector=make_unit((1, 1)))
        found = await memory_store.match_vector([ADA], query, ["memory"], NOW_TIME, 1)
        assert found[0].score == pytest.approx(2 / 5**0.5, abs=1e-6)
        assert await find_near(memory_store, 0, 0) == []

    async def test_vectors_of_another_embedder_or_length_do_not_count(
        self, memory_store: MemoryStore
    ) -> None:
        await memory_store.add(make_memory("one"), vector_entry(1, 0))
        await memory_store.add(make_memory("two"), vector_entry(1, 0, embedder="two"))
        await memory_store.add(make_memory("long"), vector_entry(1, 0, 0))
        assert await find_near(memory_store, 1, 0) == ["one"]
        assert await find_near(memory_store, 1, 0, embedder="two") == ["two"]
        assert await find_near(memory_store, 1, 0, 0) == ["long"]
        assert await find_near(memory_store, 1, 0, embedder="three") == []

    @pytest.mark.parametrize("numbers", [[], [float("nan"), 1.0], [float("inf")]])
    async def test_a_vector_that_is_none_is_refused_and_nothing_is_stored(
        self, memory_store: MemoryStore, numbers: list[float]
    ) -> None:
        entry = IndexEntry(words={"ulm": 1}, embedder="one", vector=array("f", numbers))
        with pytest.raises(ValidationError, match="vector"):
            await memory_store.add(make_memory(), entry)
        assert await memory_store.get("m") is None
        assert await find_words(memory_store, "ulm") == []

    async def test_a_new_embedder_gives_each_document_another_vector(
        self, memory_store: MemoryStore
    ) -> None:
        for name in ("a", "b", "c"):
            await memory_store.add(make_memory(name, f"text {name}"), vector_entry(1, 0))
        await memory_store.add(make_memory("d", "text d"), entry_of("ulm"))
        assert len(await find_near(memory_store, 1, 0)) == 3  # noqa: PLR2004 (all with a vector)
        left = await memory_store.list_unembedded("two", 9)
        assert {(scope, key.id, text) for scope, key, text in left} == {
            (ADA, name, f"text {name}") for name in "abcd"
        }
        assert [key.id for _, key, _ in await memory_store.list_unembedded("one", 9)] == ["d"]
        assert len(await memory_store.list_unembedded("two", 2)) == 2  # noqa: PLR2004 (the limit)
        await memory_store.save_vectors(
            "two", {DocumentKey("memory", name): make_unit((0, 1)) for name in ("a", "d", "gone")}
        )
        # Meanwhile each vector is compared with those of its own embedder alone.
        assert sorted(await find_near(memory_store, 1, 0)) == ["b", "c"]
        assert sorted(await find_near(memory_store, 0, 1, embedder="two")) == ["a", "d"]
        left = await memory_store.list_unembedded("two", 9)
        assert sorted(key.id for _, key, _ in left) == ["b", "c"]

    async def test_only_the_scopes_and_kinds_that_are_named_are_searched(
        self, memory_store: MemoryStore
    ) -> None:
        for name, scope in {"user": ADA, "project": PROJECT, "org": EVERYWHERE, "eve": EVE}.items():
            entry = IndexEntry(words={"ulm": 1}, embedder="one", vector=make_unit((1, 0)))
            await memory_store.add(make_memory(name, scope=scope), entry)
        query = MeaningQuery(embedder="one", vector=make_unit((1, 0)))
        for scopes, found in (
            ([ADA], {"user"}),
            ([PROJECT, EVERYWHERE], {"project", "org"}),
            ([ADA, ADA, EVE], {"user", "eve"}),
            ([replace(ADA, assistant_id="other")], set[str]()),
            ([replace(ADA, tenant_id="two")], set[str]()),
            ([], set[str]()),
        ):
            words = await memory_store.match_words(scopes, ["ulm"], ["memory"], NOW_TIME, 9)
            near = await memory_store.match_vector(scopes, query, ["memory"], NOW_TIME, 9)
            assert set(names(words)) == set(names(near)) == found
        assert await memory_store.match_words([ADA], ["ulm"], ["episode"], NOW_TIME, 9) == []
        assert await memory_store.match_vector([ADA], query, ["entity"], NOW_TIME, 9) == []

    @pytest.mark.parametrize(
        ("changes", "now", "before", "long_ago"),
        [
            ({}, True, True, False),
            ({"valid_to": NOW}, False, True, False),
            ({"valid_to": NOW + TICK}, True, True, False),
            ({"expires_at": NOW}, False, True, False),
            ({"expires_at": NOW + TICK}, True, True, False),
            ({"retired_at": NOW - DAY}, False, False, False),
            ({"valid_from": NOW + DAY}, True, False, False),
        ],
    )
    async def test_a_search_shows_what_holds_now_or_was_true_then(
        self,
        memory_store: MemoryStore,
        changes: dict[str, object],
        *,
        now: bool,
        before: bool,
        long_ago: bool,
    ) -> None:
        entry = IndexEntry(words={"ulm": 1}, embedder="one", vector=make_unit((1, 0)))
        read = await memory_store.add(make_memory(), entry)
        assert await find_near(memory_store, 1, 0) == ["m"]
        stored = await save_again(memory_store, read, **changes)
        for time, is_found in (
            (NOW_TIME, now),
            (SearchedTime(now=NOW, as_of=NOW - TICK), before),
            (SearchedTime(now=NOW, as_of=NOW - 2 * DAY), long_ago),
        ):
            found = ["m"] if is_found else []
            assert await find_words(memory_store, "ulm", time=time) == found
            assert await find_near(memory_store, 1, 0, time=time) == found
            then = time.as_of
            assert is_found == (stored.is_current(NOW) if then is None else stored.was_true(then))

    async def test_what_holds_is_found_behind_many_that_do_not(
        self, memory_store: MemoryStore
    ) -> None:
        entry = IndexEntry(words={"ulm": 2}, embedder="one", vector=make_unit((1, 0)))
        for number in range(30):
            await memory_store.add(replace(make_memory(f"m{number}"), valid_to=NOW), entry)
        worse = IndexEntry(words={"ulm": 1, "w": 9}, embedder="one", vector=make_unit((1, 2)))
        await memory_store.add(make_memory("holds"), worse)
        assert await find_words(memory_store, "ulm", limit=2) == ["holds"]
        assert await find_near(memory_store, 1, 0, limit=2) == ["holds"]

    async def test_a_search_sees_each_change_at_once(self, memory_store: MemoryStore) -> None:
        read = await memory_store.add(make_memory("a"), vector_entry(1, 0))
        assert await find_near(memory_store, 1, 0) == ["a"]
        await memory_store.add(make_memory("b"), vector_entry(1, 1))
        assert await find_near(memory_store, 1, 0) == ["a", "b"]
        read = await memory_store.save(read, vector_entry(1, 2))
        assert await find_near(memory_store, 1, 0) == ["b", "a"]
        read = await memory_store.save(read, vector_entry(1, 2, embedder="two"))
        assert await find_near(memory_store, 1, 0) == ["b"]
        await memory_store.save(read, vector_entry(1, 0))
        await memory_store.remove(["b"])
        assert await find_near(memory_store, 1, 0) == ["a"]
        await memory_store.remove_user("ada")
        assert await find_near(memory_store, 1, 0) == []

    async def test_what_a_removal_takes_along_is_counted(self, memory_store: MemoryStore) -> None:
        entry = IndexEntry(words={"ulm": 1, "bonn": 2}, embedder="one", vector=make_unit((1, 0)))
        await memory_store.add(make_memory(), entry)
        removed = dict(await memory_store.remove(["m"]))
        assert removed.pop("memories") == 1
        # Words and vectors, by whatever names a store has for their tables.
        assert sum(removed.values()) > 2  # noqa: PLR2004 (a row for each word, one for the vector)


class MemoryIndexTenantConformance:
    """Needs the fixture `memory_store_pair`, opened for the tenants `TENANT` and `"two"`."""

    async def test_another_tenants_vectors_can_neither_be_found_nor_changed(
        self, memory_store_pair: tuple[MemoryStore, MemoryStore]
    ) -> None:
        mine, theirs = memory_store_pair
        await mine.add(make_memory(), vector_entry(1, 0))
        query = MeaningQuery(embedder="one", vector=make_unit((1, 0)))
        assert await theirs.match_vector([ADA], query, ["memory"], NOW_TIME, 9) == []
        assert await theirs.list_unembedded("two", 9) == []
        await theirs.save_vectors("one", {DocumentKey("memory", "m"): make_unit((0, 1))})
        (match,) = await mine.match_vector([ADA], query, ["memory"], NOW_TIME, 9)
        assert (match.key.id, round(match.score, 6)) == ("m", 1.0)
