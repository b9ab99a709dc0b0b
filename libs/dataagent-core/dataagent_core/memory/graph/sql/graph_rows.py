"""Rows of the graph as values, and back. What joins rows by number is given in beside them."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, cast

from dataagent_core.memory.graph.graph_values import Community, Entity, EntityRelation, Episode
from dataagent_core.memory.memory import MemoryScope, MemorySource
from dataagent_core.session.stores.sql.dialect import (
    SqlDialect,
    decode_text,
    encode_text,
    read_moment,
)

EPISODE_COLUMNS: Final[tuple[str, ...]] = (
    "tenant_id", "scope_no", "id", "content", "session_id", "source", "state", "reason", "attempts",
    "extracted", "is_tainted", "created_at", "updated_at", "version",
)  # fmt: skip
ENTITY_COLUMNS: Final[tuple[str, ...]] = (
    "tenant_id", "scope_no", "id", "name", "name_key", "type", "summary", "attributes", "aliases",
    "created_at", "updated_at", "version",
)  # fmt: skip
RELATION_COLUMNS: Final[tuple[str, ...]] = (
    "tenant_id", "scope_no", "id", "source_no", "target_no", "name", "fact", "weight_milli",
    "episode_no", "valid_from", "valid_to", "recorded_at", "retired_at",
)  # fmt: skip
COMMUNITY_COLUMNS: Final[tuple[str, ...]] = (
    "tenant_id", "scope_no", "id", "name", "summary", "member_count", "fingerprint", "updated_at",
)  # fmt: skip
_MILLI: Final = 1_000
_SOURCE_FIELDS: Final = ("kind", "run_id", "seq_first", "seq_last", "tool", "speaker", "quote")


def encode_json(value: object) -> bytes:
    """Write JSON whose letters a scan finds as they are."""
    return encode_text(json.dumps(value, ensure_ascii=False))


def decode_json(stored: bytes) -> Any:
    """Read such JSON."""
    return json.loads(decode_text(stored))


def make_episode_row(episode: Episode, scope_no: int, dialect: SqlDialect) -> list[object]:
    """Return the values of an episode in the order of `EPISODE_COLUMNS`."""
    source = {name: getattr(episode.source, name) for name in _SOURCE_FIELDS}
    return [
        episode.scope.tenant_id,
        scope_no,
        episode.id,
        encode_text(episode.content),
        episode.source.session_id,
        encode_json(source),
        episode.state,
        encode_text(episode.reason),
        episode.attempts,
        encode_json(episode.extracted),
        int(episode.is_tainted),
        dialect.moment(episode.created_at),
        dialect.moment(episode.updated_at),
        episode.version,
    ]


def read_episode(row: Sequence[Any], scope: MemoryScope) -> Episode:
    """Return the episode of a row of `EPISODE_COLUMNS`."""
    one = dict(zip(EPISODE_COLUMNS, row, strict=True))
    return Episode(
        id=one["id"],
        scope=scope,
        content=decode_text(one["content"]),
        source=MemorySource(session_id=one["session_id"], **decode_json(one["source"])),
        state=one["state"],
        reason=decode_text(one["reason"]),
        attempts=one["attempts"],
        extracted=decode_json(one["extracted"]),
        is_tainted=bool(one["is_tainted"]),
        created_at=read_moment(one["created_at"]),
        updated_at=read_moment(one["updated_at"]),
        version=one["version"],
    )


def make_entity_row(
    entity: Entity, scope_no: int, name_key: str, dialect: SqlDialect
) -> list[object]:
    """Return the values of an entity in the order of `ENTITY_COLUMNS`."""
    return [
        entity.scope.tenant_id,
        scope_no,
        entity.id,
        encode_text(entity.name),
        name_key,
        entity.type,
        encode_text(entity.summary),
        encode_json(entity.attributes),
        encode_json(entity.aliases),
        dialect.moment(entity.created_at),
        dialect.moment(entity.updated_at),
        entity.version,
    ]


def read_entity(row: Sequence[Any], scope: MemoryScope) -> Entity:
    """Return the entity of a row of `ENTITY_COLUMNS` and the id of its community."""
    one = dict(zip(ENTITY_COLUMNS, row[:-1], strict=True))
    return Entity(
        id=one["id"],
        scope=scope,
        name=decode_text(one["name"]),
        type=one["type"],
        summary=decode_text(one["summary"]),
        attributes=decode_json(one["attributes"]),
        aliases=cast("Mapping[str, str]", decode_json(one["aliases"])),
        community_id=row[-1] or "",
        created_at=read_moment(one["created_at"]),
        updated_at=read_moment(one["updated_at"]),
        version=one["version"],
    )


def make_relation_row(
    relation: EntityRelation, numbers: tuple[int, int, int, int], dialect: SqlDialect
) -> list[object]:
    """Return the values of a relation; `numbers` are of scope, source, target and episode."""

    def moment(value: datetime | None) -> object:
        return None if value is None else dialect.moment(value)

    scope_no, source_no, target_no, episode_no = numbers
    return [
        relation.scope.tenant_id,
        scope_no,
        relation.id,
        source_no,
        target_no,
        encode_text(relation.name),
        encode_text(relation.fact),
        round(relation.weight * _MILLI),
        episode_no,
        moment(relation.valid_from),
        moment(relation.valid_to),
        moment(relation.recorded_at),
        moment(relation.retired_at),
    ]


def read_relation(row: Sequence[Any], scope: MemoryScope) -> EntityRelation:
    """Return the relation of a row: columns from `id` on, with ids in place of the numbers."""

    def moment(value: object) -> datetime | None:
        return None if value is None else read_moment(value)

    (relation_id, source_id, target_id, name, fact, weight_milli, episode_id, *moments) = row
    valid_from, valid_to, recorded_at, retired_at = moments
    return EntityRelation(
        id=relation_id,
        scope=scope,
        source_id=source_id,
        target_id=target_id,
        name=decode_text(name),
        fact=decode_text(fact),
        weight=weight_milli / _MILLI,
        episode_id=episode_id or "",
        valid_from=read_moment(valid_from),
        valid_to=moment(valid_to),
        recorded_at=read_moment(recorded_at),
        retired_at=moment(retired_at),
    )


def make_community_row(community: Community, scope_no: int, dialect: SqlDialect) -> list[object]:
    """Return the values of a community in the order of `COMMUNITY_COLUMNS`."""
    return [
        community.scope.tenant_id,
        scope_no,
        community.id,
        encode_text(community.name),
        encode_text(community.summary),
        community.member_count,
        community.fingerprint,
        dialect.moment(community.updated_at),
    ]


def read_community(row: Sequence[Any], scope: MemoryScope) -> Community:
    """Return the community of a row of `COMMUNITY_COLUMNS`."""
    one = dict(zip(COMMUNITY_COLUMNS, row, strict=True))
    return Community(
        id=one["id"],
        scope=scope,
        name=decode_text(one["name"]),
        summary=decode_text(one["summary"]),
        member_count=one["member_count"],
        fingerprint=one["fingerprint"],
        updated_at=read_moment(one["updated_at"]),
    )
