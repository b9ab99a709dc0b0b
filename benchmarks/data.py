"""Runs the benchmarks of the data tools and writes their section of RESULTS.md."""
# ruff: noqa: E501 (a row of a table is one line)

from datetime import UTC, datetime

import data_charts
import data_files
import data_guard
import data_preview
import data_reflection
from server_load import load_note

HEADING = "## Data"
TEMPLATE = """\
{heading}
Each figure beside its own baseline in the same run: pandas and polars, sqlglot alone, bare
vl-convert, SQLAlchemy's reflection, plain CSV (`benchmarks/data_files.py`, `data_guard.py`,
`data_charts.py`, `data_reflection.py`, `data_preview.py`), on {date}; {load}.

| figure | |
|---|--:|
{rows}
Aims: over 10 million rows of Parquet a group-by under 2 s and 300 MB, describe under 1 s, a sampled
profile under 5 s; 100 tables reflected under 2 s; a PNG under 1.5 s warm, a 10-page PDF under 5 s; a
preview within 1.3x the tokens of CSV; the guard under 3 ms a query at the median; a late query gone
within 1 s of its limit.
"""

BENCHMARKS = (data_files, data_guard, data_charts, data_reflection, data_preview)


def section() -> str:
    load = load_note()
    rows: list[str] = []
    for module in BENCHMARKS:
        print(f"measuring {module.__name__} ...", flush=True)
        rows += [f"| `{module.__name__}.{k}` | {v:.2f} |\n" for k, v in module.main().items()]
    date = datetime.now(UTC).date()
    return TEMPLATE.format(heading=HEADING, date=date, load=load, rows="".join(rows))
