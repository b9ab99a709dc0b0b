"""Entities and their names in an SQL database."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from dataagent_core.memory.graph.graph_values import Entity, Mention
from dataagent_core.memory.graph.sql.graph_rows import (
    ENTITY_COLUMNS,
    decode_json,
    make_entity_row,
    read_entity,
)
from dataagent_core.memory.graph.sql.graph_view import GraphView, select_in
from dataagent_core.memory.sql.word_hash import hash_text
from dataagent_core.memory.text_digest import fold_text
from dataagent_core.session.stores.sql.connection import SqlConnection, insert_rows
from dataagent_core.session.stores.sql.dialect import insert

_SELECT: Final = (
    f"SELECT {', '.join(f'n.{name}' for name in ENTITY_COLUMNS)}, c.id FROM graph_entities n "
    "LEFT JOIN graph_communities c ON c.number = n.community_no"
)
_NAME_KEY_CHARS: Final = 100
_KEPT: Final = frozenset({"tenant_id", "scope_no", "id", "created_at"})
_SET: Final = tuple(name for name in ENTITY_COLUMNS if name not in _KEPT)
_UPDATE: Final = (
    f"UPDATE graph_entities SET {', '.join(f'{name} = ?' for name in _SET)} "
    "WHERE number = ? AND version = ?"
)
NAME_COLUMNS: Final = ("tenant_id", "scope_no", "name_hash", "entity_no")


def make_row(entity: Entity, scope_no: int, connection: SqlConnection) -> list[object]:
    """Return the values of an entity in the order of `ENTITY_COLUMNS`."""
    return make_entity_row(entity, scope_no, make_name_key(entity.name), connection.dialect)


def make_name_key(name: str) -> str:
    """Give the start of a name as entities are listed by it."""
    # PostgreSQL and MySQL index no NUL.
    return fold_text(name).replace("\0", " ")[:_NAME_KEY_CHARS]


def replace_entity(
    connection: SqlConnection, entity: Entity, scope_no: int, number: int
) -> Entity | None:
    """Replace an entity and its names over the version it was read as; `None` if it has another."""
    saved = replace(entity, version=entity.version + 1)
    row = dict(zip(ENTITY_COLUMNS, make_row(saved, scope_no, connection), strict=True))
    values = [*(row[name] for name in _SET), number, entity.version]
    if not connection.execute(_UPDATE, values).rowcount:
        return None
    connection.execute("DELETE FROM graph_names WHERE entity_no = ?", [number])
    insert_names(connection, [(saved, scope_no, number)])
    return saved


def insert_names(connection: SqlConnection, entities: Sequence[tuple[Entity, int, int]]) -> None:
    """Store the names of entities, each with the numbers of its scope and of itself."""
    rows = {
        (entity.scope.tenant_id, scope_no, hash_text(fold_text(name)), number): None
        for entity, scope_no, number in entities
        for name in (entity.name, *entity.aliases)
    }
    insert_rows(connection, insert("graph_names", NAME_COLUMNS), list(rows))


def read_entities(view: GraphView, ids: Sequence[str]) -> list[Entity]:
    """Return entities, in the order asked for."""
    found = {
        one.id: one
        for one in _select(view, "n.id IN ({}) AND n.tenant_id = ?", ids, [view.tenant_id])
    }
    return [found[one] for one in dict.fromkeys(ids) if one in found]


def read_numbered(view: GraphView, numbers: Sequence[int]) -> dict[int, Entity]:
    """Return entities by their numbers."""
    ids = view.find_ids("graph_entities", numbers)
    entities = {one.id: one for one in read_entities(view, list(ids.values()))}
    return {number: entities[one] for number, one in ids.items() if one in entities}


def find_named(view: GraphView, names: Sequence[str]) -> list[Entity]:
    """Return entities by name or alias."""
    wanted = {fold_text(name) for name in names}
    rows = select_in(
        view,
        "SELECT DISTINCT entity_no FROM graph_names WHERE name_hash IN ({}) "
        f"AND {view.within(searched=True)}",
        list({hash_text(name) for name in wanted}),
        view.scope_numbers,
    )
    found = _select(view, "n.number IN ({})", list({row[0] for row in rows}))
    # Two names may share a hash.
    same = [one for one in found if wanted & {fold_text(name) for name in (one.name, *one.aliases)}]
    return sorted(same, key=lambda one: (fold_text(one.name), one.id))


def list_entities(
    view: GraphView,
    *,
    entity_type: str | None,
    community_id: str | None,
    limit: int,
    after: str | None,
) -> list[Entity]:
    """Return entities by name."""
    values = list[Any](view.scope_numbers)
    wanted = view.within("n", searched=community_id is None)
    if entity_type is not None:
        wanted += " AND n.type = ?"
        values.append(entity_type)
    if community_id is not None:
        wanted += " AND c.id = ?"
        values.append(community_id)
    if after is not None:
        last = view.connection.execute(
            f"SELECT name_key, number FROM graph_entities WHERE tenant_id = ? AND id = ? "
            f"AND {view.within()}",
            [view.tenant_id, after, *view.scope_numbers],
        ).fetchone()
        if last is None:
            return []
        wanted += " AND (n.name_key > ? OR (n.name_key = ? AND n.number > ?))"
        values += [last[0], last[0], last[1]]
    rows = view.connection.execute(
        f"{_SELECT} WHERE {wanted} ORDER BY n.name_key, n.number LIMIT ?", [*values, limit]
    ).fetchall()
    return [_read(view, row) for row in rows]


def list_mentions(
    view: GraphView, column: str, numbers: Sequence[int], limit: int
) -> list[Mention]:
    """Return the mentions of entities or by episodes, the newest episodes first."""
    rows = select_in(
        view,
        "SELECT e.created_at, e.number, e.id, n.id, m.names FROM graph_mentions m "
        "JOIN graph_episodes e ON e.number = m.episode_no "
        "JOIN graph_entities n ON n.number = m.entity_no "
        f"WHERE m.{column} IN ({{}}) AND {view.within('m')} "
        "ORDER BY e.created_at DESC, e.number DESC, n.number LIMIT ?",
        numbers,
        [*view.scope_numbers, limit],
    )
    # They were read in parts.
    rows.sort(key=lambda row: (row[0], row[1]), reverse=True)
    return [
        Mention(episode_id=row[2], entity_id=row[3], names=tuple(decode_json(row[4])))
        for row in rows[:limit]
    ]


def count_entities(view: GraphView) -> tuple[int, int]:
    """Return how many entities there are, and how many of them are of no community."""
    row = view.connection.execute(
        f"SELECT COUNT(*), COUNT(community_no) FROM graph_entities "
        f"WHERE {view.within(searched=True)}",
        view.scope_numbers,
    ).fetchone()
    return row[0], row[0] - row[1]


def find_linked(view: GraphView, community_id: str | None, limit: int) -> list[Entity]:
    """Return entities, those of most relations first."""
    values = list[Any](view.scope_numbers)
    wanted = view.within("r", searched=community_id is None)
    if community_id is not None:
        number = view.find_numbers("graph_communities", [community_id]).get(community_id, -1)
        wanted += " AND n.community_no = ?"
        values.append(number)
    ends = " UNION ALL ".join(
        f"SELECT r.{end} AS entity_no FROM graph_entities n "
        f"JOIN graph_relations r ON r.{end} = n.number WHERE {wanted} AND r.retired_at IS NULL"
        for end in ("source_no", "target_no")
    )
    rows = view.connection.execute(
        f"SELECT entity_no, COUNT(*) AS links FROM ({ends}) AS ends GROUP BY entity_no "
        "ORDER BY links DESC, entity_no LIMIT ?",
        [*values, *values, limit],
    ).fetchall()
    numbers = [row[0] for row in rows]
    found = read_numbered(view, numbers)
    linked = [found[number] for number in numbers if number in found]
    if len(linked) < limit:
        # Those without a relation are shown as long as there is room.
        shown = {one.id for one in linked}
        rest = list_entities(
            view, entity_type=None, community_id=community_id, limit=limit, after=None
        )
        linked += [one for one in rest if one.id not in shown][: limit - len(linked)]
    return linked


def _select(
    view: GraphView, condition: str, values: Sequence[Any], more: Sequence[Any] = ()
) -> list[Entity]:
    statement = f"{_SELECT} WHERE {condition} AND {view.within('n')}"
    rows = select_in(view, statement, values, [*more, *view.scope_numbers])
    return [_read(view, row) for row in rows]


def _read(view: GraphView, row: Sequence[Any]) -> Entity:
    return read_entity(row, view.scopes[row[1]])
