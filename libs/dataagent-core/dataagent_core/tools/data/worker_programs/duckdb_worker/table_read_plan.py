"""The plan to read a file as a table, with notes for a person."""

from dataclasses import dataclass

from ..csv_reader.csv_dialect import CsvDialect


@dataclass(frozen=True, slots=True)
class ReadLessons:
    """What failed queries taught about a file."""

    step: int = 0
    text: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ColumnNote:
    """A note on one column."""

    column: str
    text: str


@dataclass(frozen=True, slots=True)
class TableReadPlan:
    """A SELECT that reads a file, with notes for a person."""

    select: str
    columns: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    column_notes: tuple[ColumnNote, ...] = ()
    rows_estimate: int | None = None
    dialect: CsvDialect | None = None
    # A column of numbers or dates holds other values too.
    has_misfits: bool = False

    def notes_for(self, sql: str) -> list[str]:
        """Return the notes on the table and on the columns that a query may read."""
        query = sql.lower()
        reads_all = "*" in query.replace("count(*)", "")
        return [
            *self.notes,
            *(n.text for n in self.column_notes if reads_all or n.column.lower() in query),
        ]

    @property
    def all_notes(self) -> list[str]:
        """All notes on the table."""
        return [*self.notes, *(note.text for note in self.column_notes)]
