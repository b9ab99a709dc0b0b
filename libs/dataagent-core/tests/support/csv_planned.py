"""How a CSV file is read, and its rows, without a process around."""

from pathlib import Path
from typing import Any

import duckdb

from dataagent_core.tools.data.worker_programs.duckdb_worker.duckdb_csv import read_csv_plan
from dataagent_core.tools.data.worker_programs.duckdb_worker.table_read_plan import (
    ReadLessons,
    TableReadPlan,
)


def planned(path: Path, what: str = "count(*)") -> tuple[TableReadPlan, list[tuple[Any, ...]]]:
    """Give how a file is read, and what is selected from it."""
    connection = duckdb.connect(config={"threads": 1})
    spare = str(path.with_suffix(".spare"))
    reading = read_csv_plan(connection, str(path), "", spare, ReadLessons())
    try:
        rows = connection.execute(f"SELECT {what} FROM ({reading.select})").fetchall()
    except duckdb.Error:
        reading = read_csv_plan(connection, str(path), "", spare, ReadLessons(step=1))
        rows = connection.execute(f"SELECT {what} FROM ({reading.select})").fetchall()
    return reading, rows
