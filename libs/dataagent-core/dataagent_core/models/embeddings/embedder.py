"""The port of embeddings: texts become vectors whose angle says how near their meanings are.

`WordLlamaEmbedder` (`local/`) is the offline default, `OpenAIEmbedder` speaks to any address with
OpenAI's API; `resolve_embedder` chooses by the settings. Skills, sub-agents and memory use this
port; scores are made of it in `hybrid_score.py`.
"""

from array import array
from collections.abc import Sequence
from math import sqrt
from typing import Protocol, TypeAlias

# Floats ("f"), of length 1; zeros where a text has nothing to embed.
Vector: TypeAlias = "array[float]"


class Embedder(Protocol):
    """Makes vectors of texts."""

    @property
    def name(self) -> str:
        """The name of the model, as in the setting `embedding_model`."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector of length 1 for each text.

        Raises `ModelUnavailableError` when it cannot be had now, `ConfigurationError` when
        something must be set up first.
        """
        ...


def make_unit(values: Sequence[float]) -> Vector:
    """Scale a vector to length 1; zeros stay zeros."""
    length = sqrt(sum(value * value for value in values))
    return array("f", [value / length for value in values] if length else values)
