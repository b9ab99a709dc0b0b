"""How a CSV file is read: its separator and heading by a look of our own, its types by DuckDB.

DuckDB reads with that separator and is strict: what it refuses is written anew first, every row as
wide as the heading, and what that took is noted. What a sample could not show (a word in the last
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

# What `Learned.step` means: read as it is, or written anew.
STEP_LAST = 1
# Only where it is needed: DuckDB's buffers grow with it.
_LONG_LINES = "max_line_size=16000000, buffer_size=64000000, parallel=false"
_NOTHING_WANTED = ValueChoice()


def read_csv_plan(
    connection: duckdb.DuckDBPyConnection,
    path: str,
    compression: str,
    spare: str,
    learned: ReadLessons,
    *,
    wanted: ValueChoice = _NOTHING_WANTED,
) -> TableReadPlan:
    """Find out how to read it; `spare` is where it may be written anew."""
    original = read_csv_text(path, compression, wanted.encoding)
    dialect = find_dialect(original.beginning)
    original = replace(original, delimiter=dialect.delimiter)
    if learned.step == 0 and not csv_repair.has_footer(original, dialect):
        with suppress(duckdb.Error):  # it is not as regular as DuckDB wants it
            text = original if original.is_known_to_duckdb else original.rewritten(spare)
            reading = read_columns(connection, text, dialect, as_text=learned.text, wanted=wanted)
            # A line in between that is none of the table's may be all that does not fit.
            if not reading.has_misfits or text.sample_rows > 0:
                return replace(reading, notes=original.notes)
    try:
        notes = csv_repair.repair_file(original, dialect, spare)
        text = replace(read_csv_text(spare, "", "utf-8"), delimiter=dialect.delimiter)
        reading = read_columns(
            connection,
            text,
            replace(dialect, delimiter=",", quote='"', skip=0),
            as_text=learned.text,
            wanted=wanted,
            more_options=[_LONG_LINES],
        )
    except (duckdb.Error, csv.Error) as error:
        said = str(error).partition("\n")[0]
        raise QuestionError(f"it cannot be read as a table: {said}") from error
    return replace(reading, notes=(*original.notes, *notes))
