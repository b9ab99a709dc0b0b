"""Episodes, entities, relations and communities as properties in Neo4j, and back.

S2's properties have S2's names. What Neo4j cannot hold in a property, such as a map, is JSON whose
letters are not escaped, so that a scan for a text finds it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, Final

from dataagent_core.config.limits.memory import INDEX_WORDS_MAX
from dataagent_core.memory.graph.graph_values import Community, Entity, EntityRelation, Episode
from dataagent_core.memory.graph.neo4j.scope_view import (
    hash_token,
    make_key,
    read_scope,
    scope_properties,
)
from dataagent_core.memory.memory import MemoryScope, MemorySource
from dataagent_core.memory.search_index import IndexEntry
from dataagent_core.memory.text_digest import fold_text

_NAME_KEY_CHARS: Final = 100
_REPEATED_WORD_MAX: Final = 20
_SCOPE: Final = ".tenant_id, .user_id, .scope_kind, .assistant_id, .project_id"
EPISODE_FIELDS: Final = (
    f"{_SCOPE}, .id, .content, .source, .state, .reason, .attempts, .extracted, .is_tainted, "
    ".created_at, .updated_at, .version"
)
ENTITY_FIELDS: Final = (
    f"{_SCOPE}, .id, .name, .type, .summary, .attributes, .aliases, .created_at, .updated_at, "
    ".version"
)
COMMUNITY_FIELDS: Final = (
    f"{_SCOPE}, .id, .name, .summary, .member_count, .updated_at, .fingerprint"
)


def episode_properties(episode: Episode) -> dict[str, Any]:
    """Give the properties of an `Episodic` node."""
    source = {one.name: getattr(episode.source, one.name) for one in fields(MemorySource)}
    return scope_properties(episode.scope) | {
        "id": episode.id,
        "content": episode.content,
        "source": _dump(source),
        "session_id": episode.source.session_id,
        "state": episode.state,
        "reason": episode.reason,
        "attempts": episode.attempts,
        "extracted": _dump(episode.extracted),
        "is_tainted": episode.is_tainted,
        "created_at": episode.created_at,
        "updated_at": episode.updated_at,
        "version": episode.version,
    }


def read_episode(row: Mapping[str, Any]) -> Episode:
    """Return the episode of `EPISODE_FIELDS`."""
    return Episode(
        id=row["id"],
        scope=read_scope(row),
        content=row["content"],
        source=MemorySource(**json.loads(row["source"])),
        state=row["state"],
        reason=row["reason"],
        attempts=row["attempts"],
        extracted=json.loads(row["extracted"]),
        is_tainted=row["is_tainted"],
        created_at=_moment(row["created_at"]),
        updated_at=_moment(row["updated_at"]),
        version=row["version"],
    )


def entity_properties(entity: Entity) -> dict[str, Any]:
    """Give the properties of an `Entity` node."""
    key = make_key(entity.scope)
    return scope_properties(entity.scope) | {
        "id": entity.id,
        "name": entity.name,
        "name_key": fold_text(entity.name)[:_NAME_KEY_CHARS],
        "name_hashes": " ".join(
            sorted({hash_name(key, name) for name in (entity.name, *entity.aliases)})
        ),
        "type": entity.type,
        "summary": entity.summary,
        "attributes": _dump(entity.attributes),
        "aliases": _dump(entity.aliases),
        "created_at": entity.created_at,
        "updated_at": entity.updated_at,
        "version": entity.version,
    }


def read_entity(row: Mapping[str, Any], community_id: str | None) -> Entity:
    """Return the entity of `ENTITY_FIELDS`."""
    return Entity(
        id=row["id"],
        scope=read_scope(row),
        name=row["name"],
        type=row["type"],
        summary=row["summary"],
        attributes=json.loads(row["attributes"]),
        aliases=json.loads(row["aliases"]),
        community_id=community_id or "",
        created_at=_moment(row["created_at"]),
        updated_at=_moment(row["updated_at"]),
        version=row["version"],
    )


def relation_properties(relation: EntityRelation) -> dict[str, Any]:
    """Give the properties of a `RELATES_TO` relation, without what it rests on."""
    return scope_properties(relation.scope) | {
        "id": relation.id,
        "name": relation.name,
        "fact": relation.fact,
        "weight": float(relation.weight),
        "episode_id": relation.episode_id,
        "valid_from": relation.valid_from,
        "valid_to": relation.valid_to,
        "recorded_at": relation.recorded_at,
        "retired_at": relation.retired_at,
    }


def read_relation(row: Mapping[str, Any], source_id: str, target_id: str) -> EntityRelation:
    """Return the relation of all its properties."""
    ends = {name: row.get(name) for name in ("valid_to", "retired_at")}
    return EntityRelation(
        id=row["id"],
        scope=read_scope(row),
        source_id=source_id,
        target_id=target_id,
        name=row["name"],
        fact=row["fact"],
        weight=row["weight"],
        episode_id=row["episode_id"],
        valid_from=_moment(row["valid_from"]),
        recorded_at=_moment(row["recorded_at"]),
        **{name: None if value is None else _moment(value) for name, value in ends.items()},
    )


def community_properties(community: Community) -> dict[str, Any]:
    """Give the properties of a `Community` node."""
    return scope_properties(community.scope) | {
        "id": community.id,
        "name": community.name,
        "summary": community.summary,
        "member_count": community.member_count,
        "fingerprint": community.fingerprint,
        "updated_at": community.updated_at,
    }


def read_community(row: Mapping[str, Any]) -> Community:
    """Return the community of `COMMUNITY_FIELDS`."""
    return Community(
        id=row["id"],
        scope=read_scope(row),
        name=row["name"],
        summary=row["summary"],
        member_count=row["member_count"],
        fingerprint=row["fingerprint"],
        updated_at=_moment(row["updated_at"]),
    )


def index_properties(entry: IndexEntry, scope: MemoryScope) -> dict[str, Any]:
    """Give the words and the embedder of a document; the vector is set apart."""
    key, words = make_key(scope), list(entry.words.items())[:INDEX_WORDS_MAX]
    tokens = [
        token
        for word, count in words
        for token in [hash_token(key, f"word {word}")] * min(count, _REPEATED_WORD_MAX)
    ]
    vector = entry.vector or None
    return {"words": " ".join(tokens), "embedder": entry.embedder if vector else ""}


def vector_values(entry: IndexEntry) -> Sequence[float] | None:
    """Give the vector of a document as Neo4j takes it; one of zeros has no angle."""
    return list(entry.vector) if entry.vector and any(entry.vector) else None


def hash_name(scope_key: str, name: str) -> str:
    """Give the token by which an entity is found under a name."""
    return hash_token(scope_key, f"name {fold_text(name)}")


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _moment(value: Any) -> datetime:
    return value.to_native().astimezone(UTC)
