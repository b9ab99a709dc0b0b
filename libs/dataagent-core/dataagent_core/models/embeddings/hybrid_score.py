"""Scores of documents for a message: of words, of meaning, and of both. The API for matchers.

`HybridIndex.build` reads the documents once, `rank` scores a message against them. The signs are
joined as values in a logistic regression: joining ranks would let the weaker of the two decide. Its
weights were fitted on a corpus (`tests/skills/corpus`); `benchmarks/skill_match.py` prints what
they reach on prompts that were held out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import exp
from typing import Final, Self

from dataagent_core.config.limits.match import (
    MATCH_CANDIDATES_MAX,
    MATCH_DESCRIPTION_CHARS_MAX,
    MATCH_MESSAGE_CHARS_MAX,
    MATCH_PHRASE_CHARS_MAX,
    MATCH_PHRASES_MAX,
)
from dataagent_core.errors import ConfigurationError, ModelUnavailableError
from dataagent_core.models.embeddings.embedder import Embedder
from dataagent_core.models.embeddings.keyword_index import KeywordEvidence, KeywordIndex
from dataagent_core.models.embeddings.match_document import MatchDocument, MatchType
from dataagent_core.models.embeddings.vector_index import VectorIndex

# A score from here on is a match, unless the best one is much better.
MATCH_SCORE_MIN: Final = 0.5
MATCH_SHARE_OF_BEST_MIN: Final = 0.8
_WORDS_SHOWN_MAX: Final = 4
_TEXT_SHOWN_CHARS_MAX: Final = 60


@dataclass(frozen=True, slots=True)
class ScoreWeights:
    """What each sign is worth, in a logistic regression; `start` is the value without any."""

    start: float
    mass: float = 0.0
    phrase: float = 0.0
    nearness: float = 0.0

    def of(self, evidence: KeywordEvidence, nearness: float) -> float:
        """Add up the signs; 0 is the border of a match."""
        return (
            self.start
            + self.mass * evidence.mass
            + self.phrase * evidence.phrase_part**2
            + _PATTERN_WEIGHT * evidence.pattern_weight
            + self.nearness * nearness
        )


# Fitted on the prompts of the corpus that are not held out.
_WORDS: Final = ScoreWeights(start=-5.7, mass=4.2, phrase=3.4)
_MEANING: Final = ScoreWeights(start=-7.4, nearness=13.7)
_BOTH: Final = ScoreWeights(start=-7.2, mass=3.6, phrase=2.4, nearness=4.9)
# Not fitted: a pattern is its author's word, and one of weight 1 is enough for a match.
_PATTERN_WEIGHT: Final = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchScore:
    """How well one document fits a message; every score is from 0 to 1."""

    document: MatchDocument
    score: float
    keyword_score: float
    # `None` where the meaning was not compared.
    semantic_score: float | None
    reason: str
    # High enough to act on.
    is_match: bool


@dataclass(frozen=True, slots=True)
class _Nearest:
    """The text of a document whose meaning is nearest to the message."""

    nearness: float = 0.0
    text: str = ""


class HybridIndex:
    """Documents ready to be compared with messages."""

    def __init__(
        self,
        documents: Sequence[MatchDocument],
        embedder: Embedder | None,
        texts: Sequence[tuple[int, str]],
        vectors: VectorIndex | None,
        problem: str,
    ) -> None:
        self._documents = tuple(documents)
        self._keywords = KeywordIndex(documents)
        self._embedder = embedder
        self._texts = texts
        self._vectors = vectors
        # Why there are no vectors.
        self.problem = problem

    @classmethod
    async def build(cls, documents: Sequence[MatchDocument], embedder: Embedder | None) -> Self:
        """Read the documents; without an embedder, or with one that fails, by words alone."""
        texts = [
            (number, text)
            for number, document in enumerate(documents)
            if document.type != "keyword"
            for text in _embedded_texts(document)
        ]
        vectors, problem = None, ""
        if embedder is not None and texts:
            try:
                vectors = VectorIndex(await embedder.embed([text for _, text in texts]))
            except (ModelUnavailableError, ConfigurationError) as error:
                problem = str(error)
        return cls(documents, embedder, texts, vectors, problem)

    async def rank(self, message: str, *, limit: int = MATCH_CANDIDATES_MAX) -> list[MatchScore]:
        """Score the documents that anything speaks for, and list the best."""
        message = message[:MATCH_MESSAGE_CHARS_MAX]
        evidence = self._keywords.collect(message)
        nearest, problem = await self._find_nearest(message)
        signs = [
            (number, evidence.get(number) or _NO_EVIDENCE, _near(nearest, number))
            for number in evidence.keys() | (nearest or {}).keys()
        ]
        scored = [
            (_score(self._documents[number].type, words, near), -number, words, near)
            for number, words, near in signs
        ]
        best = nlargest(limit, scored, key=lambda each: each[:2])
        border = max(MATCH_SCORE_MIN, MATCH_SHARE_OF_BEST_MIN * best[0][0]) if best else 0.0
        return [
            self._describe(-number, score, words, near, problem, is_match=score >= border)
            for score, number, words, near in best
        ]

    async def _find_nearest(self, message: str) -> tuple[dict[int, _Nearest] | None, str]:
        if self._vectors is None or self._embedder is None:
            return None, self.problem
        try:
            (query,) = await self._embedder.embed([message])
        except (ModelUnavailableError, ConfigurationError) as error:
            return None, str(error)
        found: dict[int, _Nearest] = {}
        for place, nearness in self._vectors.find_nearest(query):
            number, text = self._texts[place]
            if number not in found or found[number].nearness < nearness:
                found[number] = _Nearest(nearness, text)
        return found, ""

    def _describe(
        self,
        number: int,
        score: float,
        evidence: KeywordEvidence,
        near: _Nearest | None,
        problem: str,
        *,
        is_match: bool,
    ) -> MatchScore:
        document = self._documents[number]
        compared = near if document.type != "keyword" else None
        return MatchScore(
            document=document,
            score=round(score, 3),
            keyword_score=round(score_words(evidence), 3),
            semantic_score=round(score_meaning(compared.nearness), 3) if compared else None,
            reason=_explain(document, evidence, near, problem),
            is_match=is_match,
        )


_NO_EVIDENCE: Final = KeywordEvidence()
_FAR: Final = _Nearest()


def _near(nearest: dict[int, _Nearest] | None, number: int) -> _Nearest | None:
    return None if nearest is None else nearest.get(number, _FAR)


def _score(kind: MatchType, evidence: KeywordEvidence, near: _Nearest | None) -> float:
    """Score by the type; where the meaning cannot be had, by words."""
    if kind == "keyword" or near is None:
        return score_words(evidence)
    if kind == "semantic":
        return score_meaning(near.nearness)
    return score_both(evidence, near.nearness)


def score_words(evidence: KeywordEvidence) -> float:
    """Turn what the words say into a score."""
    return _squash(_WORDS.of(evidence, nearness=0.0))


def score_meaning(nearness: float) -> float:
    """Turn the nearness of two meanings into a score."""
    return _squash(_MEANING.of(_NO_EVIDENCE, nearness))


def score_both(evidence: KeywordEvidence, nearness: float) -> float:
    """Join words and meaning before the score is made, so that two weak signs make a strong one."""
    return _squash(_BOTH.of(evidence, nearness))


def _squash(value: float) -> float:
    return 1 / (1 + exp(-value))


def _embedded_texts(document: MatchDocument) -> list[str]:
    phrases = [text[:MATCH_PHRASE_CHARS_MAX] for text in document.phrases[:MATCH_PHRASES_MAX]]
    name = document.name.replace("-", " ").replace("_", " ")
    return [document.description[:MATCH_DESCRIPTION_CHARS_MAX], *([name] if name else ()), *phrases]


def _explain(
    document: MatchDocument, evidence: KeywordEvidence, near: _Nearest | None, problem: str
) -> str:
    """Say in short sentences why a document has its score."""
    said: list[str] = []
    words = ", ".join(evidence.words[:_WORDS_SHOWN_MAX])
    if document.type != "semantic" or near is None:
        if evidence.pattern:
            said.append(f"The message matches the pattern {evidence.pattern!r}.")
        elif words:
            said.append(f"The message has the words {words!r}.")
    if document.type != "keyword" and near is not None and near.text:
        said.append(f"Its meaning is near to {_shorten(near.text)!r}.")
    if problem and document.type != "keyword":
        said.append(f"Only words were compared. {problem}")
    return " ".join(said)


def _shorten(text: str) -> str:
    line = " ".join(text.split()).partition(". ")[0]
    return line if len(line) <= _TEXT_SHOWN_CHARS_MAX else line[: _TEXT_SHOWN_CHARS_MAX - 1] + "…"
