"""The search of memories: legs, scopes, times, order, and what happens to odd queries."""

import asyncio
from array import array
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searched_memories import (
    LOCAL,
    NOW,
    BrokenEmbedder,
    HangingEmbedder,
    Memories,
    StrangeEmbedder,
    list_ids,
)

from dataagent_core.language.chinese import in_chinese
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search import word_legs
from dataagent_core.memory.search.found_memory import FoundMemories
from dataagent_core.models.embeddings import Vector

OTHER = MemoryScope.of_user("t", "eve", "helper")


async def _fill(path: Path) -> Memories:
    memories = Memories(path, LOCAL)
    await memories.add("Alice: my dog is called Pixel", session="s", seq=1)
    await memories.add("Bob: the invoice of March was paid late", session="s", seq=9)
    await memories.add("林悦: 我妈妈做了膝盖手术", session="z", seq=1)
    await memories.add("I am allergic to peanuts", type="preference")
    return memories


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What is the name of Alice's dog?", "m1"),
        ("Was the bill paid on time?", "m2"),
        ("谁做了手术?", "m3"),
        ("peanut allergy", "m4"),
    ],
)
async def test_what_fits_best_comes_first(tmp_path: Path, query: str, first: str) -> None:
    memories = await _fill(tmp_path)
    found = await memories.search(query)
    assert list_ids(found)[0] == first
    assert found.embedder == LOCAL.name
    assert not found.problem


async def test_the_shares_of_the_legs_add_up_to_the_score(tmp_path: Path) -> None:
    memories = await _fill(tmp_path)
    found = await memories.search("the dog of Alice")
    for one in found.results:
        assert one.score == pytest.approx(sum(leg.share for leg in one.legs))
        assert 0 <= one.score <= 1
    assert {"vector", "keyword", "speaker", "recency"} <= {
        leg.name for leg in found.results[0].legs
    }
    assert {leg.rank for leg in found.results[0].legs if leg.name in ("vector", "keyword")} == {1}


async def test_each_search_type_uses_its_legs_only(tmp_path: Path) -> None:
    memories = await _fill(tmp_path)
    words = await memories.search("dog", "keyword")
    assert list_ids(words) == ["m1"]
    assert {leg.name for one in words.results for leg in one.legs} == {"keyword"}
    assert words.embedder == ""
    meaning = await memories.search("puppy", "semantic")
    assert list_ids(meaning)[0] == "m1"
    assert {leg.name for one in meaning.results for leg in one.legs} == {"vector"}


async def test_what_one_speaker_said_comes_before_what_another_said(tmp_path: Path) -> None:
    memories = Memories(tmp_path, None)
    await memories.add("I bought a red bicycle", speaker="Bob", session="a", seq=1)
    await memories.add("I bought a red bicycle", speaker="Alice", session="b", seq=1)
    assert list_ids(await memories.search("What did Alice buy, a bicycle?"))[0] == "m2"


async def test_of_two_that_fit_equally_the_newer_comes_first(tmp_path: Path) -> None:
    memories = Memories(tmp_path, None)
    await memories.add("the rent is 900", days_old=300)
    await memories.add("the rent is 900", days_old=2)
    assert list_ids(await memories.search("rent")) == ["m2", "m1"]
    assert list_ids(await memories.search("rent", "keyword")) == ["m2", "m1"]


async def test_a_memory_of_the_future_counts_as_new_and_breaks_nothing(tmp_path: Path) -> None:
    memories = Memories(tmp_path, None)
    await memories.add("the rent is 900", days_old=-400)
    (found,) = (await memories.search("rent")).results
    assert found.score <= 1


async def test_what_holds_no_longer_is_found_as_of_its_time_only(tmp_path: Path) -> None:
    memories = Memories(tmp_path, LOCAL)
    old = await memories.add("I live in Ulm", days_old=100, session="s", seq=1)
    await memories.store.save(replace(old, valid_to=NOW - timedelta(days=10)))
    await memories.add("I live in Lyon", days_old=10, session="s", seq=2)
    await memories.add("I live in Rome", expires_at=NOW - timedelta(days=1), session="s", seq=3)
    retired = await memories.add("I live in Oslo", session="s", seq=4)
    await memories.store.save(replace(retired, retired_at=NOW))
    assert list_ids(await memories.search("where do I live")) == ["m2"]
    past = await memories.search("where do I live", as_of=NOW - timedelta(days=50))
    assert list_ids(past) == ["m1"]


async def test_other_scopes_are_not_seen_and_no_scope_finds_nothing(tmp_path: Path) -> None:
    memories = await _fill(tmp_path)
    await memories.add("Eve has a dog too", scope=OTHER, session="s", seq=2)
    assert "m5" not in list_ids(await memories.search("dog"))
    assert list_ids(await memories.search("dog", scopes=[OTHER])) == ["m5"]
    assert list_ids(await memories.search("dog", scopes=[])) == []


