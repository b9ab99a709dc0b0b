"""The arrays of vectors answer as a plain comparison does, whatever was put, replaced and dropped."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.memory.sql.document_span import ALWAYS_US, NEVER_US, SearchedMoment
from dataagent_core.memory.sql.scope_vectors import ScopeVectors
from dataagent_core.memory.sql.stored_vector import pack_vector
from dataagent_core.memory.sql.vector_cache import Revision, VectorCache, VectorGroup
from dataagent_core.models.embeddings.embedder import Vector, make_unit

DIMENSIONS = 70
NOW = SearchedMoment(100, with_later=True)


def vector_of(seed: int, dimensions: int = DIMENSIONS) -> Vector:
    """Make a vector of a number."""
    random = Random(seed)
    return make_unit([random.gauss(0, 1) for _ in range(dimensions)])


def row_of(number: int, seed: int, since: int = 0, until: int = ALWAYS_US) -> tuple[object, ...]:
    """Make a row as it is read."""
    return number, since, until, pack_vector(vector_of(seed)), 1


rows = st.lists(
    st.tuples(
        st.integers(1, 30),
        st.integers(0, 99),
        st.sampled_from([0, 100, 101]),
        st.sampled_from([ALWAYS_US, NEVER_US, 100, 101]),
    ),
    max_size=40,
)


@given(pages=st.lists(rows, max_size=4), dropped=st.sets(st.integers(1, 30)), later=st.booleans())
def test_the_nearest_are_those_of_a_plain_comparison(
    pages: list[list[tuple[int, int, int, int]]],
    dropped: set[int],
    *,
    later: bool,
):
    vectors, query, moment = ScopeVectors(DIMENSIONS, 1), vector_of(-1), SearchedMoment(100, later)
    known: dict[int, tuple[int, int, int]] = {}
    for page in pages:
        # A page names a document once.
        named = {number: rest for number, *rest in page}
        vectors.put([row_of(number, *rest) for number, rest in named.items()])
        known |= {number: (seed, since, until) for number, (seed, since, until) in named.items()}
        vectors.find_nearest(query, moment, 3)
    vectors.keep(sorted(known.keys() - dropped))
    expected = {
        number: sum(map(float.__mul__, vector_of(seed), query))
        for number, (seed, since, until) in known.items()
        if number not in dropped and moment.counts(since, until)
    }
    best = sorted((score for score in expected.values() if score > 0), reverse=True)
    for limit in (1, 3, 50):
        found = vectors.find_nearest(query, moment, limit)
        assert [score for _, score in found] == pytest.approx(best[:limit], abs=1e-5)
        assert all(score == pytest.approx(expected[number], abs=1e-5) for number, score in found)
        assert len({number for number, _ in found}) == len(found)


def fill(cache: VectorCache, group: VectorGroup, numbers: range, revision: int) -> None:
    """Read documents into a cache."""
    update = cache.begin(group, len(numbers))
    update.put([row_of(number, number) for number in numbers])
    update.finish(Revision(revision, 0))


def test_a_cache_keeps_what_was_searched_last_within_its_bytes():
    groups = [VectorGroup(number, "memory", "one", DIMENSIONS) for number in range(4)]
    # Room for 30 vectors with their numbers.
    cache = VectorCache(30 * (DIMENSIONS * 4 + 24))
    for group in groups:
        fill(cache, group, range(1, 11), 1)
        assert cache.find_nearest(groups[0], vector_of(1), NOW, 1)
        assert cache.size_bytes <= cache.bytes_max
    assert [cache.revision(group).number for group in groups] == [1, -1, 1, 1]
    cache.clear()
    assert cache.size_bytes == 0
    assert cache.find_nearest(groups[0], vector_of(1), NOW, 1) == []


def test_of_more_vectors_than_there_is_room_for_the_newest_are_compared():
    cache = VectorCache(16 * DIMENSIONS * 4)
    group = VectorGroup(1, "memory", "one", DIMENSIONS)
    fill(cache, group, range(1, 101), 1)
    found = {number for number, _ in cache.find_nearest(group, vector_of(100), NOW, 99)}
    assert 100 in found
    assert min(found) > 84
    fill(cache, group, range(101, 121), 2)
    found = {number for number, _ in cache.find_nearest(group, vector_of(120), NOW, 99)}
    assert 120 in found
    assert min(found) > 104


def test_of_two_who_read_at_once_the_one_who_read_more_is_right():
    cache, group = VectorCache(), VectorGroup(1, "memory", "one", DIMENSIONS)
    fill(cache, group, range(1, 3), 1)
    slow, quick = cache.begin(group, 2), cache.begin(group, 2)
    slow.put([row_of(1, 7)])
    quick.put([row_of(1, 8)])
    quick.keep([1])
    quick.finish(Revision(3, 1))
    slow.finish(Revision(2, 0))
    assert cache.revision(group) == Revision(3, 1)
    ((number, score),) = cache.find_nearest(group, vector_of(8), NOW, 9)
    assert (number, score) == (1, pytest.approx(1.0, abs=1e-5))
