"""Stores what episodes add to the graph, in one transaction.

The scopes are locked before anything is compared, so that of two processes that meet a new name at
once the second one sees what the first one has stored, and is told.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.memory.graph.graph_values import Entity, EntityRelation, Episode, EpisodeLinks
from dataagent_core.memory.graph.neo4j.entities import create_entities, find_named, save_entities
from dataagent_core.memory.graph.neo4j.episodes import save_episodes
from dataagent_core.memory.graph.neo4j.graph_records import relation_properties
from dataagent_core.memory.graph.neo4j.scope_view import ScopeView
from dataagent_core.memory.search_index import IndexEntry
from dataagent_core.memory.text_digest import fold_text

_ONE: Final = "MATCH ()-[r:RELATES_TO {tenant_id: $tenant_id, id: id}]->() WHERE r.scope IN $scopes"


async def link_episodes(view: ScopeView, links: Sequence[EpisodeLinks]) -> list[Episode]:
    """Store episodes and what they add; raises before anything else if one was changed."""
    await view.lock()
    episodes = await save_episodes(view, [one.episode for one in links])
    await _store_entities(view, [pair for one in links for pair in one.entities])
    await _refuse_missing(view, links)
    await _store_relations(view, links)
    mentions: list[dict[str, Any]] = [
        {"episode": one.episode.id, "entity": mention.entity_id, "names": list(mention.names)}
        for one in links
        for mention in one.mentions
    ]
    await view.run(
        "UNWIND $rows AS row MATCH (e:Episodic {tenant_id: $tenant_id, id: row.episode}), "
        "(n:Entity {tenant_id: $tenant_id, id: row.entity}) "
        "WHERE e.scope IN $scopes AND n.scope = e.scope MERGE (e)-[m:MENTIONS]->(n) "
        "ON CREATE SET m.tenant_id = e.tenant_id, m.scope = e.scope, m.names = row.names",
        rows=mentions,
    )
    return episodes


async def _store_entities(view: ScopeView, pairs: Sequence[tuple[Entity, IndexEntry]]) -> None:
    entities = {entity.id: (entity, entry) for entity, entry in pairs}
    new = [(one, entry) for one, entry in entities.values() if not one.version]
    named = await find_named(view, [one.name for one, _ in new])
    known = {(one.scope, one.type, fold_text(one.name)) for one in named}
    for one, _ in new:
        if (one.scope, one.type, fold_text(one.name)) in known:
            raise ConflictError(
                f"Another episode has added {one.name!r} meanwhile: read the graph again."
            )
    await create_entities(view, new)
    try:
        await save_entities(view, [pair for pair in entities.values() if pair[0].version])
    except NotFoundError as error:
        raise ConflictError(f"{error} Read the graph again.") from error


async def _refuse_missing(view: ScopeView, links: Sequence[EpisodeLinks]) -> None:
    ends = {end for one in links for r in one.relations for end in (r.source_id, r.target_id)}
    ends |= {mention.entity_id for one in links for mention in one.mentions}
    found = await view.run(
        "MATCH (n:Entity) WHERE n.tenant_id = $tenant_id AND n.id IN $ids AND n.scope IN $scopes "
        "RETURN n.id AS id",
        ids=sorted(ends),
    )
    missing = ends - {row["id"] for row in found}
    if missing:
        raise ConflictError(
            f"The entity {min(missing)} was removed meanwhile: read the graph again."
        )


async def _store_relations(view: ScopeView, links: Sequence[EpisodeLinks]) -> None:
    relations = {one.id: one for link in links for one in link.relations}
    stored = await view.run(
        f"UNWIND $ids AS id {_ONE} RETURN r.id AS id, startNode(r).id AS source, "
        "endNode(r).id AS target, r.evidence_episodes AS episodes, r.evidence_facts AS facts",
        ids=list(relations),
    )
    known = {row["id"]: row for row in stored}
    evidence = _list_evidence(known, links)
    rows = {one.id: _make_row(one, evidence[one.id]) for one in relations.values()}
    # The ends of a relation cannot be changed: one that has others is made anew.
    kept = {
        one.id
        for one in relations.values()
        if one.id in known
        and (known[one.id]["source"], known[one.id]["target"]) == (one.source_id, one.target_id)
    }
    await view.run(f"UNWIND $ids AS id {_ONE} DELETE r", ids=sorted(known.keys() - kept))
    await view.run(
        f"UNWIND $rows AS row WITH row, row.id AS id {_ONE} SET r = row.values",
        rows=[rows[one] for one in sorted(kept)],
    )
    await view.run(
        "UNWIND $rows AS row MATCH (s:Entity {tenant_id: $tenant_id, id: row.source}), "
        "(t:Entity {tenant_id: $tenant_id, id: row.target}) "
        "WHERE s.scope IN $scopes AND t.scope = s.scope AND row.values.scope = s.scope "
        "CREATE (s)-[r:RELATES_TO]->(t) SET r = row.values",
        rows=[row for one, row in rows.items() if one not in kept],
    )
    await view.run(
        "UNWIND $rows AS row MATCH (e:Episodic {tenant_id: $tenant_id, id: row.episode}) "
        "WHERE e.scope IN $scopes SET e.relation_ids = coalesce(e.relation_ids, []) + "
        "[id IN row.relations WHERE NOT id IN coalesce(e.relation_ids, [])]",
        rows=[
            {
                "episode": link.episode.id,
                "relations": sorted(
                    {r.id for r in link.relations if r.episode_id == link.episode.id}
                ),
            }
            for link in links
        ],
    )


def _list_evidence(
    known: Mapping[str, Mapping[str, Any]], links: Sequence[EpisodeLinks]
) -> dict[str, dict[str, str]]:
    """Give the words of each relation by the episode that says so, the oldest first."""
    evidence: dict[str, dict[str, str]] = {
        key: dict(zip(row["episodes"], row["facts"], strict=True)) for key, row in known.items()
    }
    for link in links:
        for one in link.relations:
            said = evidence.setdefault(one.id, {})
            if one.episode_id == link.episode.id:
                said.setdefault(link.episode.id, one.fact)
    return evidence


def _make_row(relation: EntityRelation, evidence: dict[str, str]) -> dict[str, Any]:
    values = relation_properties(relation) | {
        "evidence_episodes": list(evidence),
        "evidence_facts": list(evidence.values()),
    }
    return {
        "id": relation.id,
        "source": relation.source_id,
        "target": relation.target_id,
        "values": values,
    }
