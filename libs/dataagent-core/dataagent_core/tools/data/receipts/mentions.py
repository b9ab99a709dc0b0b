"""Where a text names the measures of a result: by a column's name, an alias, or a word for it.

Names and texts are reduced to concepts (`measure_words.py`). A mention is a run of words that stand
together; it means the columns that share the most with it: of `total_customers` and
`active_customers`, "customers" is the first and "active" the second.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from dataagent_core.tools.data.receipts.folding import folded
from dataagent_core.tools.data.receipts.measure_words import (
    CONCEPTS,
    CONTRADICTIONS,
    ENTITIES,
    GENERIC,
    READINGS,
    STATES,
    Reading,
    readings_of,
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
_AT_PRICE = re.compile(r"\bat (?=[$€£\u00a5])")


@dataclass(frozen=True, slots=True)
class Mention:
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


@dataclass(frozen=True, slots=True)
class _Term:
    start: int
    end: int
    readings: tuple[Reading, ...]


class MeasureNames:
    """What the numeric columns of a result are called."""

    def __init__(
        self, names: Sequence[str], aliases: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        # A word for word in its names, so that a Chinese name nobody listed is one word.
        self._own = {
            word
            for name in names
            for phrase in (name, *(aliases or {}).get(name, ()))
            for run in _WORD.findall(_without_unit(phrase))
            if not run.isascii()
            for word in (run, _HOW_MEASURED.sub("", run))
            if len(word) > 1
        }
        self._longest = max(map(len, (*READINGS, *self._own)), default=1)
        self._phrases = [
            (at, wanted)
            for at, name in enumerate(names)
            for phrase in (name, *(aliases or {}).get(name, ()))
            for wanted in self._concepts(phrase)
        ]
        self._words = {"rate"}.union(*(wanted for _, wanted in self._phrases))
        self._read: dict[str, list[Mention]] = {}

    def mentions(self, text: str) -> list[Mention]:
        """List where a folded text names columns."""
        if text not in self._read:
            if len(self._read) >= _READ_MAX:
                self._read.clear()
            self._read[text] = self._mentions(text)
        return self._read[text]

    def names_another(self, text: str) -> bool:
        """Say whether a folded text names a measure that no column has."""
        return any(
            not self._matters(term) and any(set(one) <= CONCEPTS for one in term.readings)
            for term in self._terms(text)
        )

    def _mentions(self, text: str) -> list[Mention]:
        found: list[Mention] = []
        group: list[_Term] = []
        for term in (*filter(self._matters, self._terms(text)), None):
            joined = group and term and _JOINED.match(text[group[-1].end : term.start])
            if group and not joined:
                found += self._meant(text, group)
                group = []
            if term is not None:
                group.append(term)
        return found

    def _matters(self, term: _Term) -> bool:
        return any(self._words.issuperset(reading) for reading in term.readings)

    def _terms(self, text: str, apart: frozenset[str] = frozenset()) -> list[_Term]:
        """Read the words of a text; those of `apart` as their parts."""
        terms: list[_Term] = []
        for run in _WORD.finditer(text):
            if run[0][0].isascii():
                terms.append(_Term(run.start(), run.end(), readings_of(run[0])))
                continue
            at = run.start()
            while at < run.end():
                word = self._chinese(text[at : min(run.end(), at + self._longest)], apart)
                if word:
                    readings = READINGS.get(word, ((word,),))
                    terms.append(_Term(at, at + len(word), readings))
                at += len(word) or 1
        if found := _AT_PRICE.search(text):
            terms.append(_Term(found.start(), found.end(), (("price",),)))
            terms.sort(key=lambda term: term.start)
        return terms

    def _chinese(self, text: str, apart: frozenset[str]) -> str:
        """Read the longest known word at the beginning of a text."""
        for length in range(len(text), 0, -1):
            word = text[:length]
            if word in READINGS or (word in self._own and word not in apart):
                return word
        return ""

    def _concepts(self, phrase: str) -> list[frozenset[str]]:
        """Reduce a name to its concepts; a Chinese one as one word and as its parts."""
        text = _without_unit(_CAMEL.sub(" ", phrase)).replace("_", " ")
        wholes = frozenset(word for word in _WORD.findall(text) if not word.isascii())
        found: list[frozenset[str]] = []
        for apart in (frozenset[str](), wholes):
            for chosen in _chosen(self._terms(text, apart)):
                concepts = frozenset(chosen)
                if concepts and concepts not in found:
                    found.append(concepts)
        likely = [one for one in found if not any(pair <= one for pair in CONTRADICTIONS)]
        return likely or found

    def _meant(self, text: str, group: Sequence[_Term]) -> list[Mention]:
        best: tuple[int, int, int] = (0, 0, 0)
        columns: set[int] = set()
        used: set[str] = set()
        for chosen in _chosen(group):
            said = set(chosen)
            for at, wanted in self._phrases:
                core = wanted - GENERIC or wanted
                shared = core & said
                if not shared:
                    continue
                score = (len(shared), -len(core - said), len(wanted & said))
                if not columns or score > best:
                    best, columns, used = score, {at}, said
                elif score == best and said == used:
                    columns.add(at)
        if not columns:
            return []
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
            columns = self._of_state(columns, used)
        names = [wanted for at, wanted in self._phrases if at in columns]
        core = {word for wanted in names for word in wanted - GENERIC}
        return [
            Mention(
                hits[0].start,
                hits[-1].end,
                frozenset(columns),
                frozenset(at for at, wanted in self._phrases if (wanted - GENERIC) & used),
                is_rate="rate" in used and not any({"rate", "margin"} & one for one in names),
                is_entity=bool(core) and core <= ENTITIES,
                is_state=bool(core & used & STATES),
                is_participle=text[: hits[-1].end].endswith("ed"),
            )
        ]

    def _of_state(self, columns: set[int], said: set[str]) -> set[int]:
        """Take what happened to things before the things: "refunded orders" are refunds."""
        states = {at for at, wanted in self._phrases if at in columns and wanted & said & STATES}
        return states or columns


def _without_unit(name: str) -> str:
    """Leave out the unit of a name: 销售额(万元)."""
    return _UNIT.sub("", folded(name))


def _chosen(terms: Sequence[_Term]) -> list[tuple[str, ...]]:
    """Choose a reading for each word, in every way, up to so many."""
    ways = product(*(term.readings for term in terms))
    return [
        tuple(concept for reading in way for concept in reading)
        for way, _ in zip(ways, range(_READINGS_MAX), strict=False)
    ]
