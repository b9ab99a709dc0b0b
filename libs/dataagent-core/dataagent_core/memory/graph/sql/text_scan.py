"""Counts the rows of a user that hold a text as whole words: the proof that it is gone."""

import json
from collections.abc import Sequence
from typing import Final

from dataagent_core.memory.graph.sql.episode_rows import contains
from dataagent_core.memory.graph.sql.graph_tables import GRAPH_TABLES
from dataagent_core.memory.graph.sql.graph_view import GraphView
from dataagent_core.memory.texts.whole_words import hold_stored_words
from dataagent_core.session.stores.sql.dialect import decode_text, encode_text

_COLUMNS: Final = {
    table.name: [name for name, column in table.columns.items() if column.kind == "any_text"]
    for table in GRAPH_TABLES
}


def scan_text(view: GraphView, text: str) -> dict[str, int]:
    """Count rows by table; a table without one is left out."""
    # In JSON its quotes, backslashes and breaks of lines are escaped.
    forms = {encode_text(text), encode_text(json.dumps(text, ensure_ascii=False)[1:-1])}
    counts = {
        table: _count(view, table, columns, text, list(forms))
        for table, columns in _COLUMNS.items()
    }
    return {table: count for table, count in counts.items() if count}


def _count(
    view: GraphView, table: str, columns: Sequence[str], text: str, forms: Sequence[bytes]
) -> int:
    if not columns:
        return 0
    conditions = [contains(view.connection, column) for column in columns for _ in forms]
    rows = view.connection.execute(
        f"SELECT {', '.join(columns)} FROM {table} "
        f"WHERE {view.within(searched=True)} AND ({' OR '.join(conditions)})",
        [*view.scope_numbers, *(form for _ in columns for form in forms)],
    )
    return sum(hold_stored_words(map(decode_text, filter(None, row)), text) for row in rows)
