"""The tables of the graph: episodes, entities, relations, communities, and what joins them.

A server derives its own tables from them, as from those of `patterns/sql/pattern_tables.py`.
Inside, rows are joined by `number`, which the database counts up: walks compare integers.
`scope_no` is the number of a scope in `memory_scopes`. Text of people is kept as bytes; so is JSON
that quotes it, without escapes for letters, so that a scan for a text finds it.
"""

from typing import Final

from dataagent_core.session.stores.sql.tables import SqlColumn, SqlTable

_POSITION: Final = SqlColumn("position")
_ID: Final = SqlColumn("id")
_MOMENT: Final = SqlColumn("moment")
_OPTIONAL_MOMENT: Final = SqlColumn("moment", optional=True)
_TEXT: Final = SqlColumn("any_text")
_NUMBER: Final = SqlColumn("big_integer")
_COUNT: Final = SqlColumn("big_integer", default=0)
# Whose row it is.
_OWNER: Final = {"tenant_id": _ID, "scope_no": _NUMBER}

GRAPH_EPISODES: Final = SqlTable(
    name="graph_episodes",
    columns={
        "number": _POSITION,
        **_OWNER,
        "id": _ID,
        "content": _TEXT,
        "session_id": _ID,
        "source": _TEXT,
        "state": SqlColumn("text", 20),
        "reason": _TEXT,
        "attempts": SqlColumn("integer", default=0),
        "extracted": _TEXT,
        "is_tainted": SqlColumn("integer", default=0),
        "created_at": _MOMENT,
        "updated_at": _MOMENT,
        "version": _COUNT,
    },
    key=("number",),
    unique=("tenant_id", "id"),
    indexes={
        "idx_graph_episodes_scope": ("scope_no", "created_at", "number"),
        "idx_graph_episodes_state": ("tenant_id", "state", "number"),
        "idx_graph_episodes_session": ("scope_no", "session_id"),
    },
    has_rowid=True,
)
GRAPH_ENTITIES: Final = SqlTable(
    name="graph_entities",
    columns={
        "number": _POSITION,
        **_OWNER,
        "id": _ID,
        "name": _TEXT,
        # The start of the name in one case and width: entities are listed by it.
        "name_key": SqlColumn("key"),
        "type": SqlColumn("text", 40),
        "summary": _TEXT,
        "attributes": _TEXT,
        "aliases": _TEXT,
        "community_no": SqlColumn("big_integer", optional=True),
        "created_at": _MOMENT,
        "updated_at": _MOMENT,
        "version": _COUNT,
    },
    key=("number",),
    unique=("tenant_id", "id"),
    indexes={
        "idx_graph_entities_name": ("scope_no", "name_key", "number"),
        "idx_graph_entities_community": ("community_no", "number"),
    },
    has_rowid=True,
)
# An entity by a hash of each of its names, up to case, width and blanks.
GRAPH_NAMES: Final = SqlTable(
    name="graph_names",
    columns={**_OWNER, "name_hash": _NUMBER, "entity_no": _NUMBER},
    key=("scope_no", "name_hash", "entity_no"),
    indexes={"idx_graph_names_entity": ("entity_no",)},
)
GRAPH_RELATIONS: Final = SqlTable(
    name="graph_relations",
    columns={
        "number": _POSITION,
        **_OWNER,
        "id": _ID,
        "source_no": _NUMBER,
        "target_no": _NUMBER,
        "name": _TEXT,
        "fact": _TEXT,
        # In thousandths, because no database of ours has another number in common.
        "weight_milli": _NUMBER,
        "episode_no": _NUMBER,
        "valid_from": _MOMENT,
        "valid_to": _OPTIONAL_MOMENT,
        "recorded_at": _MOMENT,
        "retired_at": _OPTIONAL_MOMENT,
    },
    key=("number",),
    unique=("tenant_id", "id"),
    indexes={
        "idx_graph_relations_source": ("source_no", "weight_milli"),
        "idx_graph_relations_target": ("target_no", "weight_milli"),
        "idx_graph_relations_scope": ("scope_no", "number"),
    },
    has_rowid=True,
)
# Which episodes say so, each in its words: what rests on one of them alone goes with it.
GRAPH_EVIDENCE: Final = SqlTable(
    name="graph_evidence",
    columns={**_OWNER, "relation_no": _NUMBER, "episode_no": _NUMBER, "fact": _TEXT},
    key=("relation_no", "episode_no"),
    indexes={"idx_graph_evidence_episode": ("episode_no",)},
)
GRAPH_MENTIONS: Final = SqlTable(
    name="graph_mentions",
    columns={**_OWNER, "entity_no": _NUMBER, "episode_no": _NUMBER, "names": _TEXT},
    key=("entity_no", "episode_no"),
    indexes={"idx_graph_mentions_episode": ("episode_no", "entity_no")},
)
GRAPH_COMMUNITIES: Final = SqlTable(
    name="graph_communities",
    columns={
        "number": _POSITION,
        **_OWNER,
        "id": _ID,
        "name": _TEXT,
        "summary": _TEXT,
        "member_count": _NUMBER,
        # Of the edges it was made from: whether it has to be computed again.
        "fingerprint": SqlColumn("text", 64),
        "updated_at": _MOMENT,
    },
    key=("number",),
    unique=("tenant_id", "id"),
    indexes={"idx_graph_communities_scope": ("scope_no", "member_count")},
    has_rowid=True,
)
GRAPH_TABLES: Final = (
    GRAPH_EPISODES,
    GRAPH_ENTITIES,
    GRAPH_NAMES,
    GRAPH_RELATIONS,
    GRAPH_EVIDENCE,
    GRAPH_MENTIONS,
    GRAPH_COMMUNITIES,
)
