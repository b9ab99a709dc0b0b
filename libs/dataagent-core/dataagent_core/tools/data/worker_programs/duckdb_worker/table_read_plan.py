"""How a file is read as a table, and what a person should know about it."""

from dataclasses import dataclass

from ..csv_reader.csv_dialect import CsvDialect


@dataclass(frozen=True, slots=True)
class ReadLessons:
    """What queries taught about a file."""

    step: int = 0
    text: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ColumnNote:
    """What a person should know of one column."""

    column: str
    text: str


@dataclass(frozen=True, slots=True)
class TableReadPlan:
    """A SELECT that reads a file, and what a person should know about it."""

    select: str
    columns: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    column_notes: tuple[ColumnNote, ...] = ()
    rows_estimate: int | None = None
    dialect: CsvDialect | None = None
    # A column of numbers or dates holds something else as well.
    has_misfits: bool = False

    def notes_for(self, sql: str) -> list[str]:
        """Give what to know of a query: of the table, and of the columns it may read."""
        asked = sql.lower()
        reads_all = "*" in asked.replace("count(*)", "")
        return [
            *self.notes,
            *(n.text for n in self.column_notes if reads_all or n.column.lower() in asked),
        ]

    @property
    def all_notes(self) -> list[str]:
        """Give everything there is to know of the table."""
        return [*self.notes, *(note.text for note in self.column_notes)]
