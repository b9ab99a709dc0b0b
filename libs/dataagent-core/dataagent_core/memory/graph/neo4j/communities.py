"""Communities in Neo4j. What is as before is not written again."""

from collections.abc import Sequence
from typing import Any

from dataagent_core.memory.graph.graph_values import Community
from dataagent_core.memory.graph.neo4j.graph_records import (
    COMMUNITY_FIELDS,
    community_properties,
    read_community,
)
from dataagent_core.memory.graph.neo4j.scope_view import ScopeView


async def list_communities(view: ScopeView) -> list[Community]:
    """Return communities, the largest first."""
    rows = await view.run(
        "MATCH (c:Community:GraphNode) WHERE c.scope IN $scopes "
        f"RETURN c {{{COMMUNITY_FIELDS}}} AS community ORDER BY c.member_count DESC, c.id"
    )
    return [read_community(row["community"]) for row in rows]


async def read_members(view: ScopeView) -> dict[str, str]:
    """Return the community of each entity that has one."""
    rows = await view.run(
        "MATCH (n:Entity)-[:BELONGS_TO]->(c:Community) WHERE n.scope IN $scopes "
        "RETURN n.id AS entity, c.id AS community"
    )
    return {row["entity"]: row["community"] for row in rows}


async def save_communities(
    view: ScopeView, communities: Sequence[tuple[Community, Sequence[str]]]
) -> None:
    """Replace the communities of the view's one scope."""
    await view.lock()
    stored = {one.id: one for one in await list_communities(view)}
    wanted = {one.id: one for one, _ in communities}
    await remove_communities(view, [one for one in stored if one not in wanted])
    changed = [one for one in wanted.values() if stored.get(one.id) != one]
    await view.run(
        "UNWIND $rows AS row MATCH (c:Community {tenant_id: $tenant_id, id: row.id}) "
        "WHERE c.scope IN $scopes SET c = row",
        rows=[community_properties(one) for one in changed if one.id in stored],
    )
    await view.run(
        "UNWIND $rows AS row WITH row WHERE row.scope IN $scopes "
        "CREATE (c:Community:GraphNode) SET c = row",
        rows=[community_properties(one) for one in changed if one.id not in stored],
    )
    await _move_members(view, {m: one.id for one, members in communities for m in members})


async def remove_communities(view: ScopeView, ids: Sequence[str]) -> int:
    """Remove communities; their members are of none from now on."""
    (row,) = await view.run(
        "MATCH (c:Community) WHERE c.tenant_id = $tenant_id AND c.id IN $ids "
        "AND c.scope IN $scopes DETACH DELETE c RETURN count(*) AS count",
        ids=list(ids),
    )
    return row["count"]


async def _move_members(view: ScopeView, wanted: dict[str, str]) -> None:
    members = await read_members(view)
    left = [one for one, community in members.items() if wanted.get(one) != community]
    await view.run(
        "MATCH (n:Entity)-[b:BELONGS_TO]->() WHERE n.tenant_id = $tenant_id AND n.id IN $ids "
        "AND n.scope IN $scopes DELETE b",
        ids=left,
    )
    rows: list[dict[str, Any]] = [
        {"entity": one, "community": community}
        for one, community in wanted.items()
        if members.get(one) != community
    ]
    await view.run(
        "UNWIND $rows AS row MATCH (n:Entity {tenant_id: $tenant_id, id: row.entity}), "
        "(c:Community {tenant_id: $tenant_id, id: row.community}) "
        "WHERE n.scope IN $scopes AND c.scope = n.scope "
        "CREATE (n)-[:BELONGS_TO {tenant_id: n.tenant_id, scope: n.scope}]->(c)",
        rows=rows,
    )
