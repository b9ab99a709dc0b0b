"""The plain form of a text, in which two that differ in case, width or blanks are the same."""

import unicodedata
from hashlib import sha256

from dataagent_core.language.unicode_text import storable


def fold_text(text: str) -> str:
    """Give a text on one line, in plain signs of one width, without case."""
    plain = unicodedata.normalize("NFKC", storable(text)).casefold()
    return " ".join(plain.split())


def digest_text(text: str) -> str:
    """Give the digest by which `MemoryStore.find_same` finds equal texts."""
    return sha256(fold_text(text).encode()).hexdigest()
