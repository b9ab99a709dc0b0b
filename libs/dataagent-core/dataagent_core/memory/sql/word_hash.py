"""A word as a number: what the index keeps instead of the word.

Two words of one hash would be taken for one; with 64 bits that is not to be expected.
"""

from collections.abc import Iterable
from hashlib import blake2b
from struct import pack, unpack
from typing import Final

from dataagent_core.memory.search_index import DocumentKind

_BYTES: Final = 8


def hash_word(kind: DocumentKind, word: str) -> int:
    """Hash a word of a document of a kind: memories do not read the words of episodes."""
    return hash_text(f"{kind}\0{word}")


def hash_text(text: str) -> int:
    """Hash a text to a signed number of 64 bits."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()
    return int.from_bytes(digest, "little", signed=True)


def pack_hashes(hashes: Iterable[int]) -> bytes:
    """Write hashes one after the other."""
    values = tuple(hashes)
    return pack(f"<{len(values)}q", *values)


def unpack_hashes(stored: bytes) -> tuple[int, ...]:
    """Read hashes."""
    return unpack(f"<{len(stored) // _BYTES}q", stored)
