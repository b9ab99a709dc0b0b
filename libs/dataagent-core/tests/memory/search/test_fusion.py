"""How the legs of a search are joined."""

import pytest

from dataagent_core.memory.search.fusion import fuse
from dataagent_core.memory.search_terms import SearchTerms


def _total(shares: dict[str, dict[str, float]], key: str) -> float:
    return sum(shares[key].values())


def _fuse(legs: dict[str, dict[str, float]], **terms: object) -> dict[str, dict[str, float]]:
    scores = fuse(legs, SearchTerms(**terms))  # pyright: ignore[reportArgumentType]
    return {
        key: {str(leg.name): leg.share for leg in scores.explain(key)} for key in scores.list_best()
    }


def test_scores_are_stretched_over_what_a_leg_found() -> None:
    shares = _fuse({"vector": {"a": 0.9, "b": 0.5, "c": 0.1}})
    assert [_total(shares, key) for key in "abc"] == pytest.approx([1.0, 0.5, 0.0])


def test_the_best_of_all_legs_has_all_of_the_score() -> None:
    legs = {"vector": {"a": 0.9, "b": 0.1}, "keyword": {"a": 7.0, "c": 1.0}, "graph": {"a": 2.0}}
    shares = _fuse(legs)
    assert shares["a"] == pytest.approx({"vector": 0.4, "keyword": 0.3, "graph": 0.3})


def test_a_leg_that_found_nothing_takes_nothing_away() -> None:
    assert _total(_fuse({"vector": {}, "keyword": {"a": 3.0}}), "a") == pytest.approx(1.0)


@pytest.mark.requirement("S2-11.5")
def test_ranks_are_joined_by_the_numbers_of_s2() -> None:
    legs = {"vector": {"a": 0.9, "b": 0.8}, "keyword": {"b": 5.0, "a": 4.9}}
    shares = _fuse(legs, fusion="rrf")
    whole = 0.7 / 61
    assert _total(shares, "a") == pytest.approx((0.4 / 61 + 0.3 / 62) / whole)
    assert _total(shares, "b") == pytest.approx((0.4 / 62 + 0.3 / 61) / whole)


@pytest.mark.requirement("F22-5-fusion")
def test_a_weak_leg_decides_less_by_scores_than_by_ranks() -> None:
    legs = {"vector": {"a": 0.31, "b": 0.30, "c": 0.0}, "keyword": {"b": 9.0, "a": 1.0, "c": 0.9}}
    by_scores, by_ranks = _fuse(legs), _fuse(legs, fusion="rrf")
    assert _total(by_scores, "b") > _total(by_scores, "a")
    assert _total(by_ranks, "a") > _total(by_ranks, "b")


@pytest.mark.parametrize("fusion", ["score", "rrf"])
def test_weights_of_nothing_give_no_score_and_no_error(fusion: str) -> None:
    shares = _fuse({"vector": {"a": 1.0}}, fusion=fusion, vector_weight=0.0)
    assert _total(shares, "a") == 0
