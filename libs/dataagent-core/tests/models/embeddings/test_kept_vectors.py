"""Vectors are asked for once, and only so many are kept."""

from array import array
from collections.abc import Sequence

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
