"""The vectors of one kind of documents in one scope, made by one embedder: arrays of numpy.

Few vectors are all compared. Many are first compared by one bit for each number, its sign after the
mean is taken off: those whose bits differ least from the query's are compared exactly. This module
is loaded by the first search.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from dataagent_core.memory.sql.document_span import SearchedMoment

Numbers: TypeAlias = "npt.NDArray[np.int64]"
_STORED: Final = np.dtype("<f4")
# Up to so many a comparison of all takes 2 ms.
_EXACT_ROWS_MAX: Final = 16_384
# Turned into bits at once.
_BITS_PAGE_ROWS: Final = 16_384
# Compared exactly after the bits: the nearest 10 of 100,000 are nearly always among them.
_NEAREST_MIN: Final = 1_500
_NEAREST_PER_MATCH: Final = 10
_BITS: Final = 64
_GROWTH: Final = 1.125
_ROWS_MIN: Final = 64
_FAR: Final = np.uint16(2**16 - 1)


class ScopeVectors:
    """Vectors by document, as the cache has them."""

    def __init__(self, dimensions: int, rows: int) -> None:
        self.dimensions = dimensions
        self.count = 0
        self._numbers = np.zeros(0, np.int64)
        self._since = np.zeros(0, np.int64)
        self._until = np.zeros(0, np.int64)
        self._vectors = np.zeros((0, dimensions), np.float32)
        # For each number of a vector one bit, in columns of 64.
        self._bits: npt.NDArray[np.uint64] | None = None
        self._mean = np.zeros(dimensions, np.float32)
        self._reserve(rows)

    @property
    def size_bytes(self) -> int:
        """How much memory it takes."""
        bits = 0 if self._bits is None else self._bits.nbytes
        arrays = (self._numbers, self._since, self._until, self._vectors)
        return sum(array.nbytes for array in arrays) + bits

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
        if self._bits is not None:
            self._bits[:, places] = self._make_bits(self._vectors[places])

    def keep(self, numbers: Sequence[int]) -> None:
        """Drop all documents but these."""
        alive = np.isin(self._numbers[: self.count], np.array(numbers, np.int64))
        kept = int(alive.sum())
        holes = np.flatnonzero(~alive[:kept])
        moved = kept + np.flatnonzero(alive[kept:])
        for array in (self._numbers, self._since, self._until, self._vectors):
            array[holes] = array[moved]
        if self._bits is not None:
            self._bits[:, holes] = self._bits[:, moved]
        self.count = kept

    def keep_newest(self, count: int) -> None:
        """Drop all but the newest documents."""
        newest = np.partition(self._numbers[: self.count], self.count - count)[-count:]
        self.keep(newest.tolist())

    def find_nearest(
        self, vector: Sequence[float], moment: SearchedMoment, limit: int
    ) -> list[tuple[int, float]]:
        """Return the nearest documents that count, with their cosines, the nearest first."""
        query = np.asarray(vector, np.float32)
        counting = self._until[: self.count] > moment.at_us
        if not moment.with_later:
            counting &= self._since[: self.count] <= moment.at_us
        if self.count <= _EXACT_ROWS_MAX:
            places = np.flatnonzero(counting)
        else:
            wanted = max(_NEAREST_MIN, _NEAREST_PER_MATCH * limit)
            places = self._find_alike(query, counting, wanted)
        if len(places) == self.count:
            scores = self._vectors[: self.count] @ query
        else:
            scores = self._vectors[places] @ query
        near = np.flatnonzero(scores > 0)
        if len(near) > limit:
            near = near[np.argpartition(scores[near], len(near) - limit)[-limit:]]
        # The newest of those that are equally near.
        numbers = self._numbers[places[near]]
        order = np.lexsort((-numbers, -scores[near]))
        return list(zip(numbers[order].tolist(), scores[near][order].tolist(), strict=True))

    def _find_alike(
        self, query: npt.NDArray[np.float32], counting: npt.NDArray[np.bool_], wanted: int
    ) -> npt.NDArray[np.intp]:
        if self._bits is None:
            self._mean = self._vectors[: self.count].mean(axis=0)
            columns = -(-self.dimensions // _BITS)
            self._bits = np.zeros((columns, len(self._numbers)), np.uint64)
            for start in range(0, self.count, _BITS_PAGE_ROWS):
                some = slice(start, min(start + _BITS_PAGE_ROWS, self.count))
                self._bits[:, some] = self._make_bits(self._vectors[some])
        signs = self._make_bits(query[np.newaxis])[:, 0]
        distances = np.zeros(self.count, np.uint16)
        for column, sign in zip(self._bits, signs, strict=True):
            distances += np.bitwise_count(column[: self.count] ^ sign)
        distances[~counting] = _FAR
        if len(distances) > wanted:
            places = np.argpartition(distances, wanted)[:wanted]
            return places[distances[places] < _FAR]
        return np.flatnonzero(counting)

    def _make_bits(self, vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.uint64]:
        """Give the signs of vectors, a column of 64 bits after the other."""
        packed = np.packbits(vectors > self._mean, axis=1)
        columns = -(-self.dimensions // _BITS)
        filled = np.zeros((len(vectors), columns * 8), np.uint8)
        filled[:, : packed.shape[1]] = packed
        return np.ascontiguousarray(filled.view(np.uint64).T)

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
        # Made again when it is needed, with the mean of what is there then.
        self._bits = None
