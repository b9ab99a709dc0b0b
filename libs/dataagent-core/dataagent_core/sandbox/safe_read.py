"""Reads a descriptor in pieces, never more than was asked for."""

import os
from collections.abc import Iterator

_PIECE_BYTES = 1 << 20


def pieces(descriptor: int, max_bytes: int | None = None) -> Iterator[bytes]:
    """Read to the end, or until `max_bytes` were read."""
    left = max_bytes
    while left is None or left > 0:
        piece = os.read(descriptor, _PIECE_BYTES if left is None else min(left, _PIECE_BYTES))
        if not piece:
            return
        left = None if left is None else left - len(piece)
        yield piece
