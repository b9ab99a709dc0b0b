"""A server's catalogue put together from its rows, and given out in pages a pipe can carry."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Key = tuple[str, str]


def _nothing() -> list[Any]:
    return []


@dataclass(slots=True)
class CataloguePages:
    """A whole catalogue; a page is as many of its tables as fit an answer."""

    tables: list[dict[str, Any]] = field(default_factory=_nothing)
    default_schema: str = ""
    notes: list[str] = field(default_factory=_nothing)

    def page(self, offset: int, reply_bytes_max: int) -> dict[str, Any]:
        """Give the tables from `offset` on; `next` says where the next page begins."""
        # Half of it, because what is measured here is written again with other quotes around it.
        room_bytes, given = reply_bytes_max // 2, list[dict[str, Any]]()
        for table in self.tables[offset:]:
            room_bytes -= len(json.dumps(table))
            if given and room_bytes < 0:
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
    """Give each table its columns and each column its keys; tables past the limit are left out."""
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
