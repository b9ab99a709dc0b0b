"""Relations in Neo4j, and walks over them.

A relation knows which episodes say so, each in its words, in two lists beside each other:
`evidence_episodes` and `evidence_facts`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from dataagent_core.config.limits.graph import NEAR_EDGES_MAX, NEAR_FRONTIER_MAX
from dataagent_core.memory.graph.graph_values import EntityRelation, NearEntity
from dataagent_core.memory.graph.nearness import keep_nearest, take_step
from dataagent_core.memory.graph.neo4j.graph_records import read_relation
from dataagent_core.memory.graph.neo4j.scope_view import ScopeView

_HOLDS: Final = "r.retired_at IS NULL AND (r.valid_to IS NULL OR r.valid_to > $at)"
_WAS_TRUE: Final = f"{_HOLDS} AND r.valid_from <= $at"
READ: Final = "properties(r) AS relation, startNode(r).id AS source, endNode(r).id AS target"


async def list_relations(
    view: ScopeView,
    entity_ids: Sequence[str],
    *,
    as_of: datetime | None,
    now: datetime,
    with_past: bool,
    limit: int,
) -> list[EntityRelation]:
    """Return relations from or to entities, those of most weight first."""
    time = "true" if with_past else _WAS_TRUE if as_of else _HOLDS
    rows = await view.run(
        "MATCH (n:Entity)-[r:RELATES_TO]-() WHERE n.tenant_id = $tenant_id AND n.id IN $ids "
        f"AND n.scope IN $scopes AND r.scope IN $scopes AND {time} "
        f"WITH DISTINCT r ORDER BY r.weight DESC, r.recorded_at, r.id LIMIT $limit RETURN {READ} "
        "ORDER BY r.weight DESC, r.recorded_at, r.id",
        ids=list(dict.fromkeys(entity_ids)),
        at=as_of or now,
        limit=limit,
    )
    return read_all(rows)


async def find_near(
    view: ScopeView,
    seeds: Mapping[str, float],
    *,
    hops: int,
    as_of: datetime | None,
    now: datetime,
    limit: int,
) -> list[NearEntity]:
    """Walk from entities over relations and return what is near, the nearest first."""
    known = await view.run(
        "MATCH (n:Entity) WHERE n.tenant_id = $tenant_id AND n.id IN $ids AND n.scope IN $scopes "
        "RETURN n.id AS id",
        ids=list(seeds),
    )
    nearness = {row["id"]: min(1.0, seeds[row["id"]]) for row in known}
    frontier = keep_nearest(nearness, NEAR_FRONTIER_MAX)
    for _ in range(hops):
        if not frontier:
            break
        reached = take_step(nearness, frontier, await _read_edges(view, frontier, as_of, now))
        nearness |= reached
        frontier = keep_nearest(reached, NEAR_FRONTIER_MAX)
    return [NearEntity(one, nearness[one]) for one in keep_nearest(nearness, limit)]


async def count_edges(view: ScopeView, now: datetime) -> list[tuple[str, str, float]]:
    """Return pairs of entities with the weight of what joins them now."""
    rows = await view.run(
        "MATCH (s:Entity)-[r:RELATES_TO]->(t:Entity) WHERE s.scope IN $scopes "
        f"AND r.scope IN $scopes AND {_HOLDS} AND s <> t "
        "WITH CASE WHEN s.id < t.id THEN [s.id, t.id] ELSE [t.id, s.id] END AS pair, r.weight AS w "
        "RETURN pair, sum(w) AS weight ORDER BY pair",
        at=now,
    )
    return [(row["pair"][0], row["pair"][1], row["weight"]) for row in rows]


def read_all(rows: Sequence[Mapping[str, Any]]) -> list[EntityRelation]:
    """Return the relations of rows of `READ`."""
    return [read_relation(row["relation"], row["source"], row["target"]) for row in rows]


async def _read_edges(
    view: ScopeView, frontier: Sequence[str], as_of: datetime | None, now: datetime
) -> list[tuple[str, str, float]]:
    rows = await view.run(
        "MATCH (n:Entity)-[r:RELATES_TO]-() WHERE n.tenant_id = $tenant_id AND n.id IN $ids "
        f"AND n.scope IN $scopes AND r.scope IN $scopes AND {_WAS_TRUE if as_of else _HOLDS} "
        "WITH DISTINCT r ORDER BY r.weight DESC, r.id LIMIT $limit "
        "RETURN startNode(r).id AS source, endNode(r).id AS target, r.weight AS weight",
        ids=list(frontier),
        at=as_of or now,
        limit=2 * NEAR_EDGES_MAX,
    )
    return [(row["source"], row["target"], row["weight"]) for row in rows]
