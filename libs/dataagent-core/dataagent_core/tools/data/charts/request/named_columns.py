"""Finds the columns of a result that a request names.

A column is named by its whole name, or by a word that is part of only one column's name.
"""

import re
from dataclasses import dataclass

from dataagent_core.tools.data.charts.chart_data.chart_frame import ChartFrame
from dataagent_core.tools.data.charts.spec_check.spec_grammar import split_grammar_words

_WORD = re.compile(r"[a-z][a-z0-9]{2,}|[\u3400-\u9fff]{2,}")
# Words that mean something else than the column they are part of.
_COMMON = split_grammar_words(
    "the and for each with chart plot graph show draw line bar pie area point points box trend top "
    "sum total mean average avg median max min count rate share percent number amount value values "
    "date time name type rows"
)


@dataclass(frozen=True, slots=True, order=True)
class NamedColumn:
    """A column and where its name begins in the text."""

    start: int
    name: str


def find_named_columns(text: str, frame: ChartFrame) -> tuple[list[NamedColumn], str]:
    """Find the columns in the order of the words, and the text with their names blanked."""
    left = text
    found: list[NamedColumn] = []
    for name in sorted(frame.names, key=len, reverse=True):
        for spelling in dict.fromkeys((name.lower(), name.lower().replace("_", " "))):
            hit = re.search(_make_bounded_pattern(spelling), left) if spelling.strip() else None
            if hit:
                found.append(NamedColumn(hit.start(), name))
                left = _blank_match(left, hit)
                break
    for hit in list(_WORD.finditer(left)):
        name = _find_only_column(hit[0], frame, {column.name for column in found})
        if name is not None:
            found.append(NamedColumn(hit.start(), name))
            left = _blank_match(left, hit)
    return sorted(found), left


def _find_only_column(word: str, frame: ChartFrame, taken: set[str]) -> str | None:
    if word in _COMMON:
        return None
    spellings = {word, word.removesuffix("s"), f"{word}s"}
    fitting = [name for name in frame.names if spellings & _split_name(name)]
    return fitting[0] if len(fitting) == 1 and fitting[0] not in taken else None


def _split_name(name: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+|[\u3400-\u9fff]+", name.lower()))


def _blank_match(text: str, hit: re.Match[str]) -> str:
    return text[: hit.start()] + "\0" * len(hit[0]) + text[hit.end() :]


def _make_bounded_pattern(spelling: str) -> str:
    # Chinese has no spaces to bound a word by.
    before = r"(?<![a-z0-9_])" if spelling[0].isascii() else ""
    if not spelling[-1].isascii():
        return before + re.escape(spelling)
    plural = re.escape(spelling[:-1]) + "(?:y|ies)" if spelling[-1] == "y" else None
    return before + (plural or f"{re.escape(spelling)}(?:e?s)?") + r"(?![a-z0-9_])"