async def test_only_the_wanted_types_are_found(tmp_path: Path) -> None:
    memories = await _fill(tmp_path)
    found = await memories.search("dog of Alice, allergic", types=("preference",))
    assert list_ids(found) == ["m4"]


async def test_an_embedder_that_fails_leaves_the_words_and_the_result_says_so(
    tmp_path: Path,
) -> None:
    memories = await _fill(tmp_path)
    memories.embedder = BrokenEmbedder()
    found = await memories.search("dog")
    assert list_ids(found)[0] == "m1"
    assert found.embedder == ""
    assert "cannot be had" in found.problem


async def test_an_embedder_that_hangs_holds_up_no_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_legs, "_EMBED_WAIT_S", 0.01)
    memories = await _fill(tmp_path)
    memories.embedder = HangingEmbedder()
    found = await memories.search("dog")
    assert list_ids(found)[0] == "m1"
    assert "took more than" in found.problem
    assert "仅比较了词语" in in_chinese(found.problem)


@pytest.mark.parametrize(
    "answer", [[], [array("f")], [array("f", [float("nan")] * 256)], [array("f", [1.0, 2.0])]]
)
async def test_an_answer_that_is_no_vector_or_of_another_length_leaves_the_words(
    tmp_path: Path, answer: list[Vector]
) -> None:
    memories = await _fill(tmp_path)
    memories.embedder = StrangeEmbedder(answer)
    found = await memories.search("dog")
    assert list_ids(found)[0] == "m1"
    assert found.embedder == ""
    assert "仅比较了词语" in in_chinese(found.problem)
    assert "words alone were compared" in found.problem


async def test_without_an_embedder_words_alone_are_searched(tmp_path: Path) -> None:
    memories = await _fill(tmp_path)
    memories.embedder = None
    found = await memories.search("dog")
    assert list_ids(found)[0] == "m1"
    assert not found.problem


@pytest.mark.parametrize(
    "query",
    ["", " \n\t", "???", "🎉", "\x00", "\ud800", "的", "ภาษาไทยไม่มีวรรค", "a" * 1_000_000,
     "word " * 200_000, "'; DROP TABLE memories; --", '"*" OR NEAR(a b)', "% _ \\ %"],
)  # fmt: skip
async def test_an_odd_query_has_an_answer_and_no_error(tmp_path: Path, query: str) -> None:
    memories = await _fill(tmp_path)
    found = await memories.search(query)
    assert len(found.results) <= 4
    assert len(await memories.store.get_many(["m1", "m2", "m3", "m4"])) == 4


async def test_no_words_and_no_meaning_find_nothing(tmp_path: Path) -> None:
    memories = await _fill(tmp_path)
    for query in ("", "   "):
        assert (await memories.search(query)).results == ()


async def test_a_text_without_words_is_found_by_itself(tmp_path: Path) -> None:
    memories = await _fill(tmp_path)
    await memories.add("???")
    assert list_ids(await memories.search("???", "keyword")) == ["m5"]


_WORDS = st.sampled_from(
    ["dog", "Alice", "invoice", "late", "手术", "膝盖", "peanut", "Lyon", "red", "你好", "7", "?"]
)
_ASKED = st.fixed_dictionaries(
    {
        "query": st.lists(_WORDS, min_size=1, max_size=6).map(" ".join),
        "limit": st.integers(1, 6),
        "search_type": st.sampled_from(["hybrid", "keyword", "semantic"]),
        "fusion": st.sampled_from(["score", "rrf"]),
    }
)


@pytest.mark.requirement("S3-11")
@given(asked=_ASKED)
def test_results_fall_by_score_whatever_is_asked(
    tmp_path_factory: pytest.TempPathFactory, asked: dict[str, Any]
) -> None:
    async def run() -> FoundMemories:
        folder = tmp_path_factory.getbasetemp() / "searched"
        is_new = not folder.exists()
        folder.mkdir(exist_ok=True)
        return await (await _fill(folder) if is_new else Memories(folder, LOCAL)).search(**asked)

    found = asyncio.run(run())
    scores = [one.score for one in found.results]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) <= asked["limit"]


async def test_a_turn_and_what_is_quoted_of_it_are_one_result(tmp_path: Path) -> None:
    memories = Memories(tmp_path, LOCAL)
    await memories.add("Bob: I live in Ulm. My dog is called Pixel.", session="s", seq=1)
    await memories.add("I live in Ulm.", session="s", seq=1)
    await memories.add("I live in Ulm.", session="other", seq=1)
    found = list_ids(await memories.search("live in Ulm"))
    assert len(found) == 2
    assert "m3" in found
