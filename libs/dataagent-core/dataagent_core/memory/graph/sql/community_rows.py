"""Communities in an SQL database. What is as before is not written again."""

from collections.abc import Mapping, Sequence
from typing import Final

from dataagent_core.memory.graph.graph_values import Community
from dataagent_core.memory.graph.sql.graph_rows import (
    COMMUNITY_COLUMNS,
    make_community_row,
    read_community,
)
from dataagent_core.memory.graph.sql.graph_view import GraphView, split
from dataagent_core.session.stores.sql.connection import insert_rows
from dataagent_core.session.stores.sql.dialect import insert, placeholders

_COLUMNS: Final = ", ".join(COMMUNITY_COLUMNS)


def list_communities(view: GraphView) -> list[Community]:
    """Return communities, the largest first."""
    rows = view.connection.execute(
        f"SELECT {_COLUMNS} FROM graph_communities WHERE {view.within(searched=True)} "
        "ORDER BY member_count DESC, number",
        view.scope_numbers,
    ).fetchall()
    return [read_community(row, view.scopes[row[1]]) for row in rows]


def read_members(view: GraphView) -> dict[str, str]:
    """Return the community of each entity that has one."""
    rows = view.connection.execute(
        "SELECT n.id, c.id FROM graph_entities n "
        f"JOIN graph_communities c ON c.number = n.community_no "
        f"WHERE {view.within('n', searched=True)}",
        view.scope_numbers,
    )
    return dict(rows.fetchall())


def save_communities(
    view: GraphView, communities: Sequence[tuple[Community, Sequence[str]]]
) -> None:
    """Replace the communities of the view's one scope."""
    (scope_no,) = view.scopes
    stored = {one.id: one for one in list_communities(view)}
    wanted = {one.id: one for one, _ in communities}
    changed = [one for one in wanted.values() if stored.get(one.id) != one]
    remove_rows(
        view,
        list(
            view.find_numbers(
                "graph_communities",
                [one for one in stored if one not in wanted]
                + [one.id for one in changed if one.id in stored],
            ).values()
        ),
    )
    insert_rows(
        view.connection,
        insert("graph_communities", COMMUNITY_COLUMNS),
        [make_community_row(one, scope_no, view.connection.dialect) for one in changed],
    )
    numbers = view.find_numbers("graph_communities", list(wanted))
    _move_members(
        view, {member: numbers[one.id] for one, members in communities for member in members}
    )


def remove_rows(view: GraphView, numbers: Sequence[int]) -> int:
    """Remove communities; their members are of none from now on."""
    for some in split(numbers):
        marks = placeholders(len(some))
        for statement in (
            f"UPDATE graph_entities SET community_no = NULL WHERE community_no IN ({marks})",
            f"DELETE FROM graph_communities WHERE number IN ({marks})",
        ):
            view.connection.execute(
                f"{statement} AND {view.within()}", [*some, *view.scope_numbers]
            )
    return len(numbers)


def _move_members(view: GraphView, wanted: Mapping[str, int]) -> None:
    rows = view.connection.execute(
        f"SELECT id, number, community_no FROM graph_entities WHERE {view.within(searched=True)}",
        view.scope_numbers,
    ).fetchall()
    moved = [
        (wanted.get(entity_id), number)
        for entity_id, number, community_no in rows
        if wanted.get(entity_id) != community_no
    ]
    if moved:
        view.connection.executemany(
            "UPDATE graph_entities SET community_no = ? WHERE number = ?", moved
        )
