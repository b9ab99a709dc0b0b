"""The vectors of one kind of documents in one scope, made by one embedder: arrays of numpy.

A search compares all of them: 100,000 of 256 numbers take 3 ms. The first one loads this module.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from dataagent_core.memory.sql.document_span import SearchedMoment

Numbers: TypeAlias = "npt.NDArray[np.int64]"
_STORED: Final = np.dtype("<f4")
_GROWTH: Final = 1.125
_ROWS_MIN: Final = 64


class ScopeVectors:
    """Vectors by document, as the cache has them."""

    def __init__(self, dimensions: int, rows: int) -> None:
        self.dimensions = dimensions
        self.count = 0
        self._numbers = np.zeros(0, np.int64)
        self._since = np.zeros(0, np.int64)
        self._until = np.zeros(0, np.int64)
        self._vectors = np.zeros((0, dimensions), np.float32)
        self._reserve(rows)

    @property
    def size_bytes(self) -> int:
        """How much memory it takes."""
        arrays = (self._numbers, self._since, self._until, self._vectors)
        return sum(array.nbytes for array in arrays)

    def put(self, rows: Sequence[Any]) -> None:
        """Add documents (number, since_us, until_us, vector), or replace what is known of them."""
        if not rows:
            return
        numbers = np.array([row[0] for row in rows], np.int64)
        places = self._find(numbers)
        added = np.flatnonzero(places < 0)
        self._reserve(self.count + len(added))
        places[added] = np.arange(self.count, self.count + len(added))
        self.count += len(added)
        self._numbers[places] = numbers
        self._since[places] = [row[1] for row in rows]
        self._until[places] = [row[2] for row in rows]
        joined = np.frombuffer(b"".join(row[3] for row in rows), _STORED)
        self._vectors[places] = joined.reshape(len(rows), self.dimensions)

    def keep(self, numbers: Sequence[int]) -> None:
        """Drop all documents but these."""
        alive = np.isin(self._numbers[: self.count], np.array(numbers, np.int64))
        kept = int(alive.sum())
        holes = np.flatnonzero(~alive[:kept])
        moved = kept + np.flatnonzero(alive[kept:])
        for array in (self._numbers, self._since, self._until, self._vectors):
            array[holes] = array[moved]
        self.count = kept

    def keep_newest(self, count: int) -> None:
        """Drop all but the newest documents."""
        newest = np.partition(self._numbers[: self.count], self.count - count)[-count:]
        self.keep(newest.tolist())

    def find_nearest(
        self, vector: Sequence[float], moment: SearchedMoment, limit: int
    ) -> list[tuple[int, float]]:
        """Return the nearest documents that count, with their cosines, the nearest first."""
        # Not `@`: its threads wait for each other, for longer than the work takes.
        scores = np.vecdot(self._vectors[: self.count], np.asarray(vector, np.float32))
        scores[self._until[: self.count] <= moment.at_us] = 0
        if not moment.with_later:
            scores[self._since[: self.count] > moment.at_us] = 0
        if len(scores) > limit:
            near = np.argpartition(scores, len(scores) - limit)[-limit:]
        else:
            near = np.arange(len(scores))
        near = near[scores[near] > 0]
        # The newest of those that are equally near.
        numbers, nearness = self._numbers[near], scores[near]
        order = np.lexsort((-numbers, -nearness))
        return list(zip(numbers[order].tolist(), nearness[order].tolist(), strict=True))

    def _find(self, numbers: Numbers) -> npt.NDArray[np.intp]:
        """Return the places of documents; -1 for those that are not there."""
        known = self._numbers[: self.count]
        if not len(known):
            return np.full(len(numbers), -1, np.intp)
        order = np.argsort(known, kind="stable")
        places = order[np.minimum(np.searchsorted(known, numbers, sorter=order), len(known) - 1)]
        return np.where(known[places] == numbers, places, -1)

    def _reserve(self, rows: int) -> None:
        if rows <= len(self._numbers):
            return
        room = rows if not len(self._numbers) else max(_ROWS_MIN, int(rows * _GROWTH))
        for name in ("_numbers", "_since", "_until", "_vectors"):
            old: npt.NDArray[Any] = getattr(self, name)
            new = np.zeros((room, *old.shape[1:]), old.dtype)
            new[: self.count] = old[: self.count]
            setattr(self, name, new)
