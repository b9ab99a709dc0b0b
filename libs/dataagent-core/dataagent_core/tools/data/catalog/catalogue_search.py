"""Finds tables, columns, metrics and verified questions by words, in English and Chinese.

A rare word weighs more than a frequent one, a word in a name more than one in a comment. The
result is a few short lines, whatever the size of the catalogue.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from dataagent_core.config.limits.data import CATALOGUE_LINE_CHARS_MAX, CATALOGUE_SAMPLES_CHARS_MAX
from dataagent_core.language.word_split import split_words
from dataagent_core.tools.data.data_model import Catalogue, Column, Table
from dataagent_core.tools.data.row_count import format_row_count

_NAME_WEIGHT = 4.0
_COLUMN_WEIGHT = 2.0
_TEXT_WEIGHT = 1.0
_BEGINNING_CHARS_MIN = 3
_BEGINNING_SHARE = 0.5
_COLUMNS_SHOWN_MAX = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """A searchable entry: the words that find it and the line that shows it."""

    kind: Literal["table", "metric", "dimension", "question"]
    source: str
    name: str
    line: str
    weights: dict[str, float]


@dataclass(frozen=True, slots=True)
class CatalogueMatches:
    """The best entries, and the number of further ones."""

    entries: tuple[CatalogueEntry, ...]
    more: int


def make_table_entries(source: str, catalogue: Catalogue) -> list[CatalogueEntry]:
    """Make an entry of each table."""
    return [_make_table_entry(source, table) for table in catalogue.tables]


def make_entry(
    kind: Literal["metric", "dimension", "question"],
    source: str,
    name: str,
    text: str,
    synonyms: Sequence[str] = (),
) -> CatalogueEntry:
    """Make an entry of a name and its description."""
    weights: dict[str, float] = {}
    _add_words(weights, " ".join((name, *synonyms)), _NAME_WEIGHT)
    _add_words(weights, text, _TEXT_WEIGHT)
    line = f"{kind} {name}: {text}"[:CATALOGUE_LINE_CHARS_MAX]
    return CatalogueEntry(kind=kind, source=source, name=name, line=line, weights=weights)


def search_entries(query: str, entries: Sequence[CatalogueEntry], limit: int) -> CatalogueMatches:
    """Return the best matches; without words, the first entries."""
    wanted = split_words(query)
    if not wanted:
        return CatalogueMatches(tuple(entries[:limit]), max(0, len(entries) - limit))
    seen = Counter(word for entry in entries for word in entry.weights)
    scored = [(_score_entry(wanted, entry, seen, len(entries)), entry) for entry in entries]
    matches = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])
    return CatalogueMatches(
        tuple(entry for _, entry in matches[:limit]), max(0, len(matches) - limit)
    )


def _make_table_entry(source: str, table: Table) -> CatalogueEntry:
    weights: dict[str, float] = {}
    _add_words(weights, table.name, _NAME_WEIGHT)
    _add_words(weights, table.comment, _TEXT_WEIGHT)
    for column in table.columns:
        _add_words(weights, column.name, _COLUMN_WEIGHT)
        _add_words(weights, column.comment[:CATALOGUE_SAMPLES_CHARS_MAX], _TEXT_WEIGHT)
    return CatalogueEntry(
        kind="table",
        source=source,
        name=table.qualified,
        line=render_table_line(table),
        weights=weights,
    )


def render_table_line(table: Table) -> str:
    """Show a table in one line: its rows, comment and first columns."""
    about = "" if table.rows_exact else "~"
    rows = "" if table.rows is None else f" ({about}{format_row_count(table.rows)})"
    comment = f" - {table.comment}" if table.comment else ""
    shown = ", ".join(_render_column(column) for column in table.columns[:_COLUMNS_SHOWN_MAX])
    left = len(table.columns) - _COLUMNS_SHOWN_MAX
    more = f", and {left} more" if left > 0 else ""
    return f"{table.qualified}{rows}{comment}: {shown}{more}"[:CATALOGUE_LINE_CHARS_MAX]


def _render_column(column: Column) -> str:
    mark = " key" if column.primary else ""
    return f"{column.name} {column.kind}{mark}"


def _add_words(weights: dict[str, float], text: str, weight: float) -> None:
    for word in split_words(text):
        weights[word] = max(weights.get(word, 0.0), weight)


def _score_entry(
    wanted: Iterable[str], entry: CatalogueEntry, seen: Counter[str], count: int
) -> float:
    return sum(_score_word(word, entry, seen, count) for word in wanted)


def _score_word(word: str, entry: CatalogueEntry, seen: Counter[str], count: int) -> float:
    if word in entry.weights:
        return entry.weights[word] * _weigh_rarity(seen[word], count)
    if len(word) < _BEGINNING_CHARS_MIN:
        return 0.0
    # "order" finds "orders", and "customers" finds "customer".
    return max(
        (
            _BEGINNING_SHARE * weight * _weigh_rarity(seen[known], count)
            for known, weight in entry.weights.items()
            if known.startswith(word)
            or (len(known) >= _BEGINNING_CHARS_MIN and word.startswith(known))
        ),
        default=0.0,
    )


def _weigh_rarity(times: int, count: int) -> float:
    return math.log(1 + count / (1 + times)) + 0.1
