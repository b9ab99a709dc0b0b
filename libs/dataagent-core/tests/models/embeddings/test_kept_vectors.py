"""Vectors are asked for once, and only so many are kept."""

from array import array
from collections.abc import Sequence

import pytest

from dataagent_core.config.limits.match import EMBEDDING_TEXTS_PER_REQUEST_MAX
from dataagent_core.errors import ModelUnavailableError
from dataagent_core.models.embeddings.embedder import Vector
from dataagent_core.models.embeddings.kept_vectors import KeptVectors


class Counting:
    """An embedder that remembers what it was asked."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        return [array("f", [len(text)]) for text in texts]


async def test_only_new_texts_are_asked_for_and_those_used_last_are_kept():
    asked = Counting()
    kept = KeptVectors(asked, texts_max=2)
    assert [each[0] for each in await kept.embed(["a", "bb", "a"])] == [1, 2, 1]
    await kept.embed(["a"])
    assert asked.asked == ["a", "bb"]
    await kept.embed(["ccc"])
    await kept.embed(["a", "bb"])
    assert asked.asked == ["a", "bb", "ccc", "bb"]


class FailingOnce(Counting):
    """It fails at one text, the first time."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        vectors = await super().embed(texts)
        if "last" in texts and self.asked.count("last") == 1:
            raise ModelUnavailableError("It is away.")
        return vectors


async def test_what_came_before_a_failure_is_not_asked_for_again():
    failing = FailingOnce()
    kept = KeptVectors(failing)
    texts = [f"text {number}" for number in range(EMBEDDING_TEXTS_PER_REQUEST_MAX)] + ["last"]
    with pytest.raises(ModelUnavailableError):
        await kept.embed(texts)
    assert len(await kept.embed(texts)) == len(texts)
    assert failing.asked == [*texts, "last"]
