"""How much of a query one memory answers, whatever else was found."""

from pathlib import Path

import pytest
from searched_memories import LOCAL, Memories

from dataagent_core.memory.search.query_text import read_query
from dataagent_core.memory.search.relevance import rate_relevance


@pytest.mark.parametrize(
    ("query", "content", "part"),
    [
        ("the kettle in the cellar", "My kettle is in the cellar", 1.0),
        ("the kettle in the cellar", "My kettle is new", 0.5),
        ("the kettle in the cellar", "I like trains", 0.0),
    ],
)
def test_it_is_the_part_of_the_words_that_a_memory_has(
    query: str, content: str, part: float
) -> None:
    assert rate_relevance(read_query(query), content, 0.0) == part


def test_a_near_meaning_counts_where_no_word_is_shared() -> None:
    assert rate_relevance(read_query("puppy"), "My dog is called Pixel", 0.6) == 0.6
    assert rate_relevance(read_query("puppy"), "My dog is called Pixel", -0.2) == 0.0


async def test_the_best_of_nothing_useful_has_a_high_score_and_a_low_relevance(
    tmp_path: Path,
) -> None:
    memories = Memories(tmp_path, LOCAL)
    await memories.add("I live in Lyon")
    await memories.add("My dog is called Pixel")
    useless = (await memories.search("quarterly revenue by region")).results[0]
    useful = (await memories.search("What is my dog called?")).results[0]
    assert useless.score > 0.5
    assert useless.relevance < 0.35 < useful.relevance
