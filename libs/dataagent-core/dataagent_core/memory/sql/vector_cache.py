"""The vectors that a process keeps ready for searches, up to a number of bytes.

A cache belongs to one database. What it has is a copy: each search compares revisions first
(`vector_match.py`), and what the cache found is looked up again before it is returned.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from dataagent_core.config.limits.memory import VECTOR_CACHE_BYTES_MAX
from dataagent_core.memory.search_index import DocumentKind
from dataagent_core.memory.sql.document_span import SearchedMoment

if TYPE_CHECKING:
    from dataagent_core.memory.sql.scope_vectors import ScopeVectors

_NUMBER_BYTES = 4


class VectorGroup(NamedTuple):
    """Vectors that can be compared: of one scope, one kind, one embedder and one length."""

    scope_no: int
    kind: DocumentKind
    embedder: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class Revision:
    """Up to where a group was read."""

    number: int = -1
    removals: int = -1


@dataclass(slots=True)
class KeptGroup:
    """The vectors of a group, and up to where they were read."""

    vectors: "ScopeVectors"
    revision: Revision = field(default_factory=Revision)
    lock: Lock = field(default_factory=Lock)


class VectorCache:
    """Groups of vectors, the ones searched last."""

    def __init__(self, bytes_max: int = VECTOR_CACHE_BYTES_MAX) -> None:
        self.bytes_max = bytes_max
        self._groups: OrderedDict[VectorGroup, KeptGroup] = OrderedDict()
        self._lock = Lock()

    def revision(self, group: VectorGroup) -> Revision:
        """Say up to where a group was read."""
        kept = self._get(group)
        return Revision() if kept is None else kept.revision

    def begin(self, group: VectorGroup, rows: int) -> "VectorUpdate":
        """Begin to read what is new in a group, or all of about so many rows."""
        rows_max = max(1, self.bytes_max // (group.dimensions * _NUMBER_BYTES))
        return VectorUpdate(self, group, self._get(group), min(rows, rows_max), rows_max)

    def find_nearest(
        self, group: VectorGroup, vector: Sequence[float], moment: SearchedMoment, limit: int
    ) -> list[tuple[int, float]]:
        """Return the nearest documents of a group with their cosines, the nearest first."""
        kept = self._get(group)
        if kept is None:
            return []
        with kept.lock:
            return kept.vectors.find_nearest(vector, moment, limit)

    def clear(self) -> None:
        """Drop all vectors: what was forgotten is not left in memory either."""
        with self._lock:
            self._groups.clear()

    @property
    def size_bytes(self) -> int:
        """How much memory the vectors take."""
        with self._lock:
            return sum(kept.vectors.size_bytes for kept in self._groups.values())

    def _get(self, group: VectorGroup) -> KeptGroup | None:
        with self._lock:
            kept = self._groups.get(group)
            if kept is not None:
                self._groups.move_to_end(group)
            return kept

    def adopt(self, group: VectorGroup, kept: KeptGroup) -> None:
        """Keep a group, in the place of others that were not searched for longer."""
        with self._lock:
            self._groups[group] = kept
            self._groups.move_to_end(group)
            size = sum(one.vectors.size_bytes for one in self._groups.values())
            for other in list(self._groups):
                if size > self.bytes_max and other != group:
                    size -= self._groups.pop(other).vectors.size_bytes


class VectorUpdate:
    """What one reader has read of a group, on its way into the cache.

    A group that is new is filled here and adopted at the end. Of two who read at once, the one who
    has read up to a later revision is right. Of more vectors than there is room for, those of the
    newest documents stay.
    """

    def __init__(
        self,
        cache: VectorCache,
        group: VectorGroup,
        kept: KeptGroup | None,
        rows: int,
        rows_max: int,
    ) -> None:
        # Loaded with numpy by the first search.
        from dataagent_core.memory.sql.scope_vectors import ScopeVectors

        self._cache = cache
        self._group = group
        self._is_new = kept is None
        self._kept = kept or KeptGroup(ScopeVectors(group.dimensions, rows))
        self._rows: list[Any] = []
        self._alive: Sequence[int] | None = None
        self._rows_max = rows_max

    def put(self, rows: Sequence[Any]) -> None:
        """Take a page of rows: document, since_us, until_us, vector."""
        if self._is_new:
            self._kept.vectors.put(rows)
            self._trim()
        else:
            self._rows += rows

    def keep(self, alive: Sequence[int]) -> None:
        """Take note of all documents that are still there."""
        self._alive = alive

    def finish(self, revision: Revision) -> None:
        """Put what was read into the cache."""
        kept = self._kept
        with kept.lock:
            if kept.revision.number < revision.number:
                kept.vectors.put(self._rows)
                if self._alive is not None:
                    kept.vectors.keep(self._alive)
                self._trim()
                kept.revision = revision
        self._cache.adopt(self._group, kept)

    def _trim(self) -> None:
        # Some at a time, so that not each new vector moves others.
        if self._kept.vectors.count > self._rows_max:
            self._kept.vectors.keep_newest(self._rows_max - self._rows_max // 8)
