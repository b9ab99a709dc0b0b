"""Entities in Neo4j, by id, name, community and relations."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.memory.graph.graph_values import Entity, Mention
from dataagent_core.memory.graph.neo4j.documents import set_vectors
from dataagent_core.memory.graph.neo4j.graph_records import (
    ENTITY_FIELDS,
    entity_properties,
    hash_name,
    index_properties,
    read_entity,
    vector_values,
)
from dataagent_core.memory.graph.neo4j.schema import NAME_INDEX
from dataagent_core.memory.graph.neo4j.scope_view import ScopeView, make_key
from dataagent_core.memory.search_index import IndexEntry
from dataagent_core.memory.text_digest import fold_text

READ: Final = (
    f"RETURN n {{{ENTITY_FIELDS}}} AS entity, "
    "[(n)-[:BELONGS_TO]->(c:Community) | c.id][0] AS community"
)
_BY_NAME: Final = "ORDER BY n.name_key, n.id"
# Lucene takes 1,024.
_TOKENS_PER_QUERY_MAX: Final = 1_000
_KEPT: Final = ("id", "created_at")


async def read_entities(view: ScopeView, ids: Sequence[str]) -> list[Entity]:
    """Return entities, in the order asked for."""
    rows = await view.run(
        "MATCH (n:Entity) WHERE n.tenant_id = $tenant_id AND n.id IN $ids "
        f"AND n.scope IN $scopes {READ}",
        ids=list(dict.fromkeys(ids)),
    )
    found = {one.id: one for one in read_all(rows)}
    return [found[one] for one in dict.fromkeys(ids) if one in found]


async def find_named(view: ScopeView, names: Sequence[str]) -> list[Entity]:
    """Return entities by name or alias."""
    wanted = sorted({fold_text(name) for name in names})
    tokens = [hash_name(key, name) for key in view.scopes for name in wanted]
    found: dict[str, Entity] = {}
    for start in range(0, len(tokens), _TOKENS_PER_QUERY_MAX):
        rows = await view.run(
            "CALL db.index.fulltext.queryNodes($index, $query) YIELD node AS n "
            f"WHERE n.scope IN $scopes {READ}",
            index=NAME_INDEX,
            query=" ".join(tokens[start : start + _TOKENS_PER_QUERY_MAX]),
        )
        found |= {one.id: one for one in read_all(rows)}
    return sorted(found.values(), key=lambda one: (fold_text(one.name), one.id))


async def list_entities(
    view: ScopeView,
    *,
    entity_type: str | None,
    community_id: str | None,
    limit: int,
    after: str | None,
) -> list[Entity]:
    """Return entities by name."""
    conditions, start = ["n.scope IN $scopes"], ""
    if entity_type is not None:
        conditions.append("n.type = $type")
    if community_id is not None:
        conditions.append(_IN_COMMUNITY)
    if after is not None:
        start = (
            "MATCH (last:Entity {tenant_id: $tenant_id, id: $after}) WHERE last.scope IN $scopes "
        )
        conditions.append(
            "(n.name_key > last.name_key OR (n.name_key = last.name_key AND n.id > last.id))"
        )
    rows = await view.run(
        f"{start}MATCH (n:Entity) WHERE {' AND '.join(conditions)} "
        f"WITH n {_BY_NAME} LIMIT $limit {READ} {_BY_NAME}",
        type=entity_type,
        community=community_id,
        limit=limit,
        after=after,
    )
    return read_all(rows)


async def count_entities(view: ScopeView) -> tuple[int, int]:
    """Return how many entities there are, and how many of them are of no community."""
    (row,) = await view.run(
        "MATCH (n:Entity) WHERE n.scope IN $scopes "
        "RETURN count(n) AS all, count(CASE WHEN NOT EXISTS { (n)-[:BELONGS_TO]->() } "
        "THEN 1 END) AS alone"
    )
    return row["all"], row["alone"]


async def find_linked(view: ScopeView, community_id: str | None, limit: int) -> list[Entity]:
    """Return entities of a community, or of all, those of most relations first."""
    within = f"AND {_IN_COMMUNITY} " if community_id is not None else ""
    rows = await view.run(
        f"MATCH (n:Entity) WHERE n.scope IN $scopes {within}"
        "WITH n, COUNT { (n)-[r:RELATES_TO]-() WHERE r.retired_at IS NULL } AS links "
        f"ORDER BY links DESC, n.name_key, n.id LIMIT $limit {READ} "
        "ORDER BY links DESC, n.name_key, n.id",
        community=community_id,
        limit=limit,
    )
    return read_all(rows)


async def find_mentions(
    view: ScopeView, end: Literal["n", "e"], ids: Sequence[str], limit: int
) -> list[Mention]:
    """Return which episodes mention entities (`n`), or what episodes mention (`e`)."""
    rows = await view.run(
        f"MATCH (n:Entity)<-[m:MENTIONS]-(e:Episodic) WHERE {end}.tenant_id = $tenant_id "
        f"AND {end}.id IN $ids AND n.scope IN $scopes AND e.scope IN $scopes "
        "RETURN e.id AS episode, n.id AS entity, m.names AS names "
        "ORDER BY e.created_at DESC, e.id DESC, n.id LIMIT $limit",
        ids=list(dict.fromkeys(ids)),
        limit=limit,
    )
    return [
        Mention(episode_id=row["episode"], entity_id=row["entity"], names=tuple(row["names"]))
        for row in rows
    ]


async def create_entities(view: ScopeView, entities: Sequence[tuple[Entity, IndexEntry]]) -> None:
    """Store new entities."""
    rows = [
        entity_properties(replace(one, version=1)) | index_properties(entry, one.scope)
        for one, entry in entities
    ]
    await view.run(
        "UNWIND $rows AS row WITH row WHERE row.scope IN $scopes "
        "CREATE (n:Entity:GraphNode) SET n = row",
        rows=rows,
    )
    await set_vectors(view, "entity", {one.id: vector_values(entry) for one, entry in entities})


async def save_entities(
    view: ScopeView, entities: Sequence[tuple[Entity, IndexEntry | None]]
) -> list[Entity]:
    """Replace entities over the versions they were read as; the caller has locked the scopes."""
    saved = [replace(one, version=one.version + 1) for one, _ in entities]
    rows: list[dict[str, Any]] = []
    for one, (_, entry) in zip(saved, entities, strict=True):
        values = {k: v for k, v in entity_properties(one).items() if k not in _KEPT}
        values |= index_properties(entry, one.scope) if entry else {}
        key = make_key(one.scope)
        rows.append({"id": one.id, "scope": key, "version": one.version - 1, "values": values})
    done = await view.run(
        "UNWIND $rows AS row MATCH (n:Entity {tenant_id: $tenant_id, id: row.id}) "
        "WHERE n.scope = row.scope AND n.scope IN $scopes AND n.version = row.version "
        "SET n += row.values RETURN n.id AS id",
        rows=rows,
    )
    missed = {one.id for one in saved} - {row["id"] for row in done}
    if missed:
        if await read_entities(view, [min(missed)]):
            raise ConflictError(f"The entity {min(missed)} was changed meanwhile: read it again.")
        raise NotFoundError(f"There is no entity {min(missed)}: it was removed meanwhile.")
    entries = {one.id: vector_values(entry) for one, entry in entities if entry}
    await set_vectors(view, "entity", entries)
    return saved


def read_all(rows: Sequence[dict[str, Any]]) -> list[Entity]:
    """Return the entities of rows of `READ`."""
    return [read_entity(row["entity"], row["community"]) for row in rows]


_IN_COMMUNITY: Final = (
    "EXISTS { (n)-[:BELONGS_TO]->(c:Community {tenant_id: $tenant_id, id: $community}) "
    "WHERE c.scope IN $scopes }"
)
