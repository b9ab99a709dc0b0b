"""From a worker's JSON to the words of `model.py`."""

from collections.abc import Mapping
from typing import Any

from dataagent_core.tools.data.data_model import Column, ColumnProfile, Table


def parse_table(given: Mapping[str, Any]) -> Table:
    """Read a table; what its engine does not know is left out."""
    columns: Any = tuple(Column(**column) for column in given["columns"])
    notes: Any = tuple(given.get("notes", ()))
    return Table(**{**given, "columns": columns, "notes": notes})


def parse_profile(given: Mapping[str, Any]) -> ColumnProfile:
    """Read what was seen of a column."""
    top: Any = tuple((value, count) for value, count in given["top"])
    samples: Any = tuple(given["samples"])
    return ColumnProfile(**{**given, "top": top, "samples": samples})
