"""Builds a server's catalogue from its rows, and splits it into pages for the pipe."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Key = tuple[str, str]


def _make_empty() -> list[Any]:
    return []


@dataclass(slots=True)
class CataloguePages:
    """A whole catalogue; a page has as many tables as fit into a reply."""

    tables: list[dict[str, Any]] = field(default_factory=_make_empty)
    default_schema: str = ""
    notes: list[str] = field(default_factory=_make_empty)

    def page(self, offset: int, reply_bytes_max: int) -> dict[str, Any]:
        """Return the tables from `offset`; `next` is the offset of the next page."""
        # Half of the limit, because the JSON measured here is escaped again.
        left_bytes, given = reply_bytes_max // 2, list[dict[str, Any]]()
        for table in self.tables[offset:]:
            left_bytes -= len(json.dumps(table))
            if given and left_bytes < 0:
                break
            given.append(table)
        after = offset + len(given)
        return {
            "tables": given,
            "next": after if after < len(self.tables) else None,
            "default_schema": self.default_schema,
            "notes": self.notes,
        }


def build_catalogue(
    relations: Iterable[dict[str, Any]],
    columns: Iterable[dict[str, Any]],
    primary: Iterable[tuple[Key, str]],
    foreign: Iterable[tuple[Key, str, str]],
    columns_max: int,
) -> CataloguePages:
    """Combine tables, columns and keys; tables past the limit are left out."""
    keys, targets = set(primary), {(table, column): to for table, column, to in foreign}
    by_table: dict[Key, list[dict[str, Any]]] = {}
    for column in columns:
        table = (column.pop("schema"), column.pop("table"))
        column["primary"] = (table, column["name"]) in keys
        column["references"] = targets.get((table, column["name"]))
        by_table.setdefault(table, []).append(column)
    pages, left_out = CataloguePages(), 0
    for relation in relations:
        own = by_table.get((relation["schema"], relation["name"]), [])
        columns_max -= len(own)
        if columns_max < 0:
            left_out += 1
        elif own:
            pages.tables.append({**relation, "columns": own})
    if left_out:
        pages.notes.append(
            f"{left_out} tables are left out: the source has more columns than a catalogue holds. "
            "Give it a login that sees only what is needed."
        )
    return pages
