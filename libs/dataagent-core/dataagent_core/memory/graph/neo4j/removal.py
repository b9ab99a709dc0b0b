"""Removes episodes, entities and everything of a user, with all that rests on them alone.

What is left of an entity or a relation has no word that only a removed episode had. Communities
that knew one of the entities are removed: their summaries may quote what is gone.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from dataagent_core.memory.graph.entity_names import keep_names
from dataagent_core.memory.graph.neo4j.communities import remove_communities
from dataagent_core.memory.graph.neo4j.documents import unindex_entities
from dataagent_core.memory.graph.neo4j.entities import read_entities, save_entities
from dataagent_core.memory.graph.neo4j.scope_view import ScopeView

_EPISODES: Final = (
    "MATCH (e:Episodic) WHERE e.tenant_id = $tenant_id AND e.id IN $ids AND e.scope IN $scopes"
)
_ENTITIES: Final = (
    "MATCH (n:Entity) WHERE n.tenant_id = $tenant_id AND n.id IN $ids AND n.scope IN $scopes"
)


async def remove_episodes(view: ScopeView, ids: Sequence[str]) -> Counter[str]:
    """Remove episodes; say how many of what went."""
    await view.lock()
    counts: Counter[str] = Counter()
    touched = await _ids(view, f"{_EPISODES} MATCH (e)-[:MENTIONS]->(n:Entity)", ids)
    resting = await view.run(
        f"{_EPISODES} UNWIND coalesce(e.relation_ids, []) AS id RETURN DISTINCT id", ids=ids
    )
    counts["RELATES_TO"] = await _drop_relations(view, [row["id"] for row in resting], ids)
    counts["MENTIONS"] = await _delete(view, f"{_EPISODES} MATCH (e)-[m:MENTIONS]->()", "m", ids)
    counts["Episodic"] = await _delete(view, _EPISODES, "e", ids)
    left = await _ids(view, f"{_ENTITIES} AND EXISTS {{ (n)<-[:MENTIONS]-() }}", touched)
    counts += await _remove_entities(view, [one for one in touched if one not in left])
    counts["Community"] += await _dissolve(view, left)
    await _rename(view, left)
    return counts


async def remove_entity(view: ScopeView, entity_id: str) -> Counter[str]:
    """Remove an entity with its relations and mentions; say how many of what went."""
    await view.lock()
    return await _remove_entities(view, [entity_id])


async def remove_user(view: ScopeView, user_id: str) -> Counter[str]:
    """Remove everything of a user; say how many of what went."""
    counts: Counter[str] = Counter()
    for label in ("RELATES_TO", "MENTIONS"):
        counts[label] = await _delete_of_user(view, f"MATCH (n)-[x:{label}]->()", user_id)
    for label in ("Episodic", "Entity", "Community"):
        counts[label] = await _delete_of_user(view, f"WITH n AS x WHERE x:{label}", user_id)
    return counts


async def _delete_of_user(view: ScopeView, choose: str, user_id: str) -> int:
    (row,) = await view.run_on_tenant(
        "MATCH (n:GraphNode) WHERE n.tenant_id = $tenant_id AND n.user_id = $user_id "
        f"{choose} DETACH DELETE x RETURN count(*) AS count",
        user_id=user_id,
    )
    return row["count"]


async def _remove_entities(view: ScopeView, ids: Sequence[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    counts["Community"] = await _dissolve(view, ids)
    for label, pattern in (
        ("RELATES_TO", "(n)-[x:RELATES_TO]-()"),
        ("MENTIONS", "()-[x:MENTIONS]->(n)"),
    ):
        counts[label] = await _delete(
            view, f"{_ENTITIES} MATCH {pattern} WITH DISTINCT x", "x", ids
        )
    counts["Entity"] = await _delete(view, _ENTITIES, "n", ids)
    return counts


async def _drop_relations(view: ScopeView, ids: Sequence[str], episodes: Sequence[str]) -> int:
    """Remove relations that no episode says any longer; the others get the words of the last."""
    rows = await view.run(
        "UNWIND $ids AS id MATCH ()-[r:RELATES_TO {tenant_id: $tenant_id, id: id}]->() "
        "WHERE r.scope IN $scopes RETURN r.id AS id, r.weight AS weight, "
        "r.evidence_episodes AS episodes, r.evidence_facts AS facts",
        ids=list(ids),
    )
    gone: list[str] = []
    changed: list[dict[str, Any]] = []
    removed = set(episodes)
    for row in rows:
        pairs = list(zip(row["episodes"], row["facts"], strict=True))
        left = [pair for pair in pairs if pair[0] not in removed]
        if not left:
            gone.append(row["id"])
            continue
        lost = len(pairs) - len(left)
        values = {
            "episode_id": left[-1][0],
            "fact": left[-1][1],
            "weight": row["weight"] - lost if row["weight"] > lost else row["weight"],
            "evidence_episodes": [one for one, _ in left],
            "evidence_facts": [fact for _, fact in left],
        }
        changed.append({"id": row["id"], "values": values})
    await view.run(
        "UNWIND $rows AS row MATCH ()-[r:RELATES_TO {tenant_id: $tenant_id, id: row.id}]->() "
        "WHERE r.scope IN $scopes SET r += row.values",
        rows=changed,
    )
    found = (
        "UNWIND $ids AS id MATCH ()-[r:RELATES_TO {tenant_id: $tenant_id, id: id}]->() "
        "WHERE r.scope IN $scopes"
    )
    return await _delete(view, found, "r", gone)


async def _rename(view: ScopeView, ids: Sequence[str]) -> None:
    rows = await view.run(
        f"{_ENTITIES} MATCH (n)<-[m:MENTIONS]-() UNWIND m.names AS name "
        "RETURN n.id AS id, collect(DISTINCT name) AS names",
        ids=ids,
    )
    names: dict[str, set[str]] = {row["id"]: set(row["names"]) for row in rows}
    pairs = [
        (entity, keep_names(entity, names.get(entity.id, set())))
        for entity in await read_entities(view, ids)
    ]
    renamed = [kept for entity, kept in pairs if kept != entity]
    await save_entities(view, [(one, None) for one in renamed])
    await unindex_entities(view, [one.id for one in renamed])


async def _dissolve(view: ScopeView, ids: Sequence[str]) -> int:
    found = await _ids(view, f"{_ENTITIES} MATCH (n)-[:BELONGS_TO]->(c:Community)", ids, "c")
    return await remove_communities(view, found)


async def _ids(view: ScopeView, match: str, ids: Sequence[str], name: str = "n") -> list[str]:
    rows = await view.run(f"{match} RETURN DISTINCT {name}.id AS id ORDER BY id", ids=list(ids))
    return [row["id"] for row in rows]


async def _delete(view: ScopeView, match: str, name: str, ids: Sequence[str]) -> int:
    (row,) = await view.run(f"{match} DETACH DELETE {name} RETURN count(*) AS count", ids=list(ids))
    return row["count"]
