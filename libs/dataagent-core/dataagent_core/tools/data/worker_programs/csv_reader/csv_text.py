"""A CSV file with its beginning as text, and the options by which DuckDB decodes it."""

from dataclasses import dataclass, replace
from pathlib import Path

from ..question_server import QuestionError
from ..table_names import quote_literal
from . import text_file
from .text_charset import find_charset

# Up to here every line is looked at before a type is believed.
_WHOLE_BYTES = 32_000_000
_SAMPLE_ROWS = 100_000
# What packing is taken to save, where only the packed size is known.
_PACKED_TIMES = 5
# Python's name of an encoding, and DuckDB's; others are written anew first.
_ENCODINGS = {"utf-8": "utf-8", "utf-16-le": "utf-16", "latin-1": "latin-1"}


@dataclass(frozen=True, slots=True)
class CsvText:
    """A file and its beginning as text."""

    path: str
    compression: str
    encoding: str
    beginning: str
    # The whole file is this many times as long.
    times: float
    # How many rows are looked at; -1 for all.
    sample_rows: int
    # What to know of its encoding.
    notes: tuple[str, ...] = ()
    # What separates the values, or did before it was written anew.
    delimiter: str = ""

    @property
    def is_known_to_duckdb(self) -> bool:
        """Say whether DuckDB decodes it as it is."""
        return self.encoding in _ENCODINGS and (not self.compression or self.encoding == "utf-8")

    @property
    def options(self) -> list[str]:
        """Return the options of `read_csv` that decode it."""
        return [
            f"encoding={quote_literal(_ENCODINGS[self.encoding])}",
            f"compression={quote_literal(self.compression or 'none')}",
        ]

    def rewritten(self, target: str) -> "CsvText":
        """Rewrite it in UTF-8."""
        text_file.rewrite_as_utf8(self.path, self.compression, self.encoding, target)
        return replace(read_csv_text(target, "", "utf-8"), delimiter=self.delimiter)


def read_csv_text(path: str, compression: str, chosen_encoding: str | None = None) -> CsvText:
    """Read the beginning of a file; refuse an empty or binary file."""
    data = text_file.read_beginning(path, compression)
    if not data.strip(b"\0 \t\r\n"):
        raise QuestionError("it is empty")
    found = find_charset(data, chosen_encoding)
    size = Path(path).stat().st_size
    return CsvText(
        path=path,
        compression=compression,
        encoding=found.name,
        beginning=data.decode(found.name, errors="replace").removeprefix("\ufeff"),
        times=size / max(1, len(data)) * (_PACKED_TIMES if compression else 1),
        sample_rows=-1 if size <= _WHOLE_BYTES and not compression else _SAMPLE_ROWS,
        notes=found.notes,
    )
