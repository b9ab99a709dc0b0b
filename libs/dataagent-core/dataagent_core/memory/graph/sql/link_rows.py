"""Stores what episodes add to the graph, in the caller's transaction.

Rows of a scope are locked before anything is compared, so that of two processes that meet a new
name at once the second one sees what the first one has stored, and is told.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from dataagent_core.errors import ConflictError
from dataagent_core.memory.graph.graph_values import Entity, EntityRelation, Episode, EpisodeLinks
from dataagent_core.memory.graph.sql.entity_rows import (
    find_named,
    insert_names,
    make_row,
    replace_entity,
)
from dataagent_core.memory.graph.sql.episode_rows import update_episode
from dataagent_core.memory.graph.sql.graph_rows import (
    ENTITY_COLUMNS,
    RELATION_COLUMNS,
    encode_json,
    make_relation_row,
)
from dataagent_core.memory.graph.sql.graph_view import GraphView
from dataagent_core.memory.memory import MemoryScope
from dataagent_core.memory.text_digest import fold_text
from dataagent_core.session.stores.sql.connection import insert_rows
from dataagent_core.session.stores.sql.dialect import encode_text, insert, insert_ignore

_KEPT: Final = frozenset({"tenant_id", "scope_no", "id"})
_SET: Final = tuple(name for name in RELATION_COLUMNS if name not in _KEPT)
_UPDATE: Final = (
    f"UPDATE graph_relations SET {', '.join(f'{name} = ?' for name in _SET)} WHERE number = ?"
)
_EVIDENCE: Final = ("tenant_id", "scope_no", "relation_no", "episode_no", "fact")
_MENTIONS: Final = ("tenant_id", "scope_no", "entity_no", "episode_no", "names")


def link_rows(view: GraphView, links: Sequence[EpisodeLinks]) -> list[Episode]:
    """Store episodes and what they add; raises before anything else if one was changed."""
    scope_numbers = {scope: number for number, scope in view.scopes.items()}
    episodes = [
        update_episode(view.connection, one.episode, scope_numbers[one.episode.scope])
        for one in links
    ]
    entities = {entity.id: entity for one in links for entity, _ in one.entities}
    numbers = _store_entities(view, list(entities.values()), scope_numbers)
    ends = {end for one in links for r in one.relations for end in (r.source_id, r.target_id)}
    ends |= {mention.entity_id for one in links for mention in one.mentions}
    numbers |= view.find_numbers("graph_entities", sorted(ends - numbers.keys()))
    missing = ends - numbers.keys()
    if missing:
        raise ConflictError(
            f"The entity {min(missing)} was removed meanwhile: read the graph again."
        )
    episode_numbers = view.find_numbers("graph_episodes", [one.id for one in episodes])
    _store_relations(view, links, numbers, episode_numbers, scope_numbers)
    insert_rows(
        view.connection,
        insert_ignore(view.connection.dialect.name, "graph_mentions", _MENTIONS),
        [
            (
                view.tenant_id,
                scope_numbers[one.episode.scope],
                numbers[mention.entity_id],
                episode_numbers[one.episode.id],
                encode_json(list(mention.names)),
            )
            for one in links
            for mention in one.mentions
        ],
    )
    return episodes


def _store_entities(
    view: GraphView, entities: Sequence[Entity], scope_numbers: Mapping[MemoryScope, int]
) -> dict[str, int]:
    new = [entity for entity in entities if not entity.version]
    changed = [entity for entity in entities if entity.version]
    _refuse_known(view, new)
    insert_rows(
        view.connection,
        insert("graph_entities", ENTITY_COLUMNS),
        [
            make_row(replace(one, version=1), scope_numbers[one.scope], view.connection)
            for one in new
        ],
    )
    numbers = view.find_numbers("graph_entities", [one.id for one in entities])
    for one in changed:
        number = numbers.get(one.id, -1)
        if replace_entity(view.connection, one, scope_numbers[one.scope], number) is None:
            raise ConflictError(f"The entity {one.id} was changed meanwhile: read it again.")
    insert_names(view.connection, [(one, scope_numbers[one.scope], numbers[one.id]) for one in new])
    return numbers


def _refuse_known(view: GraphView, new: Sequence[Entity]) -> None:
    known = {
        (entity.scope, entity.type, fold_text(entity.name))
        for entity in find_named(view, [one.name for one in new])
    }
    for one in new:
        if (one.scope, one.type, fold_text(one.name)) in known:
            raise ConflictError(
                f"Another episode has added {one.name!r} meanwhile: read the graph again."
            )


def _store_relations(
    view: GraphView,
    links: Sequence[EpisodeLinks],
    numbers: Mapping[str, int],
    episode_numbers: Mapping[str, int],
    scope_numbers: Mapping[MemoryScope, int],
) -> None:
    relations = {one.id: one for link in links for one in link.relations}
    known = view.find_numbers("graph_relations", list(relations))
    # A relation that is only closed keeps the episode its words are of.
    others = {one.episode_id for one in relations.values()} - episode_numbers.keys()
    all_episodes = {**view.find_numbers("graph_episodes", sorted(others)), **episode_numbers}

    def make(one: EntityRelation) -> list[object]:
        joined = (
            scope_numbers[one.scope],
            numbers[one.source_id],
            numbers[one.target_id],
            all_episodes.get(one.episode_id, 0),
        )
        return make_relation_row(one, joined, view.connection.dialect)

    insert_rows(
        view.connection,
        insert("graph_relations", RELATION_COLUMNS),
        [make(one) for one in relations.values() if one.id not in known],
    )
    changed = (one for one in relations.values() if one.id in known)
    rows = [(dict(zip(RELATION_COLUMNS, make(one), strict=True)), known[one.id]) for one in changed]
    if rows:
        view.connection.executemany(
            _UPDATE, [[*(row[name] for name in _SET), number] for row, number in rows]
        )
    known |= view.find_numbers("graph_relations", [one for one in relations if one not in known])
    insert_rows(
        view.connection,
        insert_ignore(view.connection.dialect.name, "graph_evidence", _EVIDENCE),
        [
            (
                view.tenant_id,
                scope_numbers[one.scope],
                known[one.id],
                episode_numbers[link.episode.id],
                encode_text(one.fact),
            )
            for link, one in _list_evidence(links)
        ],
    )


def _list_evidence(links: Iterable[EpisodeLinks]) -> list[tuple[EpisodeLinks, EntityRelation]]:
    return [
        (link, one) for link in links for one in link.relations if one.episode_id == link.episode.id
    ]
