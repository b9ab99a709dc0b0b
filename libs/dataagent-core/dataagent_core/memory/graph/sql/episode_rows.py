"""Episodes in an SQL database."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.memory.graph.graph_values import Episode, EpisodeState
from dataagent_core.memory.graph.sql.graph_rows import (
    EPISODE_COLUMNS,
    make_episode_row,
    read_episode,
)
from dataagent_core.memory.graph.sql.graph_view import GraphView, select_in
from dataagent_core.memory.sql.scope_numbers import read_scopes
from dataagent_core.session.stores.sql.connection import SqlConnection
from dataagent_core.session.stores.sql.dialect import encode_text

_COLUMNS: Final = ", ".join(f"e.{name}" for name in EPISODE_COLUMNS)
_KEPT: Final = frozenset({"tenant_id", "scope_no", "id", "content", "session_id", "created_at"})
_SET: Final = tuple(name for name in EPISODE_COLUMNS if name not in _KEPT)
_UPDATE: Final = (
    f"UPDATE graph_episodes SET {', '.join(f'{name} = ?' for name in _SET)} "
    "WHERE tenant_id = ? AND id = ? AND scope_no = ? AND version = ?"
)
_WAITING: Final = ("received", "extracted", "linked")
_CONTAINS: Final = {
    "sqlite": "instr({}, ?) > 0",
    "mysql": "LOCATE(?, {}) > 0",
    "postgresql": "position(CAST(? AS bytea) IN {}) > 0",
}


def contains(connection: SqlConnection, column: str) -> str:
    """Write the condition that a column of bytes holds some, letter by letter."""
    return _CONTAINS[connection.dialect.name].format(column)


def read_episodes(view: GraphView, ids: Sequence[str]) -> list[Episode]:
    """Return episodes, in the order asked for."""
    rows = select_in(
        view,
        f"SELECT {_COLUMNS} FROM graph_episodes e WHERE e.id IN ({{}}) AND e.tenant_id = ? "
        f"AND {view.within('e')}",
        list(dict.fromkeys(ids)),
        [view.tenant_id, *view.scope_numbers],
    )
    found = {row[2]: _read(view, row) for row in rows}
    return [found[one] for one in dict.fromkeys(ids) if one in found]


def list_episodes(
    view: GraphView,
    *,
    state: EpisodeState | None,
    entity_id: str | None,
    session_id: str | None,
    limit: int,
    after: str | None,
) -> list[Episode]:
    """Return episodes, the newest first."""
    tables, values = "graph_episodes e", list[Any](view.scope_numbers)
    wanted = view.within("e", searched=entity_id is None)
    if entity_id is not None:
        number = view.find_numbers("graph_entities", [entity_id]).get(entity_id)
        tables += " JOIN graph_mentions m ON m.episode_no = e.number"
        wanted += " AND m.entity_no = ?"
        values.append(-1 if number is None else number)
    for column, value in (("state", state), ("session_id", session_id)):
        if value is not None:
            wanted += f" AND e.{column} = ?"
            values.append(value)
    if after is not None:
        last = view.connection.execute(
            f"SELECT created_at, number FROM graph_episodes WHERE tenant_id = ? AND id = ? "
            f"AND {view.within()}",
            [view.tenant_id, after, *view.scope_numbers],
        ).fetchone()
        if last is None:
            return []
        wanted += " AND (e.created_at < ? OR (e.created_at = ? AND e.number < ?))"
        values += [last[0], last[0], last[1]]
    rows = view.connection.execute(
        f"SELECT {_COLUMNS} FROM {tables} WHERE {wanted} "
        "ORDER BY e.created_at DESC, e.number DESC LIMIT ?",
        [*values, limit],
    ).fetchall()
    return [_read(view, row) for row in rows]


def find_episodes_with(view: GraphView, text: str, limit: int) -> list[str]:
    """Return ids of episodes that hold a text."""
    rows = view.connection.execute(
        f"SELECT id FROM graph_episodes WHERE {view.within(searched=True)} "
        f"AND {contains(view.connection, 'content')} ORDER BY number LIMIT ?",
        [*view.scope_numbers, encode_text(text), limit],
    )
    return [row[0] for row in rows]


def find_unfinished(
    connection: SqlConnection, tenant_id: str, limit: int, tried_before: datetime | None
) -> list[Episode]:
    """Return episodes of all scopes that wait, the first stored ones first."""
    is_due = ""
    moments: list[Any] = []
    if tried_before is not None:
        is_due = "AND (e.attempts = 0 OR e.updated_at <= ?) "
        moments = [connection.dialect.moment(tried_before)]
    # A part for each state, because each is a range of the index.
    parts = " UNION ALL ".join(
        f"SELECT * FROM (SELECT {_COLUMNS}, e.number FROM graph_episodes e WHERE e.tenant_id = ? "
        f"AND e.state = ? {is_due}ORDER BY e.number LIMIT ?) AS waiting_{state}"
        for state in _WAITING
    )
    values = [value for state in _WAITING for value in (tenant_id, state, *moments, limit)]
    rows = sorted(connection.execute(parts, values).fetchall(), key=lambda row: row[-1])[:limit]
    scopes = read_scopes(connection, tenant_id, list({row[1] for row in rows}))
    return [read_episode(row[:-1], scopes[row[1]]) for row in rows]


def find_used_scopes(view: GraphView) -> list[int]:
    """Return the numbers of scopes with episodes or entities."""
    rows = view.connection.execute(
        f"SELECT scope_no FROM graph_episodes WHERE {view.within(searched=True)} "
        f"UNION SELECT scope_no FROM graph_entities WHERE {view.within(searched=True)}",
        view.scope_numbers * 2,
    )
    return sorted(row[0] for row in rows)


def update_episode(connection: SqlConnection, episode: Episode, scope_no: int) -> Episode:
    """Replace an episode over the version it was read as, and return it with its new one."""
    saved = replace(episode, version=episode.version + 1)
    row = dict(
        zip(EPISODE_COLUMNS, make_episode_row(saved, scope_no, connection.dialect), strict=True)
    )
    changed = connection.execute(
        _UPDATE,
        [*(row[name] for name in _SET), row["tenant_id"], saved.id, scope_no, episode.version],
    ).rowcount
    if changed:
        return saved
    stored = connection.execute(
        "SELECT version FROM graph_episodes WHERE tenant_id = ? AND id = ? AND scope_no = ?",
        [row["tenant_id"], saved.id, scope_no],
    ).fetchone()
    if stored is None:
        raise NotFoundError(f"There is no episode {episode.id}: it was removed meanwhile.")
    raise ConflictError(
        f"The episode {episode.id} was changed meanwhile: it has version {stored[0]}, and yours is "
        f"of version {episode.version}. Read it again."
    )


def _read(view: GraphView, row: Sequence[Any]) -> Episode:
    return read_episode(row, view.scopes[row[1]])
