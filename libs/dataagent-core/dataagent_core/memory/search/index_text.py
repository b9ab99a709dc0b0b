"""Makes of a text what an index keeps of it: words, and the vector of what it means.

English words are cut to their stems; Chinese becomes single signs and pairs of them, other scripts
without blanks become pairs. Who speaks is a word like others, but no part of the meaning: with
names in it, the texts of one person are near to each other and far from what is asked.
"""

import asyncio
import re
from array import array
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from dataagent_core.config.limits.match import MATCH_MESSAGE_CHARS_MAX
from dataagent_core.config.limits.memory import MEMORY_EMBED_WAIT_S, MEMORY_EMBED_WAIT_TEXT_S
from dataagent_core.errors import ConfigurationError, ModelUnavailableError
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.language.unicode_text import storable
from dataagent_core.language.word_split import is_han, pair_signs, split_runs, stem_word
from dataagent_core.memory.search.speaker_prefix import split_speaker
from dataagent_core.memory.search_index import IndexEntry
from dataagent_core.models.embeddings import Embedder, Vector

# What is read of a text for its words and for its vector, both ends.
_WORDS_CHARS_MAX: Final = 20_000
_EMBED_CHARS_MAX: Final = MATCH_MESSAGE_CHARS_MAX
_EMBED_WAIT_S: Final = MEMORY_EMBED_WAIT_S
# Of a text without any word, such as "???", all of it is one.
_SIGNS_CHARS_MAX: Final = 100
# Of a longer word its beginning is enough.
_WORD_CHARS_MAX: Final = 64
_STEMS_KEPT_MAX: Final = 16_384
_GRAMMAR_TEXT: Final = """
a an and are am as at be been being but by did do does doing for from had has have having he her
hers him his how i if in is it its me my of on or our ours she so than that the their theirs them
then these they this those to us was we were what when where which who whom whose why will with
would you your yours
"""
_GRAMMAR: Final = frozenset(_GRAMMAR_TEXT.split())
# Japanese, Thai, Lao, Burmese, Khmer, Korean.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff]{2,}"
)


async def index_text(text: str, embedder: Embedder | None, speaker: str = "") -> IndexEntry:
    """Index a text; without its vector while the embedder cannot make one."""
    (entry,) = await index_texts([(text, speaker)], embedder)
    return entry


async def index_texts(
    texts: Sequence[tuple[str, str]], embedder: Embedder | None
) -> list[IndexEntry]:
    """Index texts, each with who says it where it does not say so itself, with one embedding."""
    vectors = await _embed([text for text, _ in texts], embedder)
    name = embedder.name if embedder and vectors else ""
    return [
        IndexEntry(
            words=Counter(list_terms(text if text.startswith(speaker) else f"{speaker} {text}")),
            embedder=name,
            vector=vectors[place] if vectors else None,
        )
        for place, (text, speaker) in enumerate(texts)
    ]


async def _embed(texts: Sequence[str], embedder: Embedder | None) -> list[Vector]:
    """Embed texts; nothing where nobody can now, or in time: `reembed.py` makes up for it."""
    if embedder is None:
        return []
    try:
        async with asyncio.timeout(_EMBED_WAIT_S + len(texts) * MEMORY_EMBED_WAIT_TEXT_S):
            vectors = await embedder.embed([read_meaning(text) for text in texts])
    except (ModelUnavailableError, ConfigurationError, TimeoutError):
        return []
    return list(map(mark_empty, vectors))


def list_terms(text: str) -> list[str]:
    """List the words of a text as the index keeps them, in order.

    English words of grammar are left out, unless there are no others. More than these made searches
    worse: "first", "need" or "last" tell something in a memory.
    """
    text = storable(keep_ends(text, _WORDS_CHARS_MAX))
    runs = split_runs(text)
    telling = [term for run in runs if run not in _GRAMMAR for term in _read_run(run)]
    return (
        telling
        or [term for run in runs for term in _read_run(run)]
        or ([text.strip()[:_SIGNS_CHARS_MAX]] if text.strip() else [])
    )


def _read_run(run: str) -> list[str]:
    if is_han(run[0]):
        return [*run, *(pair_signs(run) if len(run) > 1 else ())]
    if _UNSPACED.search(run):
        return pair_signs(run)
    return [_stem(run[:_WORD_CHARS_MAX])]


# A search reads the texts that it found, again and again the same words.
_stem: Final = lru_cache(_STEMS_KEPT_MAX)(stem_word)


def read_meaning(text: str) -> str:
    """Return the part of a text that is embedded: without the name of who says it."""
    return keep_ends(split_speaker(storable(text))[1], _EMBED_CHARS_MAX)


def mark_empty(vector: Vector) -> Vector:
    """Give a text that means nothing a vector of one zero: it is embedded, and near to nothing."""
    return vector if any(vector) else array("f", [0.0])
