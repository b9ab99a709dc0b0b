"""Removes episodes, entities and whole scopes, with all that rests on them alone.

What is left of an entity or a relation has no word that only a removed episode had. Communities
that knew one of the entities are removed: their summaries may quote what is gone.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from dataagent_core.memory.graph.entity_names import keep_names
from dataagent_core.memory.graph.sql.community_rows import remove_rows
from dataagent_core.memory.graph.sql.entity_rows import read_numbered, replace_entity
from dataagent_core.memory.graph.sql.graph_rows import decode_json
from dataagent_core.memory.graph.sql.graph_view import GraphView, select_in, split
from dataagent_core.session.stores.sql.dialect import placeholders

_MILLI: Final = 1_000
# In an order in which nothing refers to what is gone.
_TABLES: Final = (
    "graph_mentions",
    "graph_evidence",
    "graph_relations",
    "graph_names",
    "graph_communities",
    "graph_entities",
    "graph_episodes",
)


@dataclass(frozen=True, slots=True)
class RemovedEpisodes:
    """How many rows of which table went, and the ids of entities that went or were renamed."""

    counts: Counter[str]
    gone: list[str]
    renamed: list[str]


def remove_episodes(view: GraphView, numbers: Sequence[int]) -> RemovedEpisodes:
    """Remove episodes with all that rests on them alone."""
    counts: Counter[str] = Counter()
    mentions = _select(view, "graph_mentions", "entity_no", "episode_no", numbers)
    touched = list(dict.fromkeys(row[0] for row in mentions))
    resting = _select(view, "graph_evidence", "relation_no", "episode_no", numbers)
    counts["graph_evidence"] = _delete(view, "graph_evidence", "episode_no", numbers)
    counts["graph_mentions"] = _delete(view, "graph_mentions", "episode_no", numbers)
    counts["graph_relations"] = _drop_relations(view, Counter(row[0] for row in resting))
    counts["graph_episodes"] = _delete(view, "graph_episodes", "number", numbers)
    rows = _select(view, "graph_mentions", "entity_no", "entity_no", touched)
    left = {row[0] for row in rows}
    stay = [one for one in touched if one in left]
    gone = [one for one in touched if one not in left]
    gone_ids = list(view.find_ids("graph_entities", gone).values())
    counts += remove_entities(view, gone)
    counts["graph_communities"] += _dissolve(view, stay)
    return RemovedEpisodes(counts, gone_ids, _rename(view, stay))


def remove_entities(view: GraphView, numbers: Sequence[int]) -> Counter[str]:
    """Remove entities with their relations and mentions; return the counts."""
    counts: Counter[str] = Counter()
    counts["graph_communities"] = _dissolve(view, numbers)
    relations = [
        row[0]
        for end in ("source_no", "target_no")
        for row in _select(view, "graph_relations", "number", end, numbers)
    ]
    counts["graph_evidence"] = _delete(view, "graph_evidence", "relation_no", relations)
    counts["graph_relations"] = _delete(view, "graph_relations", "number", relations)
    counts["graph_mentions"] = _delete(view, "graph_mentions", "entity_no", numbers)
    counts["graph_names"] = _delete(view, "graph_names", "entity_no", numbers)
    counts["graph_entities"] = _delete(view, "graph_entities", "number", numbers)
    return counts


def remove_scopes(view: GraphView) -> Counter[str]:
    """Remove everything of the view's scopes."""
    return Counter(
        {
            table: view.connection.execute(
                f"DELETE FROM {table} WHERE tenant_id = ? AND {view.within(searched=True)}",
                [view.tenant_id, *view.scope_numbers],
            ).rowcount
            for table in _TABLES
        }
    )


def _drop_relations(view: GraphView, lost: Counter[int]) -> int:
    """Remove relations that no episode says any longer; the others get the words of the last."""
    left: dict[int, tuple[int, object]] = {}
    evidence = _select(
        view, "graph_evidence", "relation_no, episode_no, fact", "relation_no", [*lost]
    )
    for relation_no, episode_no, fact in evidence:
        if relation_no not in left or left[relation_no][0] < episode_no:
            left[relation_no] = (episode_no, fact)
    for relation_no, (episode_no, fact) in left.items():
        view.connection.execute(
            "UPDATE graph_relations SET episode_no = ?, fact = ?, weight_milli = "
            "CASE WHEN weight_milli > ? THEN weight_milli - ? ELSE weight_milli END "
            "WHERE number = ?",
            [episode_no, fact, *[lost[relation_no] * _MILLI] * 2, relation_no],
        )
    return _delete(view, "graph_relations", "number", [one for one in lost if one not in left])


def _rename(view: GraphView, numbers: Sequence[int]) -> list[str]:
    renamed: list[str] = []
    names: dict[int, set[str]] = {number: set() for number in numbers}
    for number, found in _select(view, "graph_mentions", "entity_no, names", "entity_no", numbers):
        names[number] |= set(decode_json(found))
    scope_numbers = {scope: number for number, scope in view.scopes.items()}
    for number, entity in read_numbered(view, numbers).items():
        kept = keep_names(entity, names[number])
        if kept != entity:
            replace_entity(view.connection, kept, scope_numbers[entity.scope], number)
            renamed.append(entity.id)
    return renamed


def _dissolve(view: GraphView, entities: Sequence[int]) -> int:
    rows = _select(view, "graph_entities", "DISTINCT community_no", "number", entities)
    return remove_rows(view, list({row[0] for row in rows if row[0] is not None}))


def _select(
    view: GraphView, table: str, columns: str, key: str, numbers: Sequence[int]
) -> list[Any]:
    statement = f"SELECT {columns} FROM {table} WHERE {key} IN ({{}}) AND {view.within()}"
    return select_in(view, statement, numbers, view.scope_numbers)


def _delete(view: GraphView, table: str, key: str, numbers: Sequence[int]) -> int:
    return sum(
        view.connection.execute(
            f"DELETE FROM {table} WHERE {key} IN ({placeholders(len(some))}) AND {view.within()}",
            [*some, *view.scope_numbers],
        ).rowcount
        for some in split(list(dict.fromkeys(numbers)))
    )
