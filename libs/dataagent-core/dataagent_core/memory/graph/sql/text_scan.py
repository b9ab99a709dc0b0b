"""Counts the rows of a user that hold a text: the proof that it is gone."""

import json
from collections.abc import Sequence
from typing import Final

from dataagent_core.memory.graph.sql.episode_rows import contains
from dataagent_core.memory.graph.sql.graph_tables import GRAPH_TABLES
from dataagent_core.memory.graph.sql.graph_view import GraphView
from dataagent_core.session.stores.sql.dialect import encode_text

_COLUMNS: Final = {
    table.name: [name for name, column in table.columns.items() if column.kind == "any_text"]
    for table in GRAPH_TABLES
}


def scan_text(view: GraphView, text: str) -> dict[str, int]:
    """Count rows by table; a table without one is left out."""
    # In JSON its quotes, backslashes and breaks of lines are escaped.
    forms = {encode_text(text), encode_text(json.dumps(text, ensure_ascii=False)[1:-1])}
    counts = {
        table: _count(view, table, columns, list(forms)) for table, columns in _COLUMNS.items()
    }
    return {table: count for table, count in counts.items() if count}


def _count(view: GraphView, table: str, columns: Sequence[str], forms: Sequence[bytes]) -> int:
    if not columns:
        return 0
    conditions = [contains(view.connection, column) for column in columns for _ in forms]
    return view.connection.execute(
        f"SELECT COUNT(*) FROM {table} "
        f"WHERE {view.within(searched=True)} AND ({' OR '.join(conditions)})",
        [*view.scope_numbers, *(form for _ in columns for form in forms)],
    ).fetchone()[0]
