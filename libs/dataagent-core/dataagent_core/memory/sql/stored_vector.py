"""A vector as bytes of a row, and the rows of vectors."""

import sys
from array import array
from math import isfinite
from typing import Final

from dataagent_core.config.limits.memory import INDEX_DIMENSIONS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.memory.search_index import DocumentKind
from dataagent_core.memory.sql.memory_tables import MEMORY_VECTORS
from dataagent_core.models.embeddings.embedder import Vector
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import index_key, insert

_INSERT: Final = insert(MEMORY_VECTORS.name, tuple(MEMORY_VECTORS.columns))


def insert_vector(
    connection: SqlConnection,
    embedder: str,
    vector: Vector,
    *,
    document: int,
    scope_no: int,
    kind: DocumentKind,
    revision: int,
) -> None:
    """Store the vector of a document that has none."""
    if not embedder:
        raise ValidationError("A vector without the name of its embedder: give both or none.")
    connection.execute(
        _INSERT,
        (
            document,
            scope_no,
            kind,
            index_key(embedder, connection.dialect.name),
            len(vector),
            revision,
            pack_vector(vector),
        ),
    )


def pack_vector(vector: Vector) -> bytes:
    """Write a vector as 32-bit floats, the lowest byte first."""
    if not 0 < len(vector) <= INDEX_DIMENSIONS_MAX:
        raise ValidationError(
            f"A vector of {len(vector):,} numbers: from 1 to {INDEX_DIMENSIONS_MAX:,} can be kept."
        )
    if not isfinite(sum(vector)):
        raise ValidationError("A vector with a number that is infinite or none: embed it again.")
    values = array("f", vector)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()
