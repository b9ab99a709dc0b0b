"""The leg of meaning: the nearest vectors, from a cache that is brought up to date first.

Everything that reads takes a page at a time, and what compares runs in a thread: a large scope does
not hold up the event loop, nor a connection.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search_index import DocumentKind, Match, MeaningQuery
from dataagent_core.memory.sql.counted_documents import read_counted
from dataagent_core.memory.sql.document_span import SearchedMoment
from dataagent_core.memory.sql.index_state import IndexState, read_states
from dataagent_core.memory.sql.memory_database import MemoryDatabase
from dataagent_core.memory.sql.scope_numbers import find_scopes
from dataagent_core.memory.sql.vector_cache import Revision, VectorCache, VectorGroup
from dataagent_core.session.stores.sql.connection import SqlConnection, SqlDatabase
from dataagent_core.session.stores.sql.dialect import index_key

_PAGE_ROWS: Final = 4_000
_GROUP: Final = "v.scope_no = ? AND v.kind = ? AND v.embedder = ? AND v.dimensions = ?"
_CHANGED: Final = (
    "SELECT v.document, d.since_us, d.until_us, v.vector, v.revision FROM memory_vectors AS v "
    f"JOIN memory_documents AS d ON d.number = v.document WHERE {_GROUP} "
    "AND v.revision >= ? AND (v.revision > ? OR v.document > ?) "
    "ORDER BY v.revision, v.document LIMIT ?"
)
_ALIVE: Final = (
    f"SELECT v.document FROM memory_vectors AS v WHERE {_GROUP} AND v.document > ? "
    "ORDER BY v.document LIMIT ?"
)


async def match_vector(
    database: MemoryDatabase,
    tenant_id: str,
    scopes: Sequence[MemoryScope],
    query: MeaningQuery,
    kinds: Sequence[DocumentKind],
    *,
    moment: SearchedMoment,
    limit: int,
) -> list[Match]:
    """Return the nearest documents by cosine, the nearest first."""
    if limit <= 0 or not any(query.vector):
        return []

    def read(connection: SqlConnection) -> tuple[list[IndexState], str]:
        numbers = list(find_scopes(connection, tenant_id, scopes))
        name = index_key(query.embedder, connection.dialect.name)
        return read_states(connection, numbers, kinds), name

    cache = database.vectors
    states, embedder = await database.read(read)
    scores: dict[int, float] = {}
    for state in states:
        group = VectorGroup(state.scope_no, state.kind, embedder, len(query.vector))
        await _bring_up_to_date(database, cache, group, state)
        scores |= await asyncio.to_thread(_find, cache, group, query, moment, limit)
    best = sorted(scores, key=lambda number: (scores[number], number), reverse=True)
    searched = list({state.scope_no for state in states})
    found = await database.read(lambda c: read_counted(c, searched, best, moment, limit))
    return [Match(key, scores[number]) for number, key in found.items()]


async def _bring_up_to_date(
    database: SqlDatabase, cache: VectorCache, group: VectorGroup, state: IndexState
) -> None:
    kept = cache.revision(group)
    wanted = Revision(state.revision, state.removals)
    if kept.number >= wanted.number:
        return
    update = cache.begin(group, state.documents)
    after, last = kept.number, -1
    while True:
        values = (*group, after, after, last, _PAGE_ROWS)
        rows = await database.read(lambda c, v=values: c.execute(_CHANGED, v).fetchall())
        await asyncio.to_thread(update.put, rows)
        if len(rows) < _PAGE_ROWS:
            break
        last, after = rows[-1][0], rows[-1][4]
    if -1 < kept.removals < wanted.removals:
        await asyncio.to_thread(update.keep, await _read_alive(database, group))
    await asyncio.to_thread(update.finish, wanted)


async def _read_alive(database: SqlDatabase, group: VectorGroup) -> list[int]:
    alive: list[int] = []
    while True:
        values = (*group, alive[-1] if alive else 0, _PAGE_ROWS)
        rows = await database.read(lambda c, v=values: c.execute(_ALIVE, v).fetchall())
        alive += [row[0] for row in rows]
        if len(rows) < _PAGE_ROWS:
            return alive


def _find(
    cache: VectorCache, group: VectorGroup, query: MeaningQuery, moment: SearchedMoment, limit: int
) -> dict[int, float]:
    return dict(cache.find_nearest(group, query.vector, moment, limit))
