"""Parses a worker's JSON into the values of `data_model.py`."""

from collections.abc import Mapping
from typing import Any

from dataagent_core.tools.data.data_model import Column, ColumnProfile, Table


def parse_table(given: Mapping[str, Any]) -> Table:
    """Parse a table; fields the engine does not know are absent."""
    columns: Any = tuple(Column(**column) for column in given["columns"])
    notes: Any = tuple(given.get("notes", ()))
    return Table(**{**given, "columns": columns, "notes": notes})


def parse_profile(given: Mapping[str, Any]) -> ColumnProfile:
    """Parse the profile of a column."""
    top: Any = tuple((value, count) for value, count in given["top"])
    samples: Any = tuple(given["samples"])
    return ColumnProfile(**{**given, "top": top, "samples": samples})
