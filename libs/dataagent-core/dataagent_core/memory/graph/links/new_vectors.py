"""Vectors of entities that are new in the episodes at hand and in no store yet."""

from typing import TYPE_CHECKING

from dataagent_core.models.embeddings import Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NewVectors:
    """Compares a vector with all of them at once."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._vectors: list[Vector] = []
        self._matrix: NDArray[np.float32] | None = None

    def add(self, entity_id: str, vector: Vector) -> None:
        """Add the vector of an entity."""
        self._ids.append(entity_id)
        self._vectors.append(vector)
        self._matrix = None

    def find_near(self, vector: Vector, threshold: float) -> dict[str, float]:
        """Return entities whose similarity is high enough."""
        import numpy as np

        if not self._ids:
            return {}
        if self._matrix is None:
            self._matrix = np.asarray(self._vectors, dtype=np.float32)
        scores = self._matrix @ np.asarray(vector, dtype=np.float32)
        return {
            self._ids[place]: float(scores[place]) for place in np.flatnonzero(scores >= threshold)
        }
