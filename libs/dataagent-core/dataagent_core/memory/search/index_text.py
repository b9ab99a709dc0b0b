"""Makes of a text what an index keeps of it: words, and the vector of what it means.

English words are cut to their stems; Chinese and other scripts without blanks become single signs
and pairs of them. Who speaks is a word like others, but no part of the meaning: with names in it,
the texts of one person are near to each other and far from what is asked (notes/memory.md, 4).
"""

import re
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Final

from dataagent_core.config.limits.match import MATCH_MESSAGE_CHARS_MAX
from dataagent_core.errors import ConfigurationError, ModelUnavailableError
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.language.unicode_text import storable
from dataagent_core.language.word_split import is_han, pair_signs, split_runs, stem_word
from dataagent_core.memory.search.speaker_prefix import split_speaker
from dataagent_core.memory.search_index import IndexEntry
from dataagent_core.models.embeddings import Embedder, Vector

# What is read of a text for its words and for its vector, both ends.
WORDS_CHARS_MAX: Final = 20_000
EMBED_CHARS_MAX: Final = MATCH_MESSAGE_CHARS_MAX
# Japanese, Thai, Lao, Burmese, Khmer, Korean: like Chinese they are read by pairs.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff]{2,}"
)


async def index_text(text: str, embedder: Embedder | None) -> IndexEntry:
    """Index a text; without its vector while the embedder cannot make one."""
    (entry,) = await index_texts([text], embedder)
    return entry


async def index_texts(texts: Sequence[str], embedder: Embedder | None) -> list[IndexEntry]:
    """Index many texts with one call of the embedder."""
    vectors = await embed_texts(texts, embedder)
    name = embedder.name if embedder else ""
    return [
        IndexEntry(words=count_words(text), embedder=name, vector=vector)
        if vector
        else IndexEntry(words=count_words(text))
        for text, vector in zip(texts, vectors, strict=True)
    ]


async def embed_texts(texts: Sequence[str], embedder: Embedder | None) -> list["Vector | None"]:
    """Embed what texts mean; `None` where nobody can."""
    if embedder is None:
        return [None] * len(texts)
    try:
        vectors = await embedder.embed([read_meaning(text) for text in texts])
    except (ModelUnavailableError, ConfigurationError):
        # `reembed.py` makes them up later; until then words find the text.
        return [None] * len(texts)
    return list(map(mark_empty, vectors))


def mark_empty(vector: Vector) -> Vector:
    """Give a text that means nothing a vector of one zero: it is embedded, and near to nothing."""
    return vector if any(vector) else array("f", [0.0])


def count_words(text: str) -> dict[str, int]:
    """Count the words of a text as the index keeps them."""
    return dict(Counter(list_terms(text)))


def list_terms(text: str) -> list[str]:
    """List the words of a text as the index keeps them, in order."""
    terms: list[str] = []
    for run in split_runs(storable(keep_ends(text, WORDS_CHARS_MAX))):
        if is_han(run[0]):
            terms += (*run, *(pair_signs(run) if len(run) > 1 else ()))
        elif _UNSPACED.search(run):
            terms += pair_signs(run)
        else:
            terms.append(stem_word(run))
    return terms


def read_meaning(text: str) -> str:
    """Return the part of a text that is embedded: without the name of who says it."""
    return keep_ends(split_speaker(storable(text))[1], EMBED_CHARS_MAX)
