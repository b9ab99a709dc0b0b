"""Episodes in Neo4j."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.memory.graph.graph_values import Episode, EpisodeState
from dataagent_core.memory.graph.neo4j.documents import set_vectors
from dataagent_core.memory.graph.neo4j.graph_records import (
    EPISODE_FIELDS,
    episode_properties,
    index_properties,
    read_episode,
    vector_values,
)
from dataagent_core.memory.graph.neo4j.scope_view import ScopeView, make_key
from dataagent_core.memory.search_index import IndexEntry

_READ: Final = f"RETURN e {{{EPISODE_FIELDS}}} AS episode"
_NEWEST: Final = "ORDER BY e.created_at DESC, e.id DESC"
# What stays as it was when an episode is saved.
_KEPT: Final = ("content", "session_id", "created_at")


async def add_episodes(
    view: ScopeView, episodes: Sequence[tuple[Episode, IndexEntry]]
) -> list[Episode]:
    """Store the episodes that are not known; return all as they are stored."""
    await view.lock()
    ids = [episode.id for episode, _ in episodes]
    stored = {one.id: one for one in await read_episodes(view, ids)}
    known = await view.run_on_tenant(
        "MATCH (e:Episodic) WHERE e.tenant_id = $tenant_id AND e.id IN $ids RETURN e.id AS id",
        ids=ids,
    )
    foreign = {row["id"] for row in known} - stored.keys()
    if foreign:
        raise ConflictError(f"The id {min(foreign)} is that of another person's episode.")
    new = {
        episode.id: (replace(episode, version=1), entry)
        for episode, entry in episodes
        if episode.id not in stored
    }
    rows = [
        episode_properties(one) | index_properties(entry, one.scope) for one, entry in new.values()
    ]
    await view.run(
        "UNWIND $rows AS row WITH row WHERE row.scope IN $scopes "
        "CREATE (e:Episodic:GraphNode) SET e = row",
        rows=rows,
    )
    await set_vectors(view, "episode", {k: vector_values(entry) for k, (_, entry) in new.items()})
    return [stored[one] if one in stored else new[one][0] for one in ids]


async def read_episodes(view: ScopeView, ids: Sequence[str]) -> list[Episode]:
    """Return episodes, in the order asked for."""
    rows = await view.run(
        "MATCH (e:Episodic) WHERE e.tenant_id = $tenant_id AND e.id IN $ids "
        f"AND e.scope IN $scopes {_READ}",
        ids=list(dict.fromkeys(ids)),
    )
    found = {one.id: one for one in _read(rows)}
    return [found[one] for one in dict.fromkeys(ids) if one in found]


async def save_episodes(view: ScopeView, episodes: Sequence[Episode]) -> list[Episode]:
    """Replace episodes over the versions they were read as; the caller has locked the scopes."""
    saved = [replace(one, version=one.version + 1) for one in episodes]
    rows: list[dict[str, Any]] = [
        {
            "id": one.id,
            "scope": make_key(one.scope),
            "version": one.version - 1,
            "values": {k: v for k, v in episode_properties(one).items() if k not in _KEPT},
        }
        for one in saved
    ]
    done = await view.run(
        "UNWIND $rows AS row MATCH (e:Episodic {tenant_id: $tenant_id, id: row.id}) "
        "WHERE e.scope = row.scope AND e.scope IN $scopes AND e.version = row.version "
        "SET e += row.values RETURN e.id AS id",
        rows=rows,
    )
    missed = {one.id: one for one in episodes}.keys() - {row["id"] for row in done}
    if missed:
        await _explain_unsaved(view, next(one for one in episodes if one.id in missed))
    return saved


async def list_episodes(
    view: ScopeView,
    *,
    state: EpisodeState | None,
    entity_id: str | None,
    session_id: str | None,
    limit: int,
    after: str | None,
) -> list[Episode]:
    """Return episodes, the newest first."""
    conditions = ["e.scope IN $scopes"]
    if entity_id is not None:
        conditions.append(
            "EXISTS { (e)-[:MENTIONS]->(n:Entity {tenant_id: $tenant_id, id: $entity_id}) "
            "WHERE n.scope IN $scopes }"
        )
    conditions += [
        f"e.{name} = ${name}"
        for name, value in (("state", state), ("session_id", session_id))
        if value is not None
    ]
    start = ""
    if after is not None:
        start = (
            "MATCH (last:Episodic {tenant_id: $tenant_id, id: $after}) WHERE last.scope IN $scopes "
        )
        conditions.append(
            "(e.created_at < last.created_at "
            "OR (e.created_at = last.created_at AND e.id < last.id))"
        )
    rows = await view.run(
        f"{start}MATCH (e:Episodic) WHERE {' AND '.join(conditions)} WITH e {_NEWEST} "
        f"LIMIT $limit {_READ} {_NEWEST}",
        state=state,
        entity_id=entity_id,
        session_id=session_id,
        limit=limit,
        after=after,
    )
    return _read(rows)


async def find_unfinished(
    view: ScopeView, limit: int, tried_before: datetime | None
) -> list[Episode]:
    """Return episodes of the tenant that are neither synced nor failed, the oldest first."""
    rows = await view.run_on_tenant(
        "MATCH (e:Episodic) WHERE e.tenant_id = $tenant_id "
        "AND e.state IN ['received', 'extracted', 'linked'] "
        "AND ($tried_before IS NULL OR e.attempts = 0 OR e.updated_at <= $tried_before) "
        f"WITH e ORDER BY e.created_at, e.id LIMIT $limit {_READ} ORDER BY e.created_at, e.id",
        limit=limit,
        tried_before=tried_before,
    )
    return _read(rows)


async def find_episodes_with(view: ScopeView, text: str, limit: int) -> list[str]:
    """Return ids of episodes that hold a text."""
    rows = await view.run(
        "MATCH (e:Episodic) WHERE e.scope IN $scopes AND e.content CONTAINS $text "
        "RETURN e.id AS id ORDER BY e.created_at, e.id LIMIT $limit",
        text=text,
        limit=limit,
    )
    return [row["id"] for row in rows]


async def _explain_unsaved(view: ScopeView, episode: Episode) -> None:
    stored = await read_episodes(view, [episode.id])
    if not stored:
        raise NotFoundError(f"There is no episode {episode.id}: it was removed meanwhile.")
    raise ConflictError(
        f"The episode {episode.id} was changed meanwhile: it has version {stored[0].version}, and "
        f"yours is of version {episode.version}. Read it again."
    )


def _read(rows: Sequence[dict[str, Any]]) -> list[Episode]:
    return [read_episode(row["episode"]) for row in rows]
