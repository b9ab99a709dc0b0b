"""How a CSV file is read, and its rows, without a process around."""

from pathlib import Path
from typing import Any

import duckdb

from dataagent_core.tools.data.inside.duckdb_csv import read_csv_plan
from dataagent_core.tools.data.inside.reading import Learned, Reading


def planned(path: Path, what: str = "count(*)") -> tuple[Reading, list[tuple[Any, ...]]]:
    """Give how a file is read, and what is selected from it."""
    connection = duckdb.connect(config={"threads": 1})
    spare = str(path.with_suffix(".spare"))
    reading = read_csv_plan(connection, str(path), "", spare, Learned())
    try:
        rows = connection.execute(f"SELECT {what} FROM ({reading.select})").fetchall()
    except duckdb.Error:
        reading = read_csv_plan(connection, str(path), "", spare, Learned(step=1))
        rows = connection.execute(f"SELECT {what} FROM ({reading.select})").fetchall()
    return reading, rows
