"""The plain forms of a text: without case and width, and what of it makes a statement."""

import unicodedata
from hashlib import sha256

from dataagent_core.language.unicode_text import storable
from dataagent_core.memory.changes.text_likeness import write_core


def fold_text(text: str) -> str:
    """Give a text on one line, in plain signs of one width, without case."""
    plain = unicodedata.normalize("NFKC", storable(text)).casefold()
    return " ".join(plain.split())


def digest_text(text: str) -> str:
    """Give the digest by which `MemoryStore.find_same` finds texts that say the same.

    Near duplicates have one digest (`changes/text_likeness.py`): one lookup finds them among any
    number of memories.
    """
    return sha256((write_core(text) or fold_text(text)).encode()).hexdigest()
