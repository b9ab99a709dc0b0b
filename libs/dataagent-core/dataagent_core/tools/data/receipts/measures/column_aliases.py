"""Collects aliases of the columns of a result: comments of its catalogue, and synonyms.

Only tables that the query names count: `amount` of orders is not `amount` of refunds. A comment
counts where it is a name ("成交额", "paid orders"), not where it is a sentence.
"""

import re
from collections.abc import Sequence
from typing import Protocol

from dataagent_core.tools.data.data_model import Catalogue
from dataagent_core.tools.data.receipts.figures.text_folds import fold_text
from dataagent_core.tools.data.receipts.measures.measure_words import GENERIC
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.semantic.semantic_model import SemanticModel

AliasMap = dict[str, list[str]]

_BETWEEN = re.compile(r"[,;:|/()\uff0c\uff1b\uff1a\uff08\uff09、。]+|\s-\s")
_ALIAS_CHARS_MAX = 40
_ALIAS_WORDS_MAX = 4


class ColumnAliases(Protocol):
    """The port to the aliases of a result's columns."""

    async def of(self, kept: StoredResult, columns: Sequence[str]) -> AliasMap:
        """Return the aliases of the columns that have any."""
        ...


def collect_column_aliases(
    columns: Sequence[str], sql: str, catalogue: Catalogue | None, model: SemanticModel | None
) -> AliasMap:
    """Collect the aliases of the columns of a query's result."""
    names: list[tuple[str, Sequence[str]]] = []
    if model is not None:
        names += [(one.name, (*one.synonyms, one.description)) for one in model.metrics]
        names += [
            (one.name, (*one.synonyms, one.description))
            for dataset in model.datasets
            for one in dataset.dimensions
        ]
    if catalogue is not None:
        words = set(re.findall(r"\w+", fold_text(sql)))
        names += [
            (column.name, (column.comment,))
            for table in catalogue.tables
            if words.issuperset(re.findall(r"\w+", fold_text(table.name)))
            for column in table.columns
        ]
    found: AliasMap = {}
    for column in columns:
        said = [
            alias
            for name, texts in names
            if _is_same(column, name)
            for text in texts
            for alias in _list_aliases(text)
        ]
        if said:
            found[column] = list(dict.fromkeys(said))
    return found


def _is_same(column: str, name: str) -> bool:
    """Say whether a column is another, or an aggregate of it: `sum(gmv_amt)`, `total_gmv_amt`."""
    wanted, words = _split_words(name), _split_words(column)
    return bool(wanted) and wanted <= words and words - wanted <= GENERIC


def _split_words(name: str) -> set[str]:
    return {word for word in re.split(r"[\W_]+", fold_text(name)) if word}


def _list_aliases(text: str) -> list[str]:
    """List the names a text consists of; a sentence has none."""
    pieces = [piece for part in _BETWEEN.split(text) if (piece := part.strip())]
    return pieces if all(map(_is_name, pieces)) else []


def _is_name(text: str) -> bool:
    short = 1 < len(text) <= _ALIAS_CHARS_MAX and len(text.split()) <= _ALIAS_WORDS_MAX
    return short and not text.endswith(".")
