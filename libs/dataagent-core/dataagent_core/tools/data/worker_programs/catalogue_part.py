"""Splits a long catalogue into parts that each fit into one reply."""

import json
from collections.abc import Iterable
from typing import Any

_PART_BYTES_MAX = 1_000_000
_COLUMNS_MAX = 10_000


def take_catalogue_part(described: Iterable[dict[str, Any] | str], start: int) -> dict[str, Any]:
    """Take descriptions, or notes on what cannot be described, until the reply is full.

    `described` begins at number `start`; `next` is the number to continue with, None at the end.
    """
    tables: list[dict[str, Any]] = []
    notes: list[str] = []
    size = 0
    for number, entry in enumerate(described, start):
        if size > _PART_BYTES_MAX:
            return {"tables": tables, "notes": notes, "next": number}
        if isinstance(entry, str):
            notes.append(entry)
            continue
        notes += entry.get("notes", ())
        if len(entry["columns"]) > _COLUMNS_MAX:
            notes.append(f"{entry['name']}: only the first {_COLUMNS_MAX} columns are listed")
            entry["columns"] = entry["columns"][:_COLUMNS_MAX]
        size += len(json.dumps(entry))
        tables.append(entry)
    return {"tables": tables, "notes": notes, "next": None}
