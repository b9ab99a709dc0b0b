"""The embedder changes: texts are embedded again, and meanwhile no answer is wrong."""

from pathlib import Path

import pytest
from searched_memories import LOCAL, BrokenEmbedder, LetterEmbedder, Memories, list_ids

from dataagent_core.memory.search.reembed import reembed


@pytest.mark.requirement("F22-5-embedder")
async def test_until_it_is_done_words_find_what_the_new_embedder_has_not_seen(
    tmp_path: Path,
) -> None:
    memories = Memories(tmp_path, LOCAL)
    await memories.add("The kettle stands in the cellar")
    memories.embedder = LetterEmbedder()
    found = await memories.search("kettle")
    assert list_ids(found) == ["m1"]
    assert found.embedder == ""
    assert memories.embedder.name in found.problem
    report = await reembed(memories.store, memories.embedder)
    assert (report.embedded, report.is_done) == (1, True)
    found = await memories.search("kettle")
    assert (found.embedder, found.problem) == (memories.embedder.name, "")
    assert "vector" in {leg.name for leg in found.results[0].legs}


async def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    memories = Memories(tmp_path, None)
    for number in range(140):
        await memories.add(f"fact {number}")
    embedder = LetterEmbedder()
    first = await reembed(memories.store, embedder, batches_max=1)
    assert (first.embedded, first.is_done) == (128, False)
    second = await reembed(memories.store, embedder)
    assert (second.embedded, second.is_done) == (12, True)
    assert embedder.asked == [128, 12]


async def test_texts_that_mean_nothing_do_not_keep_it_from_ending(tmp_path: Path) -> None:
    memories = Memories(tmp_path, None)
    await memories.add("???")
    embedder = LetterEmbedder()
    assert (await reembed(memories.store, embedder)).is_done
    assert (await reembed(memories.store, embedder)).embedded == 0


async def test_an_embedder_that_fails_ends_it_with_the_reason(tmp_path: Path) -> None:
    memories = Memories(tmp_path, None)
    await memories.add("a fact")
    report = await reembed(memories.store, BrokenEmbedder())
    assert not report.is_done
    assert "cannot be had" in report.problem
