"""Relations in an SQL database, and walks over them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from dataagent_core.config.limits.graph import NEAR_EDGES_MAX, NEAR_FRONTIER_MAX
from dataagent_core.memory.graph.graph_values import EntityRelation, NearEntity
from dataagent_core.memory.graph.nearness import keep_nearest, take_step
from dataagent_core.memory.graph.sql.graph_rows import read_relation
from dataagent_core.memory.graph.sql.graph_view import GraphView
from dataagent_core.session.stores.sql.dialect import placeholders

_SELECT: Final = (
    "SELECT r.scope_no, r.number, r.id, s.id, t.id, r.name, r.fact, r.weight_milli, e.id, "
    "r.valid_from, r.valid_to, r.recorded_at, r.retired_at FROM graph_relations r "
    "JOIN graph_entities s ON s.number = r.source_no "
    "JOIN graph_entities t ON t.number = r.target_no "
    "LEFT JOIN graph_episodes e ON e.number = r.episode_no"
)


def list_relations(
    view: GraphView,
    entity_ids: Sequence[str],
    *,
    as_of: datetime | None,
    now: datetime,
    with_past: bool,
    limit: int,
) -> list[EntityRelation]:
    """Return relations from or to entities, those of most weight first."""
    numbers = list(view.find_numbers("graph_entities", entity_ids).values())
    time, moments = ("1 = 1", []) if with_past else view.holds_at(as_of, now)
    marks = placeholders(len(numbers))
    if not numbers:
        return []
    chosen = " UNION ".join(
        f"SELECT number FROM graph_relations WHERE {end} IN ({marks}) AND {view.within()} "
        f"AND {time}"
        for end in ("source_no", "target_no")
    )
    rows = view.connection.execute(
        f"{_SELECT} JOIN ({chosen}) AS chosen ON chosen.number = r.number "
        "ORDER BY r.weight_milli DESC, r.number LIMIT ?",
        [*[*numbers, *view.scope_numbers, *moments] * 2, limit],
    ).fetchall()
    return [read_relation(row[2:], view.scopes[row[0]]) for row in rows]


def find_near(
    view: GraphView,
    seeds: Mapping[str, float],
    *,
    hops: int,
    as_of: datetime | None,
    now: datetime,
    limit: int,
) -> list[NearEntity]:
    """Walk from entities over relations and return what is near, the nearest first."""
    numbers = view.find_numbers("graph_entities", list(seeds))
    nearness = {number: min(1.0, seeds[one]) for one, number in numbers.items()}
    frontier = keep_nearest(nearness, NEAR_FRONTIER_MAX)
    for _ in range(hops):
        if not frontier:
            break
        reached = take_step(nearness, frontier, _read_edges(view, frontier, as_of, now))
        nearness |= reached
        frontier = keep_nearest(reached, NEAR_FRONTIER_MAX)
    nearest = keep_nearest(nearness, limit)
    ids = view.find_ids("graph_entities", nearest)
    return [NearEntity(ids[number], nearness[number]) for number in nearest if number in ids]


def count_edges(view: GraphView, now: datetime) -> list[tuple[str, str, float]]:
    """Return pairs of entities with the weight of what joins them now."""
    time, moments = view.holds_at(None, now)
    ids = dict(
        view.connection.execute(
            f"SELECT number, id FROM graph_entities WHERE {view.within(searched=True)}",
            view.scope_numbers,
        ).fetchall()
    )
    weights: dict[tuple[str, str], int] = {}
    for source, target, weight in view.connection.execute(
        f"SELECT source_no, target_no, weight_milli FROM graph_relations "
        f"WHERE {view.within(searched=True)} AND {time}",
        [*view.scope_numbers, *moments],
    ):
        if source != target and source in ids and target in ids:
            one, other = sorted((ids[source], ids[target]))
            weights[one, other] = weights.get((one, other), 0) + weight
    return [(one, other, milli / 1_000) for (one, other), milli in sorted(weights.items())]


def _read_edges(
    view: GraphView, frontier: Sequence[int], as_of: datetime | None, now: datetime
) -> list[tuple[int, int, float]]:
    time, moments = view.holds_at(as_of, now)
    marks = placeholders(len(frontier))
    edges: dict[int, tuple[int, int, float]] = {}
    for end in ("source_no", "target_no"):
        rows: Sequence[Any] = view.connection.execute(
            f"SELECT number, source_no, target_no, weight_milli FROM graph_relations "
            f"WHERE {end} IN ({marks}) AND {view.within()} AND {time} "
            "ORDER BY weight_milli DESC, number LIMIT ?",
            [*frontier, *view.scope_numbers, *moments, NEAR_EDGES_MAX],
        ).fetchall()
        edges |= {row[0]: (row[1], row[2], row[3] / 1_000) for row in rows}
    return list(edges.values())
