"""What Neo4j keeps of a user: in which scopes, and whether a text is in it."""

import json
from collections.abc import Mapping
from typing import Final

from dataagent_core.memory.graph.neo4j.scope_view import ScopeView, read_scope
from dataagent_core.memory.memory import MemoryScope

_OF_USER: Final = "MATCH (n:GraphNode) WHERE n.tenant_id = $tenant_id AND n.user_id = $user_id"
_HOLDS: Final = (
    "any(key IN keys({0}) WHERE any(text IN $texts WHERE "
    "any(value IN CASE WHEN {0}[key] IS :: LIST<ANY> THEN {0}[key] ELSE [{0}[key]] END "
    "WHERE toStringOrNull(value) CONTAINS text)))"
)


async def list_scopes(view: ScopeView, user_id: str) -> list[MemoryScope]:
    """Return the scopes in which a user has episodes or entities."""
    rows = await view.run_on_tenant(
        f"{_OF_USER} AND (n:Episodic OR n:Entity) RETURN DISTINCT n.scope AS key, "
        "n {.tenant_id, .user_id, .scope_kind, .assistant_id, .project_id} AS scope ORDER BY key",
        user_id=user_id,
    )
    return [read_scope(row["scope"]) for row in rows]


async def list_own_scopes(view: ScopeView, project_id: str | None) -> list[MemoryScope]:
    """Return the scopes, all or of a project, in which people have anything."""
    of_project = "" if project_id is None else "AND n.project_id = $project_id "
    rows = await view.run_on_tenant(
        f"MATCH (n:GraphNode) WHERE n.tenant_id = $tenant_id {of_project}"
        "RETURN DISTINCT n.scope AS key, "
        "n {.tenant_id, .user_id, .scope_kind, .assistant_id, .project_id} AS scope ORDER BY key",
        project_id=project_id,
    )
    return [read_scope(row["scope"]) for row in rows]


async def scan_user(view: ScopeView, text: str, user_id: str) -> Mapping[str, int]:
    """Count the nodes and relations of a user that hold a text in any property, by label."""
    # As it is, and as it stands in JSON.
    texts = list({text, json.dumps(text, ensure_ascii=False)[1:-1]})
    nodes = await view.run_on_tenant(
        f"{_OF_USER} AND {_HOLDS.format('n')} "
        "RETURN [l IN labels(n) WHERE l <> 'GraphNode'][0] AS label, count(*) AS count",
        user_id=user_id,
        texts=texts,
    )
    relations = await view.run_on_tenant(
        f"{_OF_USER} MATCH (n)-[r]->() WHERE {_HOLDS.format('r')} "
        "RETURN type(r) AS label, count(*) AS count",
        user_id=user_id,
        texts=texts,
    )
    return {row["label"]: row["count"] for row in (*nodes, *relations)}
