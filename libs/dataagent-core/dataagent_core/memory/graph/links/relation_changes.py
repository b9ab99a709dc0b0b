"""What a statement changes of relations: one begins, is said again, or ends. Pure.

What was said before the known one began does not end it: it ends where the known one began. What
strangers write never ends what a person has said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dataagent_core.memory.graph.extraction.extraction import ExtractedRelation
from dataagent_core.memory.graph.graph_values import EntityRelation, Episode
from dataagent_core.memory.graph.links.relation_kinds import find_kind, is_single


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedRelation:
    """A relation that an episode states, between entities of the graph."""

    found: ExtractedRelation
    source_id: str
    target_id: str
    # Of the relation, if it is a new one.
    new_id: str
    episode: Episode
    now: datetime


def change_relations(
    statement: StatedRelation, known: Sequence[EntityRelation]
) -> list[EntityRelation]:
    """Return the relations that are new or changed; `known` are those of the source."""
    found, kind = statement.found, find_kind(statement.found.name)
    current = [
        one
        for one in known
        if one.source_id == statement.source_id
        and one.valid_to is None
        and one.retired_at is None
        and find_kind(one.name) == kind
    ]
    same = next((one for one in current if one.target_id == statement.target_id), None)
    since = found.valid_from or statement.episode.created_at
    if found.ends:
        if same is None or statement.episode.is_tainted:
            return []
        return [replace(same, valid_to=max(same.valid_from, since))]
    if same is not None:
        is_new = same.episode_id != statement.episode.id
        return [_say_again(same, statement, since)] if is_new else []
    new = _begin(statement, since)
    if not is_single(kind) or statement.episode.is_tainted:
        return [new]
    # What was said later counts, even of an earlier moment: "I moved last week".
    said_at = statement.episode.created_at
    later = [max(since, one.valid_from) for one in current if one.valid_from > said_at]
    ended = [
        replace(one, valid_to=max(one.valid_from, since))
        for one in current
        if one.valid_from <= said_at
    ]
    return [replace(new, valid_to=min(later, default=None)), *ended]


def _say_again(known: EntityRelation, statement: StatedRelation, since: datetime) -> EntityRelation:
    return replace(
        known,
        weight=known.weight + 1,
        fact=statement.found.fact,
        episode_id=statement.episode.id,
        valid_from=min(known.valid_from, since),
    )


def _begin(statement: StatedRelation, since: datetime) -> EntityRelation:
    return EntityRelation(
        id=statement.new_id,
        scope=statement.episode.scope,
        source_id=statement.source_id,
        target_id=statement.target_id,
        name=statement.found.name,
        fact=statement.found.fact,
        weight=1.0,
        episode_id=statement.episode.id,
        valid_from=since,
        recorded_at=statement.now,
    )
