"""Plans how a CSV file is read: we find its separator and heading, DuckDB its types.

DuckDB reads strictly with that separator. A file it refuses is rewritten first, with every row as
wide as the heading, and notes say what was changed. What a sample does not show (a word in the last
line of a column of numbers) is learned from the error of a query.
"""

import csv
from contextlib import suppress
from dataclasses import replace

import duckdb

from ..csv_reader import csv_repair
from ..csv_reader.csv_columns import read_columns
from ..csv_reader.csv_dialect import find_dialect
from ..csv_reader.csv_text import read_csv_text
from ..csv_reader.csv_values import ValueChoice
from ..question_server import QuestionError
from .table_read_plan import ReadLessons, TableReadPlan

# `ReadLessons.step`: 0 reads the file unchanged, 1 rewrites it.
STEP_LAST = 1
# Only if needed: DuckDB's buffers grow with it.
_LONG_LINES = "max_line_size=16000000, buffer_size=64000000, parallel=false"
_NO_CHOICE = ValueChoice()


def read_csv_plan(
    connection: duckdb.DuckDBPyConnection,
    path: str,
    compression: str,
    spare: str,
    learned: ReadLessons,
    *,
    wanted: ValueChoice = _NO_CHOICE,
) -> TableReadPlan:
    """Plan how to read the file; it may be rewritten to `spare`."""
    original = read_csv_text(path, compression, wanted.encoding)
    dialect = find_dialect(original.beginning)
    original = replace(original, delimiter=dialect.delimiter)
    if learned.step == 0 and not csv_repair.has_footer(original, dialect):
        with suppress(duckdb.Error):  # it is not regular enough for DuckDB
            text = original if original.is_known_to_duckdb else original.rewritten(spare)
            plan = read_columns(connection, text, dialect, as_text=learned.text, wanted=wanted)
            # A line that does not belong to the table may be the only misfit.
            if not plan.has_misfits or text.sample_rows > 0:
                return replace(plan, notes=original.notes)
    try:
        notes = csv_repair.repair_file(original, dialect, spare)
        text = replace(read_csv_text(spare, "", "utf-8"), delimiter=dialect.delimiter)
        plan = read_columns(
            connection,
            text,
            replace(dialect, delimiter=",", quote='"', skip=0),
            as_text=learned.text,
            wanted=wanted,
            more_options=[_LONG_LINES],
        )
    except (duckdb.Error, csv.Error) as error:
        message = str(error).partition("\n")[0]
        raise QuestionError(f"it cannot be read as a table: {message}") from error
    return replace(plan, notes=(*original.notes, *notes))
