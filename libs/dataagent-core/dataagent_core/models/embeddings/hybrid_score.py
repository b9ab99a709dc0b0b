"""Scores of documents for a message: of words, of meaning, and of both. The API for matchers.

`HybridIndex` reads documents once; `rank` scores a message against them. The signs are joined as
values in a logistic regression: joining ranks would let the weaker of the two decide. Its weights
were fitted on a corpus (`tests/skills/corpus`); `benchmarks/skill_match.py` prints what they reach
on prompts that were held out.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import nlargest
from math import exp
from typing import Final, NamedTuple

from dataagent_core.config.limits.match import (
    MATCH_CANDIDATES_MAX,
    MATCH_MESSAGE_CHARS_MAX,
    MATCH_PATTERN_STEPS_ON_LOOP_MAX,
    MATCH_RETRY_S,
)
from dataagent_core.errors import ConfigurationError, ModelUnavailableError
from dataagent_core.language.common_words import is_common
from dataagent_core.language.text_ends import keep_ends
from dataagent_core.language.word_split import split_words
from dataagent_core.models.embeddings.embedder import Embedder
from dataagent_core.models.embeddings.keyword_index import KeywordEvidence, KeywordIndex
from dataagent_core.models.embeddings.match_document import MatchDocument, MatchType
from dataagent_core.models.embeddings.meaning_index import MeaningIndex, Nearness

logger = logging.getLogger(__name__)

# A match is better than 0 in the regression, a score of 0.5, and at most this much behind the best
# one; or it is as sure as this: a message may want two things.
BEHIND_BEST_MAX: Final = 2.0
SURE_VALUE_MIN: Final = 5.0
_WORDS_SHOWN_MAX: Final = 4
_TEXT_SHOWN_CHARS_MAX: Final = 60
_NO_EVIDENCE: Final = KeywordEvidence()
_FAR: Final = Nearness()
# A meaning that is farther is no reason.
_NEAR_SCORE_MIN: Final = 0.1


@dataclass(frozen=True, slots=True)
class ScoreWeights:
    """What each sign is worth, in a logistic regression; `start` is the value without any."""

    start: float
    mass: float = 0.0
    more_words: float = 0.0
    near_mass: float = 0.0
    phrase: float = 0.0
    near_description: float = 0.0
    near_phrase: float = 0.0
    nearest: float = 0.0
    lone_word: float = 0.0

    def add_up(self, words: KeywordEvidence, near: Nearness) -> float:
        """Add up the signs; 0 is the border of a match."""
        return (
            self.start
            + self.mass * words.mass
            + self.more_words * (words.mass - words.heaviest)
            + self.near_mass * words.near_mass
            + self.phrase * words.phrase_part**2
            + PATTERN_WEIGHT * words.pattern_weight
            + (WHOLE_PHRASE_WEIGHT if words.phrase_part >= _WHOLE else 0.0)
            + self.near_description * near.description
            + self.near_phrase * near.phrase
            + self.nearest * max(near.description, near.phrase)
            + (self.lone_word if is_lone_word(words) else 0.0)
        )


def is_lone_word(words: KeywordEvidence) -> bool:
    """Say whether one word is all there is: "the dress code" is no code to review.

    A word with a second meaning is more often alone in a message than a request is.
    """
    return (
        0 < words.mass <= words.heaviest and not words.pattern_weight and words.phrase_part < _WHOLE
    )


class Signs(NamedTuple):
    """What speaks for one document; `near` is `None` where meanings cannot be compared."""

    words: KeywordEvidence
    near: Nearness | None


# Fitted by `benchmarks/skill_weights.py` on the prompts of the corpus that are not held out.
_WORDS: Final = ScoreWeights(start=-5.0, mass=4.2, more_words=1.1, phrase=2.1)
_MEANING: Final = ScoreWeights(start=-8.1, nearest=12.7)
_BOTH: Final = ScoreWeights(
    start=-5.5,
    mass=3.1,
    more_words=1.3,
    near_mass=2.4,
    phrase=1.7,
    near_description=6.2,
    near_phrase=1.7,
    # Not fitted but chosen, with the start, on all triggers and on half of each skill's: recall and
    # precision are better than without it.
    lone_word=-0.7,
)
# Not fitted: a pattern is its author's word, and one of weight 1 is enough for a match.
PATTERN_WEIGHT: Final = 8.0
# Not fitted either: a trigger that stands wholly in a message is its author's word too.
WHOLE_PHRASE_WEIGHT: Final = 0.6
_WHOLE: Final = 0.999


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
class _ReadDocuments:
    """What documents were read into."""

    keywords: KeywordIndex
    meanings: MeaningIndex | None
    # Why meanings cannot be compared, and when they are read again.
    problem: str = ""
    retry_at: float = 0.0


class HybridIndex:
    """Documents that are compared with messages; they are read at the first one.

    Who cannot wait for them compares words alone while they are read. What was read while the
    embeddings could not be had is read again after a while, so that no failure lasts as long as
    the process. Event loops of several threads may share one.
    """

    def __init__(
        self,
        documents: Iterable[MatchDocument],
        embedder: Embedder | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._documents = tuple(documents)
        self._embedder = embedder
        self._clock = clock
        # The words alone, until the meanings are read too.
        self._words: KeywordIndex | None = None
        self._read: _ReadDocuments | None = None
        self._reading: asyncio.Task[_ReadDocuments] | None = None
        # Held until they end; one of another event loop may be at work too.
        self._tasks = set[asyncio.Task[_ReadDocuments]]()

    async def rank(
        self, message: str, *, limit: int = MATCH_CANDIDATES_MAX, wait_s: float | None = None
    ) -> list[MatchScore]:
        """Score the documents that anything speaks for, and list the best.

        Where comparing meanings takes longer than `wait_s`, words alone are compared.
        """
        signs, problem = await self.collect(message, wait_s)
        values = {number: _add_up(self._documents[number].type, *signs[number]) for number in signs}
        best = nlargest(limit, values, key=lambda number: (values[number], -number))
        behind = values[best[0]] - BEHIND_BEST_MAX if best else 0.0
        border = max(0.0, min(behind, SURE_VALUE_MIN))
        return [
            _describe(
                self._documents[number], values[number], signs[number], problem, border=border
            )
            for number in best
        ]

    async def collect(
        self, message: str, wait_s: float | None = None
    ) -> tuple[dict[int, Signs], str]:
        """Collect the signs by document number, and say why there are none of meaning."""
        message = keep_ends(message, MATCH_MESSAGE_CHARS_MAX)
        keywords, near, problem = await self._compare(message, wait_s)
        if keywords.pattern_steps > MATCH_PATTERN_STEPS_ON_LOOP_MAX:
            words = await asyncio.to_thread(keywords.collect, message)
        else:
            words = keywords.collect(message)
        signs = {
            number: Signs(
                words.get(number, _NO_EVIDENCE), None if near is None else near.get(number, _FAR)
            )
            for number in words.keys() | (near or {}).keys()
        }
        return signs, problem

    async def _compare(
        self, message: str, wait_s: float | None
    ) -> tuple[KeywordIndex, dict[int, Nearness] | None, str]:
        """Compare the meaning of a message, or say why it cannot be compared."""
        if all(map(is_common, split_words(message))):
            # "hi", "go on": there is no meaning to compare, but a pattern may want these words.
            return await self._find_words(), None, ""
        try:
            async with asyncio.timeout(wait_s):
                read = await self._find_documents(waits=wait_s is None)
                if read.meanings is None:
                    return read.keywords, None, read.problem
                return read.keywords, await read.meanings.collect(message), ""
        except (ModelUnavailableError, ConfigurationError) as error:
            problem = str(error)
        except TimeoutError:
            logger.warning("words alone are compared: meanings took more than %g s", wait_s)
            problem = "Comparing meanings took too long."
        read = self._read or await self._read_words(problem)
        return read.keywords, None, problem

    async def _find_documents(self, *, waits: bool) -> _ReadDocuments:
        """Return what was read; who does not wait gets words while meanings are read again."""
        read = self._read
        if read is not None and not read.problem:
            return read
        if self._is_reading() or read is None or self._clock() >= read.retry_at:
            reading = self._start_reading()
            if read is None or waits:
                # Who has no time to wait leaves it going on for the next message.
                return await asyncio.shield(reading)
        return read

    def _is_reading(self) -> bool:
        reading, loop = self._reading, asyncio.get_running_loop()
        return reading is not None and not reading.done() and reading.get_loop() is loop

    def _start_reading(self) -> asyncio.Task[_ReadDocuments]:
        if self._reading is None or not self._is_reading():
            self._reading = asyncio.create_task(self._read_documents())
            self._tasks.add(self._reading)
            self._reading.add_done_callback(self._tasks.discard)
        return self._reading

    async def _read_documents(self) -> _ReadDocuments:
        meanings, problem = None, ""
        if self._embedder is not None:
            try:
                meanings = await MeaningIndex.build(self._documents, self._embedder)
            except (ModelUnavailableError, ConfigurationError) as error:
                problem = str(error)
        if problem:
            return await self._read_words(problem)
        keywords = await asyncio.to_thread(
            KeywordIndex, self._documents, near_words=meanings is not None
        )
        self._read, self._words = _ReadDocuments(keywords, meanings), None
        return self._read

    async def _read_words(self, problem: str) -> _ReadDocuments:
        """Keep the words alone, which are read once, and say why."""
        keywords = await self._find_words()
        read = _ReadDocuments(keywords, None, problem, self._clock() + MATCH_RETRY_S)
        # The meanings may have come meanwhile.
        if self._read is None or self._read.problem:
            self._read = read
        return self._read

    async def _find_words(self) -> KeywordIndex:
        if self._read is not None:
            return self._read.keywords
        if self._words is None:
            self._words = await asyncio.to_thread(KeywordIndex, self._documents, near_words=False)
        return self._words


def _add_up(kind: MatchType, words: KeywordEvidence, near: Nearness | None) -> float:
    """Add up the signs by the type; where the meaning cannot be had, by words.

    Words and meaning are joined before the score is made, so that two weak signs make a strong one.
    """
    if kind == "keyword" or near is None:
        return _WORDS.add_up(words, _FAR)
    if kind == "semantic":
        return _MEANING.add_up(_NO_EVIDENCE, near)
    return _BOTH.add_up(words, near)


def _describe(
    document: MatchDocument, value: float, signs: Signs, problem: str, *, border: float
) -> MatchScore:
    near = signs.near if document.type != "keyword" else None
    return MatchScore(
        document=document,
        score=round(_squash(value), 3),
        keyword_score=round(_squash(_WORDS.add_up(signs.words, _FAR)), 3),
        semantic_score=round(_squash(_MEANING.add_up(_NO_EVIDENCE, near)), 3) if near else None,
        reason=_explain(document, *signs, problem),
        is_match=value >= border,
    )


def _squash(value: float) -> float:
    return 1 / (1 + exp(-value))


def _explain(
    document: MatchDocument, words: KeywordEvidence, near: Nearness | None, problem: str
) -> str:
    """Say in short sentences why a document has its score."""
    sentences: list[str] = []
    shown = ", ".join(words.words[:_WORDS_SHOWN_MAX])
    if document.type != "semantic" or near is None:
        if words.pattern:
            sentences.append(f"The message matches the pattern {words.pattern!r}.")
        elif shown:
            sentences.append(f"The message has the words {shown!r}.")
    if document.type != "keyword" and near is not None and near.text and _is_near(near):
        sentences.append(f"Its meaning is near to {_shorten(near.text)!r}.")
    if problem and document.type != "keyword":
        sentences.append(f"Only words were compared. {problem}")
    return " ".join(sentences or ["Hardly anything speaks for it."])


def _is_near(near: Nearness) -> bool:
    return _squash(_MEANING.add_up(_NO_EVIDENCE, near)) >= _NEAR_SCORE_MIN


def _shorten(text: str) -> str:
    line = " ".join(text.split()).partition(". ")[0]
    return line if len(line) <= _TEXT_SHOWN_CHARS_MAX else line[: _TEXT_SHOWN_CHARS_MAX - 1] + "…"
