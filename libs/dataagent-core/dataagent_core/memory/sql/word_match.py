"""The leg of words: BM25 over the rows of the rarest words of a query.

What is read is bounded: words from the rarest on, as long as `SEARCH_WORD_ROWS_MAX` rows are enough
for them. Where they find too few documents, the newest ones of the next word are read with what is
left. Words that are too frequent for that count for the documents that the others have found.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Final

from dataagent_core.config.limits.memory import SEARCH_WORD_ROWS_MAX, SEARCH_WORDS_MAX
from dataagent_core.memory.search_index import DocumentKind, Match
from dataagent_core.memory.sql.counted_documents import read_counted
from dataagent_core.memory.sql.document_span import SearchedMoment
from dataagent_core.memory.sql.index_state import IndexState, read_states
from dataagent_core.memory.sql.word_hash import hash_word
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import placeholders

# BM25's constants. Memories are short, so their length says less than that of documents, for which
# 0.75 is used most; measured on the tuning set (`benchmarks/memory_retrieval`).
_SATURATION: Final = 1.2
_LENGTH_SHARE: Final = 0.5
# Documents found by rarer words, for which frequent words are looked up.
_CANDIDATES_MAX: Final = 200
_SELECT: Final = "SELECT word, document, hits, length FROM memory_words"


@dataclass(frozen=True, slots=True)
class _Searched:
    """A word of the query, in the documents of one kind."""

    hash: int
    # How often it is listed, times how rare it is.
    weight: float
    # What of a document's score does not depend on its length, and what does.
    base: float
    per_length: float
    # How many documents have it; one more than `SEARCH_WORD_ROWS_MAX` for all beyond.
    documents: int


def match_words(
    connection: SqlConnection,
    scope_numbers: Sequence[int],
    words: Sequence[str],
    kinds: Sequence[DocumentKind],
    *,
    moment: SearchedMoment,
    limit: int,
) -> list[Match]:
    """Return the best documents by BM25, the best first."""
    states = read_states(connection, scope_numbers, kinds)
    rarest = sorted(
        _weigh_words(connection, scope_numbers, words, states), key=lambda word: word.documents
    )
    if not rarest or limit <= 0:
        return []
    scores = _score_documents(connection, scope_numbers, rarest, limit)
    found = read_counted(connection, scope_numbers, _sort(scores), moment, limit)
    return [Match(key, scores[number]) for number, key in found.items()]


def _weigh_words(
    connection: SqlConnection,
    scope_numbers: Sequence[int],
    words: Sequence[str],
    states: Sequence[IndexState],
) -> list[_Searched]:
    listed = Counter(words).most_common(SEARCH_WORDS_MAX)
    weighed: list[_Searched] = []
    kinds: set[DocumentKind] = {state.kind for state in states}
    for kind in sorted(kinds):
        total = sum(state.documents for state in states if state.kind == kind)
        length = sum(state.words for state in states if state.kind == kind)
        times = {hash_word(kind, word): count for word, count in listed}
        for found, documents in _count_documents(connection, scope_numbers, list(times)).items():
            rarity = log(1 + max(0, total - documents + 0.5) / (documents + 0.5))
            mean_length = max(1.0, length / max(1, total))
            weighed.append(
                _Searched(
                    found,
                    times[found] * rarity * (_SATURATION + 1),
                    _SATURATION * (1 - _LENGTH_SHARE),
                    _SATURATION * _LENGTH_SHARE / mean_length,
                    documents,
                )
            )
    return weighed


def _count_documents(
    connection: SqlConnection, scope_numbers: Sequence[int], hashes: Sequence[int]
) -> dict[int, int]:
    """Count the documents of each word that has some, up to a limit."""
    scopes = placeholders(len(scope_numbers))
    parts = [
        f"SELECT {place}, COUNT(*) FROM (SELECT 1 FROM memory_words "
        f"WHERE scope_no IN ({scopes}) AND word = ? LIMIT {SEARCH_WORD_ROWS_MAX + 1}) AS c{place}"
        for place in range(len(hashes))
    ]
    if not parts:
        return {}
    values = [value for found in hashes for value in (*scope_numbers, found)]
    rows = connection.execute(" UNION ALL ".join(parts), values)
    return {hashes[place]: count for place, count in rows if count}


def _score_documents(
    connection: SqlConnection,
    scope_numbers: Sequence[int],
    rarest: Sequence[_Searched],
    limit: int,
) -> dict[int, float]:
    weights = {word.hash: (word.weight, word.base, word.per_length) for word in rarest}
    read, left = _choose_read(rarest)
    scores: dict[int, float] = defaultdict(float)

    def add(rows: Iterable[Any]) -> None:
        for found, document, hits, length in rows:
            weight, base, per_length = weights[found]
            scores[document] += weight * hits / (hits + base + per_length * length)

    if read:
        add(_read_rows(connection, scope_numbers, read))
    newest: set[tuple[int, int]] = set()
    if left and len(scores) < limit:
        rows = _read_newest(connection, scope_numbers, read, left[0])
        newest = {(row[0], row[1]) for row in rows}
        add(rows)
    if left and scores:
        found = _read_rows(connection, scope_numbers, left, _sort(scores)[:_CANDIDATES_MAX])
        add(row for row in found if (row[0], row[1]) not in newest)
    return scores


def _sort(scores: Mapping[int, float]) -> list[int]:
    """List documents by their scores; of those that are equally good, the newest first."""
    best = sorted(((score, number) for number, score in scores.items()), reverse=True)
    return [number for _, number in best]


def _choose_read(rarest: Sequence[_Searched]) -> tuple[list[_Searched], list[_Searched]]:
    """Part words in those that are read whole and those that are too frequent for it."""
    rows = 0
    for place, word in enumerate(rarest):
        rows += word.documents
        if rows > SEARCH_WORD_ROWS_MAX:
            return list(rarest[:place]), list(rarest[place:])
    return list(rarest), []


def _read_rows(
    connection: SqlConnection,
    scope_numbers: Sequence[int],
    words: Sequence[_Searched],
    documents: Sequence[int] = (),
) -> Iterable[Any]:
    rest = f" AND document IN ({placeholders(len(documents))})" if documents else ""
    return connection.execute(
        f"{_SELECT} WHERE scope_no IN ({placeholders(len(scope_numbers))}) "
        f"AND word IN ({placeholders(len(words))}){rest}",
        (*scope_numbers, *(word.hash for word in words), *documents),
    )


def _read_newest(
    connection: SqlConnection,
    scope_numbers: Sequence[int],
    read: Sequence[_Searched],
    word: _Searched,
) -> list[Any]:
    """Read as many of the newest rows of a word as are left after those that were read."""
    limit = SEARCH_WORD_ROWS_MAX - sum(each.documents for each in read)
    return [
        row
        for scope_no in scope_numbers
        for row in connection.execute(
            f"{_SELECT} WHERE scope_no = ? AND word = ? ORDER BY document DESC LIMIT ?",
            (scope_no, word.hash, limit),
        )
    ]
