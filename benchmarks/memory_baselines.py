"""What the search of memory is measured beside: BM25 alone, and S2's fixed fusion of ranks.

BM25 as it is used most: words in small letters, pairs of Chinese signs, no list of stop words, no
stems. The other leg compares the whole text of a turn with the whole question by the same offline
embedder; both are joined by S2's weights and `rrf_k`. There is no graph without a model.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log
from operator import mul

from dataagent_core.language.word_split import is_han, pair_signs, split_runs
from dataagent_core.memory.search_terms import SearchTerms
from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder

SATURATION, LENGTH_SHARE = 1.2, 0.75
LEG_MAX = 100


class PlainBm25:
    """BM25 over texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        counted = {key: Counter(list_words(text)) for key, text in texts.items()}
        self._lengths = {key: words.total() for key, words in counted.items()}
        self._mean = sum(self._lengths.values()) / len(counted)
        self._postings: dict[str, dict[str, int]] = defaultdict(dict)
        for key, words in counted.items():
            for word, count in words.items():
                self._postings[word][key] = count

    def rank(self, query: str) -> list[str]:
        """List the best texts, the best first."""
        scores: dict[str, float] = defaultdict(float)
        for word in set(list_words(query)):
            found = self._postings.get(word, {})
            rarity = log(1 + (len(self._lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for key, count in found.items():
                share = 1 - LENGTH_SHARE + LENGTH_SHARE * self._lengths[key] / self._mean
                scores[key] += rarity * count * (SATURATION + 1) / (count + SATURATION * share)
        return _best(scores)


class PlainVectors:
    """The cosine of whole texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._embedder = WordLlamaEmbedder()
        self._vectors = dict(
            zip(texts, self._embedder.embed_now(list(texts.values())), strict=True)
        )

    def rank(self, query: str) -> list[str]:
        """List the nearest texts, the nearest first."""
        (asked,) = self._embedder.embed_now([query])
        return _best({key: sum(map(mul, asked, one)) for key, one in self._vectors.items()})


def fuse_ranks(vector: Sequence[str], keyword: Sequence[str]) -> list[str]:
    """Join two legs by S2's reciprocal ranks."""
    terms = SearchTerms()
    scores: dict[str, float] = defaultdict(float)
    for leg, weight in ((vector, terms.vector_weight), (keyword, terms.keyword_weight)):
        for rank, key in enumerate(leg, start=1):
            scores[key] += weight / (terms.rrf_k + rank)
    return _best(scores)


def list_words(text: str) -> list[str]:
    """List the words of a text in small letters."""
    return [
        word for run in split_runs(text) for word in (pair_signs(run) if is_han(run[0]) else [run])
    ]


def _best(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda key: -scores[key])[:LEG_MAX]
