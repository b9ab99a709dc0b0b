"""Words, near words and meanings become scores; who is far behind the best one is no match."""

import asyncio
from array import array

import pytest

from dataagent_core.config.limits.match import (
    MATCH_PATTERN_STEPS_MAX,
    MATCH_PATTERN_STEPS_ON_LOOP_MAX,
)
from dataagent_core.models.embeddings import HybridIndex, MatchDocument, WeightedPattern
from dataagent_core.models.embeddings.keyword_index import KeywordIndex
from dataagent_core.models.embeddings.local import wordllama_embedder
from dataagent_core.models.embeddings.vector_index import VectorIndex

PACKAGING = MatchDocument(key="packaging", description="Docker images", phrases=("docker image",))
LEASES = MatchDocument(key="leases", description="Rent of flats", phrases=("tenant and lease",))


def test_a_word_that_no_document_has_counts_as_those_near_to_it():
    near = KeywordIndex([PACKAGING, LEASES], near_words=True)
    exact = KeywordIndex([PACKAGING, LEASES], near_words=False)
    assert exact.collect("the landlord wants a dockerfile") == {}
    assert near.collect("the landlord")[1].near_mass > 0.1
    assert near.collect("dockerfile")[0].near_mass > 0.3
    # What is there exactly does not count again as what is near.
    assert near.collect("docker")[0].near_mass == 0


def test_without_the_offline_weights_words_count_as_they_are(monkeypatch: pytest.MonkeyPatch):
    def find_nothing(_: str) -> None:
        return None

    monkeypatch.setattr(wordllama_embedder, "find_spec", find_nothing)
    wordllama_embedder.load_model.cache_clear()
    index = KeywordIndex([PACKAGING], near_words=True)
    assert index.collect("dockerfile") == {}
    assert index.collect("docker")[0].mass > 0


def test_what_all_vectors_have_in_common_does_not_count():
    common = 10.0
    vectors = [array("f", [common, n % 7 - 3, n % 5 - 2, n % 3 - 1]) for n in range(200)]
    found = dict(VectorIndex(vectors).find_nearest(array("f", [common, 3, 2, 1])))
    # Without the mean all of them have a cosine above 0.8.
    assert min(found.values()) < 0.5
    assert max(found.values()) > 0.9


@pytest.mark.parametrize(("weight", "fits"), [(1.0, True), (0.65, False)])
async def test_a_document_far_behind_the_best_is_no_match(weight: float, *, fits: bool):
    documents = [
        MatchDocument(key="best", description="a", patterns=(WeightedPattern(pattern="/deploy/"),)),
        MatchDocument(
            key="other",
            description="b",
            patterns=(WeightedPattern(pattern="/now/", weight=weight),),
        ),
    ]
    found = {one.document.key: one for one in await HybridIndex(documents, None).rank("deploy now")}
    assert found["best"].is_match
    assert found["other"].is_match == fits


async def test_the_patterns_of_one_index_are_bounded_and_many_are_searched_in_a_thread():
    documents = [
        MatchDocument(
            key=str(number),
            description="a",
            patterns=tuple(
                WeightedPattern(pattern=f"/docker{number}x{n}[ab]{{900}}/") for n in range(40)
            ),
        )
        for number in range(10)
    ]
    steps = KeywordIndex(documents, near_words=False).pattern_steps
    assert MATCH_PATTERN_STEPS_ON_LOOP_MAX < steps <= MATCH_PATTERN_STEPS_MAX
    index = HybridIndex([PACKAGING, *documents], None)
    await index.rank("docker")
    turns = 0

    def count() -> None:
        nonlocal turns
        turns += 1

    # It runs only while the match waits for something.
    asyncio.get_running_loop().call_soon(count)
    assert [one.document.key for one in await index.rank("docker image")] == ["packaging"]
    assert turns == 1
