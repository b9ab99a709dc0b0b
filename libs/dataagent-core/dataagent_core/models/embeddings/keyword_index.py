"""How much the words of a message speak for each document: an index of words. Pure.

A word counts the more the fewer documents have it, and more in a name or a phrase than in a
description. English words are cut to their stems, Chinese is split into pairs of characters. For an
English word that no document has, those near to it in meaning count a part (`near_words.py`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import log
from typing import Final

from dataagent_core.config.limits.match import (
    MATCH_DESCRIPTION_CHARS_MAX,
    MATCH_PATTERN_STEPS_MAX,
    MATCH_PATTERNS_MAX,
    MATCH_PHRASE_CHARS_MAX,
    MATCH_PHRASES_MAX,
)
from dataagent_core.errors import ConfigurationError, ValidationError
from dataagent_core.language.common_words import is_common
from dataagent_core.language.word_split import split_words, stem_word
from dataagent_core.models.embeddings.match_document import MatchDocument, WeightedPattern
from dataagent_core.models.embeddings.message_ids import remove_addresses, remove_ids
from dataagent_core.models.embeddings.message_pattern import MessagePattern, compile_pattern
from dataagent_core.models.embeddings.near_words import NearWords

_NAME_WEIGHT: Final = 1.0
_PHRASE_WEIGHT: Final = 0.8
_DESCRIPTION_WEIGHT: Final = 0.3
# The rarest words of a message decide; a long text has a few of everything.
_WORDS_MAX: Final = 6
# Words of a message that are looked up by meaning: a long text is not about one thing.
_UNKNOWN_WORDS_MAX: Final = 12
# A regular expression with one of them is written for an address or the name of a file.
_ADDRESS_PARTS: Final = ("://", "@", r"\.")
# A set of ten skills says little about which words are rare: count as if there were more.
_DOCUMENTS_MIN: Final = 40


@dataclass(slots=True)
class KeywordEvidence:
    """What in a message speaks for one document."""

    # The sum over words of how rare and how well placed each is.
    mass: float = 0.0
    # The largest of them: two words say more than one that weighs as much.
    heaviest: float = 0.0
    # What unknown words add that are near in meaning to those of the document.
    near_mass: float = 0.0
    # The words as the message has them, the heaviest first.
    words: list[str] = field(default_factory=list[str])
    # The largest part of one phrase that the message has, 0 to 1.
    phrase_part: float = 0.0
    phrase: str = ""
    # The heaviest pattern that occurs in the message.
    pattern_weight: float = 0.0
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class _IndexedPhrase:
    document: int
    text: str
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _IndexedPattern:
    document: int
    text: str
    weight: float
    occurs_in: MessagePattern
    # It is written for an address or the name of a file, which others do not see.
    names_address: bool


class KeywordIndex:
    """The words of documents; `collect` gives the evidence in a message by document number."""

    def __init__(self, documents: Sequence[MatchDocument], *, near_words: bool) -> None:
        """Read the documents; `near_words` counts words that are only near in meaning, too."""
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self._phrases: list[_IndexedPhrase] = []
        self._phrases_by_stem: dict[str, list[int]] = defaultdict(list)
        self._patterns: list[_IndexedPattern] = []
        # What searching all patterns costs for each character of a message, at worst.
        self.pattern_steps = 0
        # One form of each stem.
        self._words: dict[str, str] = {}
        # What an author writes in a name, a phrase or a pattern is a word, also where it is an id.
        self._known_ids: set[str] = set()
        for number, document in enumerate(documents):
            self._add(number, document)
        count = max(len(documents), _DOCUMENTS_MIN)
        self._rarity = {
            stem: log(1 + count / len(found)) / log(1 + count)
            for stem, found in self._postings.items()
        }
        self._phrase_masses = [
            sum(self._rarity[stem] for stem in phrase.stems) for phrase in self._phrases
        ]
        self._near_words: NearWords | None = None
        if near_words:
            # Where the weights are not installed, a word counts only as it is.
            with suppress(ConfigurationError):
                self._near_words = NearWords(list(filter(_is_english, self._words.values())))

    def collect(self, message: str) -> dict[int, KeywordEvidence]:
        """Collect what speaks for which document."""
        found: dict[int, KeywordEvidence] = defaultdict(KeywordEvidence)
        words = _words_by_stem(remove_ids(message, self._known_ids))
        heaviest = sorted(words, key=lambda stem: -self._rarity.get(stem, 0.0))
        for stem in heaviest:
            rarity = self._rarity.get(stem, 0.0)
            for number, weight in self._postings.get(stem, ()):
                evidence = found[number]
                if len(evidence.words) < _WORDS_MAX:
                    evidence.mass += rarity * weight
                    evidence.heaviest = max(evidence.heaviest, rarity * weight)
                    evidence.words.append(words[stem])
        self._collect_near_words(words, found)
        self._collect_phrases(words.keys(), found)
        text = remove_addresses(message)
        for pattern in self._patterns:
            if pattern.occurs_in(message if pattern.names_address else text):
                evidence = found[pattern.document]
                if pattern.weight > evidence.pattern_weight:
                    evidence.pattern_weight, evidence.pattern = pattern.weight, pattern.text
        return dict(found)

    def _collect_near_words(
        self, words: Mapping[str, str], found: dict[int, KeywordEvidence]
    ) -> None:
        if self._near_words is None:
            return
        unknown = [words[stem] for stem in words if stem not in self._postings]
        for word in list(filter(_is_english, unknown))[:_UNKNOWN_WORDS_MAX]:
            best: dict[int, float] = defaultdict(float)
            for near, nearness in self._near_words.find(word):
                for number, weight in self._postings[stem_word(near)]:
                    best[number] = max(best[number], nearness * weight)
            for number, mass in best.items():
                found[number].near_mass += mass

    def _collect_phrases(self, stems: Iterable[str], found: dict[int, KeywordEvidence]) -> None:
        shared: dict[int, float] = defaultdict(float)
        for stem in stems:
            for place in self._phrases_by_stem.get(stem, ()):
                shared[place] += self._rarity[stem]
        for place, mass in shared.items():
            phrase = self._phrases[place]
            part = mass / self._phrase_masses[place]
            evidence = found[phrase.document]
            if part > evidence.phrase_part:
                evidence.phrase_part, evidence.phrase = part, phrase.text

    def _add(self, number: int, document: MatchDocument) -> None:
        weights: dict[str, float] = {}
        phrases = [text[:MATCH_PHRASE_CHARS_MAX] for text in document.phrases[:MATCH_PHRASES_MAX]]
        plain = [each for each in document.patterns[:MATCH_PATTERNS_MAX] if each.regex is None]
        for text, weight in (
            (remove_ids(document.description[:MATCH_DESCRIPTION_CHARS_MAX]), _DESCRIPTION_WEIGHT),
            (" ".join(phrases), _PHRASE_WEIGHT),
            (" ".join(each.pattern[:MATCH_PHRASE_CHARS_MAX] for each in plain), _PHRASE_WEIGHT),
            (" ".join((document.name, *document.tags)), _NAME_WEIGHT),
        ):
            words = _words_by_stem(text)
            self._words |= words
            weights |= dict.fromkeys(words, weight)
            if weight > _DESCRIPTION_WEIGHT:
                self._known_ids |= {word for word in words.values() if not word.isalpha()}
        for stem, weight in weights.items():
            self._postings[stem].append((number, weight))
        for text in phrases:
            stems = tuple(_words_by_stem(text))
            for stem in stems:
                self._phrases_by_stem[stem].append(len(self._phrases))
            self._phrases.append(_IndexedPhrase(number, text, stems))
        for each in document.patterns[:MATCH_PATTERNS_MAX]:
            weight = min(max(each.weight, 0.0), 1.0)
            # What is wrong with one is said where a skill is checked; here it speaks for nothing.
            with suppress(ValidationError):
                occurs_in = compile_pattern(each)
                if self.pattern_steps + occurs_in.steps > MATCH_PATTERN_STEPS_MAX:
                    return
                self.pattern_steps += occurs_in.steps
                self._patterns.append(
                    _IndexedPattern(number, each.pattern, weight, occurs_in, _names_address(each))
                )


def _names_address(pattern: WeightedPattern) -> bool:
    if pattern.regex is None:
        return remove_addresses(pattern.pattern) != pattern.pattern.strip()
    return any(part in pattern.regex for part in _ADDRESS_PARTS)


def _words_by_stem(text: str) -> dict[str, str]:
    return {stem_word(word): word for word in split_words(text) if not is_common(word)}


def _is_english(word: str) -> bool:
    return word.isascii() and word.isalpha()
