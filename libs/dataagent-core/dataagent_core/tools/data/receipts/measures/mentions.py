"""Finds the measures of a result in a text: by a column's name, an alias, or a word for it.

Names and texts are reduced to concepts (`measure_words.py`). A mention is a run of words that stand
together; it means the columns that share the most with it: of `total_customers` and
`active_customers`, "customers" is the first and "active" the second.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from dataagent_core.tools.data.receipts.figures.text_folds import fold_text
from dataagent_core.tools.data.receipts.figures.units import UNIT_WORDS
from dataagent_core.tools.data.receipts.measures.measure_words import (
    CONCEPTS,
    CONTRADICTIONS,
    ENTITIES,
    GENERIC,
    READINGS,
    STATES,
    Reading,
    list_readings,
)
from dataagent_core.tools.data.receipts.measures.word_families import (
    is_same_family,
    make_verb_pattern,
    map_unshared_pairs,
)

_WORD = re.compile(r"[a-z]+(?:'s)?|[\u4e00-\u9fff]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# What may stand between two words of one mention.
_JOINED = re.compile(r"[\s_*`-]*(?:(?:of|的)(?:\sthe)?)?[\s_*`-]*\Z")
_READINGS_MAX = 16
# The figures of one sentence ask about it one after the other.
_READ_MAX = 256
# What a Chinese name says of how it is measured: 注册数 is of 注册.
_HOW_MEASURED = re.compile(
    r"\A(?:累计|平均|总)|(?:总?数量?|总?金?额|人数|次数|单数|笔数|总?量|率|占比)\Z"
)
# A unit in parentheses, but not what a function is of: sum(revenue).
_UNIT = re.compile(r"(?<=[\s\u4e00-\u9fff])\([^()]*\)\Z")
# "units at $5", "$5 each": what one of them costs.
_AT_PRICE = re.compile(r"\bat (?=[$€£\u00a5])|(?<=\d )(?:each|apiece)\b(?=\s*(?:[,.;)]|and\b|\Z))")
# "Brings in $243k", "made €184M": what comes in.
_TAKES_IN = re.compile(
    r"\b(?:(?:br(?:ings?|inging|ought)|takes?|taking|took) in|turn(?:s|ed) over|gross(?:es|ed)"
    r"|made|makes?|earn(?:s|ed|ing)?|generat(?:es?|ed|ing)) (?=[$€£\u00a5])"
)
_COMMON_COUNTERS = frozenset("个次人元件名家条天分年月日号位项份单笔度期点度张台座")
_PRICES: tuple[Reading, ...] = (("price",), ("fee",))
_FAMILY_CHARS_MIN = 4
# "$5 a dose", where a column is per dose.
_EACH = frozenset({"a", "an", "each", "every"})
_PER = "per "
_PARTICIPLE = re.compile(r"ed(?: (?:out|up|off|down|in))?\Z")


@dataclass(frozen=True, slots=True)
class MeasureMention:
    """A place of a text that names columns, by their position in the result."""

    start: int
    end: int
    columns: frozenset[int]
    # Those that share any word with it.
    akin: frozenset[int]
    # A rate of what the columns hold: 利润率 where there is only 利润.
    is_rate: bool = False
    is_entity: bool = False
    is_state: bool = False
    # An English verb form: what was done with something.
    is_participle: bool = False
    # All of a name is said.
    is_whole: bool = False
    # Only the unit of the columns is said: "kWh".
    is_unit: bool = False
    # The last of several words of a name, which may be a unit: "TEU" of containers_teu.
    is_last_word: bool = False
    # Said of the figure that follows, never of the one before: "at $5".
    is_ahead: bool = False


@dataclass(frozen=True, slots=True)
class _MeasureTerm:
    start: int
    end: int
    readings: tuple[Reading, ...]
    # A mention by itself, of the figure that follows.
    ahead: bool = False


class MeasureNames:
    """What the numeric columns of a result are called."""

    def __init__(
        self, names: Sequence[str], aliases: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self._names = names
        phrases = [
            (at, phrase)
            for at, name in enumerate(names)
            for phrase in (name, *(aliases or {}).get(name, ()))
        ]
        runs = [
            (at, run)
            for at, phrase in phrases
            for run in _WORD.findall(_remove_unit(phrase))
            if not run.isascii()
        ]
        self._runs = runs
        # A word for word in its names, so that a Chinese name nobody listed is one word.
        self._own = {
            word for _, run in runs for word in (run, _HOW_MEASURED.sub("", run)) if len(word) > 1
        }
        self._longest = max(map(len, (*READINGS, *self._own)), default=1)
        self._pairs: dict[str, str] = {}
        self._words: set[str] = set()
        self._phrases = [
            (at, wanted) for at, phrase in phrases for wanted in self._reduce_to_concepts(phrase)
        ]
        self._words = {"rate"}.union(*(wanted for _, wanted in self._phrases))
        self._pairs = map_unshared_pairs(runs)
        families = sorted(
            word
            for word in self._words - GENERIC
            if word.isascii() and word.isalpha() and len(word) >= _FAMILY_CHARS_MIN
        )
        self._families = families
        self._verbs = [
            (word, pattern) for word in families if (pattern := make_verb_pattern(word)) is not None
        ]
        self._read: dict[str, list[MeasureMention]] = {}

    def mentions(self, text: str) -> list[MeasureMention]:
        """List where a folded text names columns."""
        if text not in self._read:
            if len(self._read) >= _READ_MAX:
                self._read.clear()
            self._read[text] = self._find_mentions(text)
        return self._read[text]

    def with_unit(self, before: str, unit: str) -> int | None:
        """Find the one column whose Chinese name begins before a figure and ends in its unit.

        成交8,642套 is of 成交套数, not of 成交均价. A counter of few things needs no name before:
        跑了1,561趟 is of 趟次.
        """
        of_unit = [(at, run) for at, run in self._runs if unit in run]
        found = {
            at for at, run in of_unit if any(run[n : n + 2] in before for n in range(len(run) - 1))
        }
        if not found and unit not in _COMMON_COUNTERS:
            found = {at for at, run in of_unit if run[0] == "总" or not before.endswith("共")}
        return found.pop() if len(found) == 1 else None

    def names_another(self, text: str) -> bool:
        """Say whether a folded text names a measure that no column has."""
        return any(
            not self._matters(term) and any(set(one) <= CONCEPTS for one in term.readings)
            for term in self._read_terms(text)
        )

    def _find_mentions(self, text: str) -> list[MeasureMention]:
        found: list[MeasureMention] = []
        group: list[_MeasureTerm] = []
        for term in (*filter(self._matters, self._read_terms(text)), None):
            joined = (
                group
                and term
                and not (term.ahead or group[-1].ahead)
                and _JOINED.match(text[group[-1].end : term.start])
            )
            if group and not joined:
                found += self._find_meant(text, group)
                group = []
            if term is not None:
                group.append(term)
        return found

    def _matters(self, term: _MeasureTerm) -> bool:
        return any(self._words.issuperset(reading) for reading in term.readings)

    def _read_terms(self, text: str) -> list[_MeasureTerm]:
        """Read the words of an answer; a word of a name's family is the name's."""
        verbs = [
            _MeasureTerm(found.start(), found.end(), ((word,),))
            for word, pattern in self._verbs
            for found in pattern.finditer(text)
        ]
        terms = [
            self._match_family(text, term)
            for term in self._split_terms(text)
            if not any(verb.start <= term.start and term.end <= verb.end for verb in verbs)
        ]
        return sorted([*terms, *verbs], key=lambda term: term.start)

    def _match_family(self, text: str, term: _MeasureTerm) -> _MeasureTerm:
        word = text[term.start : term.end].removesuffix("'s")
        if word in self._pairs and not self._matters(term):
            return replace(term, readings=((self._pairs[word],),))
        if len(word) < _FAMILY_CHARS_MIN or not word.isascii() or self._matters(term):
            return term
        related = tuple((one,) for one in self._families if is_same_family(word, one))
        return replace(term, readings=related) if related else term

    def _split_terms(self, text: str, apart: frozenset[str] = frozenset()) -> list[_MeasureTerm]:
        """Read the words of a text; those of `apart` as their parts."""
        terms: list[_MeasureTerm] = []
        for run in _WORD.finditer(text):
            if run[0][0].isascii():
                terms.append(_MeasureTerm(run.start(), run.end(), list_readings(run[0])))
                continue
            at = run.start()
            while at < run.end():
                word = self._match_chinese(text[at : min(run.end(), at + self._longest)], apart)
                if word:
                    name = self._pairs.get(word, word) if word not in self._own else word
                    readings = READINGS.get(word, ((name,),))
                    terms.append(_MeasureTerm(at, at + len(word), readings))
                at += len(word) or 1
        prices = [
            _MeasureTerm(found.start(), found.end(), _PRICES, ahead=found[0].startswith("at"))
            for found in _AT_PRICE.finditer(text)
        ]
        money = [
            _MeasureTerm(found.start(), found.end(), (("income",), ("revenue",)), ahead=True)
            for found in _TAKES_IN.finditer(text)
        ]
        return _join_per_unit(
            text, sorted([*terms, *prices, *money], key=lambda term: term.start), self._words
        )

    def _match_chinese(self, text: str, apart: frozenset[str]) -> str:
        """Read the longest known word at the beginning of a text."""
        for length in range(len(text), 0, -1):
            word = text[:length]
            if word not in apart and (word in READINGS or word in self._own):
                return word
            if word in self._pairs:
                return word
        return ""

    def _reduce_to_concepts(self, phrase: str) -> list[frozenset[str]]:
        """Reduce a name to its concepts; a Chinese one as one word and as its parts."""
        text = _remove_unit(_CAMEL.sub(" ", phrase)).replace("_", " ")
        wholes = frozenset(word for word in _WORD.findall(text) if not word.isascii())
        found: list[frozenset[str]] = []
        for apart in (frozenset[str](), wholes):
            for chosen in _list_choices(self._split_terms(text, apart)):
                concepts = frozenset(chosen)
                if concepts and concepts not in found:
                    found.append(concepts)
        likely = [one for one in found if not any(pair <= one for pair in CONTRADICTIONS)]
        return likely or found

    def _find_meant(self, text: str, group: Sequence[_MeasureTerm]) -> list[MeasureMention]:
        best: tuple[int, int, int] = (0, 0, 0)
        columns: set[int] = set()
        used: set[str] = set()
        words = frozenset[str]()
        for chosen in _list_choices(group):
            said = set(chosen)
            for at, wanted in self._phrases:
                core = wanted - GENERIC or wanted
                shared = core & said
                if not shared:
                    continue
                of_one = sum(word.startswith(_PER) for word in shared)
                score = (len(shared) + of_one, -len(core - said), len(wanted & said))
                if not columns or score > best:
                    best, columns, used, words = score, {at}, said, shared
                elif score == best and said == used:
                    columns.add(at)
        if not columns:
            return []
        columns |= self._list_ignoring_unit(words, used)
        hits = [
            term
            for term in group
            if any(
                set(reading) & wanted
                for reading in term.readings
                for at, wanted in self._phrases
                if at in columns
            )
        ]
        if len(columns) > 1:
            said_whole = text[hits[0].start : hits[-1].end]
            columns = columns & {at for at, run in self._runs if run == said_whole} or columns
            columns = self._prefer_state(columns, used)
        names = [wanted for at, wanted in self._phrases if at in columns]
        core = {word for wanted in names for word in wanted - GENERIC}
        return [
            MeasureMention(
                hits[0].start,
                hits[-1].end,
                frozenset(columns),
                frozenset(
                    at for at, wanted in self._phrases if self._is_akin(wanted - GENERIC, used)
                ),
                is_rate="rate" in used and not any({"rate", "margin"} & one for one in names),
                is_entity=bool(core) and core <= ENTITIES,
                is_state=bool(core & used & STATES),
                is_whole=any(wanted - GENERIC - UNIT_WORDS <= used for wanted in names),
                is_unit=core & used <= UNIT_WORDS,
                is_last_word=len(columns) == 1 and self._list_last_words(columns) >= core & used,
                is_participle=_PARTICIPLE.search(text, 0, hits[-1].end) is not None,
                is_ahead=hits[0].ahead,
            )
        ]

    def _list_ignoring_unit(self, words: frozenset[str], said: set[str]) -> set[int]:
        """List the columns whose names are these words and a unit: 充电 is 充电量_kwh, too."""
        return (
            {
                at
                for at, wanted in self._phrases
                if (core := wanted - GENERIC) & said == words and core - words <= UNIT_WORDS
            }
            if words - UNIT_WORDS
            else set()
        )

    def _list_last_words(self, columns: set[int]) -> set[str]:
        """List the words that names of several words end in, where no concept has them."""
        words = [_WORD.findall(_remove_unit(name)) for name in self._names]
        return {
            words[at][-1] for at in columns if len([w for w in words[at] if w not in GENERIC]) > 1
        } - CONCEPTS

    def _is_akin(self, core: frozenset[str], said: set[str]) -> bool:
        """Say whether a name shares a word with what is said, or one of its family."""
        return bool(core & said) or any(
            is_same_family(word, other)
            for word in said - GENERIC
            for other in core
            if word.isascii() and other.isascii()
        )

    def _prefer_state(self, columns: set[int], said: set[str]) -> set[int]:
        """Take what happened to things before the things: "refunded orders" are refunds."""
        states = {at for at, wanted in self._phrases if at in columns and wanted & said & STATES}
        return states or columns


def _join_per_unit(text: str, terms: list[_MeasureTerm], names: set[str]) -> list[_MeasureTerm]:
    """Join "per" with what it is per, and the "unit" of a unit price: what one of many has."""
    found: list[_MeasureTerm] = []
    for term in terms:
        last = found[-1] if found else None
        before = text[last.start : last.end] if last is not None else ""
        beside = last is not None and text[last.end : term.start] in (" ", "_")
        if last is not None and found and text[last.end : term.start] == "/":
            found.append(_MeasureTerm(last.end, term.end, _make_per_reading(term)))
        elif (
            last is not None
            and beside
            and (
                before == "per"
                or (
                    before in _EACH
                    and any(names.issuperset(one) for one in _make_per_reading(term))
                )
            )
        ):
            found[-1] = _MeasureTerm(last.start, term.end, _make_per_reading(term))
        elif last is not None and beside and before == "unit":
            found[-1] = replace(last, readings=((f"{_PER}unit",),))
            found.append(term)
        else:
            found.append(term)
    return found


def _make_per_reading(term: _MeasureTerm) -> tuple[Reading, ...]:
    return tuple((_PER + " ".join(one),) for one in term.readings)


def _remove_unit(name: str) -> str:
    """Leave out the unit of a name: 销售额(万元)."""
    return _UNIT.sub("", fold_text(name))


def _list_choices(terms: Sequence[_MeasureTerm]) -> list[tuple[str, ...]]:
    """Choose a reading for each word, in every way, up to so many."""
    ways = product(*(term.readings for term in terms))
    return [
        tuple(concept for reading in way for concept in reading)
        for way, _ in zip(ways, range(_READINGS_MAX), strict=False)
    ]
