"""Episodes and entities as documents of the search index: their words, vectors and texts.

Scores of words are Lucene's BM25. Meaning is compared exactly, with every vector of the scopes: the
nearest neighbours that a vector index of Neo4j gives are those of all people together.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dataagent_core.config.limits.memory import SEARCH_WORDS_MAX
from dataagent_core.memory.graph.entity_names import join_names
from dataagent_core.memory.graph.neo4j.schema import LABELS, WORD_INDEXES
from dataagent_core.memory.graph.neo4j.scope_view import ScopeView, hash_token, read_scope
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.search_index import (
    DocumentKey,
    DocumentKind,
    Match,
    MeaningQuery,
    SearchedTime,
)
from dataagent_core.models.embeddings import Vector

_KINDS: Final[tuple[DocumentKind, ...]] = ("episode", "entity")
_TEXT_FIELDS: Final = {"episode": ".content", "entity": ".name, .aliases"}
# An entity has no time of its own: its relations have.
_AT: Final = {"episode": "($as_of IS NULL OR n.created_at <= $as_of)", "entity": "true"}


async def match_words(
    view: ScopeView,
    words: Sequence[str],
    kinds: Sequence[DocumentKind],
    time: SearchedTime,
    limit: int,
) -> list[Match]:
    """Return the best documents by BM25, the best first."""
    weights: dict[str, int] = {}
    for word in words:
        weights[word] = weights.get(word, 0) + 1
    # Digits and letters of ours alone: nothing of the search has a meaning in Lucene's language.
    query = " ".join(
        f"{hash_token(key, f'word {word}')}^{weight}"
        for key in view.scopes
        for word, weight in list(weights.items())[:SEARCH_WORDS_MAX]
    )
    if not query:
        return []
    found: list[Match] = []
    for kind in _graph_kinds(kinds):
        rows = await view.run(
            "CALL db.index.fulltext.queryNodes($index, $query) YIELD node AS n, score "
            f"WHERE n.scope IN $scopes AND {_AT[kind]} "
            "RETURN n.id AS id, score ORDER BY score DESC, id LIMIT $limit",
            index=WORD_INDEXES[kind],
            query=query,
            as_of=time.as_of,
            limit=limit,
        )
        found += [Match(DocumentKey(kind, row["id"]), row["score"]) for row in rows]
    return _best(found, limit)


async def match_vector(
    view: ScopeView,
    query: MeaningQuery,
    kinds: Sequence[DocumentKind],
    time: SearchedTime,
    limit: int,
) -> list[Match]:
    """Return the nearest documents by cosine, the nearest first."""
    if not any(query.vector):
        return []
    found: list[Match] = []
    for kind in _graph_kinds(kinds):
        rows = await view.run(
            f"MATCH (n:{LABELS[kind]}) WHERE n.scope IN $scopes AND n.embedder = $embedder "
            f"AND size(n.embedding) = $size AND {_AT[kind]} "
            # Neo4j gives 0 to 1 for the angles from opposite to equal.
            "WITH n.id AS id, 2 * vector.similarity.cosine(n.embedding, $vector) - 1 AS score "
            "WHERE score > 0 RETURN id, score ORDER BY score DESC, id LIMIT $limit",
            embedder=query.embedder,
            size=len(query.vector),
            vector=list(query.vector),
            as_of=time.as_of,
            limit=limit,
        )
        found += [Match(DocumentKey(kind, row["id"]), row["score"]) for row in rows]
    return _best(found, limit)


async def list_unembedded(
    view: ScopeView, embedder: str, limit: int
) -> list[tuple[MemoryScope, DocumentKey, str]]:
    """List documents without a vector of this embedder, with their texts."""
    found: list[tuple[MemoryScope, DocumentKey, str]] = []
    for kind in _KINDS:
        rows = await view.run_on_tenant(
            f"MATCH (n:{LABELS[kind]}) WHERE n.tenant_id = $tenant_id AND n.embedder <> $embedder "
            "WITH n ORDER BY n.created_at, n.id LIMIT $limit "
            "RETURN n {.tenant_id, .user_id, .scope_kind, .assistant_id, .project_id, .id} AS node"
            ", "
            f"n {{{_TEXT_FIELDS[kind]}}} AS text",
            embedder=embedder,
            limit=limit - len(found),
        )
        found += [
            (
                read_scope(row["node"]),
                DocumentKey(kind, row["node"]["id"]),
                _make_text(row["text"]),
            )
            for row in rows
        ]
    return found


async def save_vectors(
    view: ScopeView, embedder: str, vectors: Mapping[DocumentKey, Vector]
) -> None:
    """Store vectors of documents that are still there, in the place of others."""
    for kind in _graph_kinds([key.kind for key in vectors]):
        chosen = {key.id: vector for key, vector in vectors.items() if key.kind == kind}
        await view.run_on_tenant(
            f"UNWIND $ids AS id MATCH (n:{LABELS[kind]} {{tenant_id: $tenant_id, id: id}}) "
            "SET n.embedder = $embedder",
            ids=list(chosen),
            embedder=embedder,
        )
        values = {k: list(vector) if any(vector) else None for k, vector in chosen.items()}
        await set_vectors(view, kind, values)


async def unindex_entities(view: ScopeView, ids: Sequence[str]) -> None:
    """Take entities out of the index, until they are saved with what is found of them."""
    await view.run(
        "UNWIND $ids AS id MATCH (n:Entity {tenant_id: $tenant_id, id: id}) "
        "WHERE n.scope IN $scopes REMOVE n.words, n.embedder, n.embedding",
        ids=list(ids),
    )


async def set_vectors(
    view: ScopeView, kind: DocumentKind, vectors: Mapping[str, Sequence[float] | None]
) -> None:
    """Set the vectors of documents of the tenant, as 32-bit numbers; None removes one."""
    one = f"MATCH (n:{LABELS[kind]} {{tenant_id: $tenant_id, id: row.id}})"
    # Most are of new documents, which have none to remove.
    await view.run_on_tenant(
        f"UNWIND $rows AS row {one} WHERE n.embedding IS NOT NULL REMOVE n.embedding",
        rows=[{"id": key} for key, vector in vectors.items() if vector is None],
    )
    await view.run_on_tenant(
        f"UNWIND $rows AS row {one} "
        "CALL db.create.setNodeVectorProperty(n, 'embedding', row.vector)",
        rows=[{"id": key, "vector": vector} for key, vector in vectors.items() if vector],
    )


async def read_texts(view: ScopeView, keys: Sequence[DocumentKey]) -> dict[DocumentKey, str]:
    """Return the texts of documents that are still there."""
    texts: dict[DocumentKey, str] = {}
    for kind in _graph_kinds([key.kind for key in keys]):
        rows = await view.run_on_tenant(
            f"MATCH (n:{LABELS[kind]}) WHERE n.tenant_id = $tenant_id AND n.id IN $ids "
            f"RETURN n.id AS id, n {{{_TEXT_FIELDS[kind]}}} AS text",
            ids=[key.id for key in keys if key.kind == kind],
        )
        texts |= {DocumentKey(kind, row["id"]): _make_text(row["text"]) for row in rows}
    return {key: texts[key] for key in keys if key in texts}


def _make_text(fields: Mapping[str, Any]) -> str:
    if "content" in fields:
        return fields["content"]
    return join_names(fields["name"], json.loads(fields["aliases"]))


def _graph_kinds(kinds: Sequence[DocumentKind]) -> list[DocumentKind]:
    return [kind for kind in _KINDS if kind in kinds]


def _best(matches: Sequence[Match], limit: int) -> list[Match]:
    ordered = sorted(matches, key=lambda one: (-one.score, one.key.kind, one.key.id))
    return ordered[:limit]
