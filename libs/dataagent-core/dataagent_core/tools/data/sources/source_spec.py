"""A source as its owner described it: its location, what may be read, what is personal."""

from dataclasses import dataclass, field
from typing import Literal

from dataagent_core.tools.data.data_model import Dialect

SourceKind = Literal[
    "files",  # CSV, TSV, JSON, Parquet, Excel: one file or a folder of them
    "duckdb",
    "sqlite",
    "postgres",
    "mysql",
    "clickhouse",
    "spark",
    "trino",
    "snowflake",
    "bigquery",
    "results",  # earlier results, each a table
]
# Day first or month first; `1.234` or `1,234` for a decimal number.
DateOrder = Literal["dmy", "mdy"]
DecimalMark = Literal["point", "comma"]
# Python's names of the encodings that tables are written in.
TextEncoding = Literal[
    "utf-8",
    "utf-16-le",
    "utf-16-be",
    "latin-1",
    "cp1250",  # Central European
    "iso8859-2",
    "cp1251",  # Cyrillic
    "koi8-r",
    "cp1252",  # Western European
    "cp1253",  # Greek
    "cp1254",  # Turkish
    "cp1255",  # Hebrew
    "cp1256",  # Arabic
    "cp1257",  # Baltic
    "cp1258",  # Vietnamese
    "cp874",  # Thai
    "cp850",  # Western and Central European of the console
    "cp852",
    "cp866",
    "gb18030",
    "big5",
    "cp932",  # Shift-JIS
    "euc_jp",
    "cp949",  # Korean
]
# The reserved name of the source of earlier results.
RESULTS_SOURCE = "results"
DIALECTS: dict[SourceKind, Dialect] = {
    "files": "duckdb",
    "duckdb": "duckdb",
    "results": "duckdb",
    "sqlite": "sqlite",
    "postgres": "postgres",
    "mysql": "mysql",
    "clickhouse": "clickhouse",
    "spark": "spark",
    "trino": "trino",
    "snowflake": "snowflake",
    "bigquery": "bigquery",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSpec:
    """One source. A URL holds a password, so neither is ever in its `repr`."""

    name: str
    kind: SourceKind
    # An absolute path, or a SQLAlchemy URL.
    location: str = field(repr=False)
    description: str = ""
    # For a file of a workspace: the folder out of which no link may lead.
    beneath: str | None = None
    # The URL for `sql_write`, with its own login.
    write_url: str | None = field(default=None, repr=False)
    # The allowed addresses that both resolved to; if given, only these are dialled.
    dialled: str | None = None
    write_dialled: str | None = None
    # The owner confirmed that the login can only read; needed where we cannot check it.
    read_only_confirmed: bool = False
    # Glob patterns of `table.column` (or `table`): masked for a model; never treated as personal;
    # invisible to every query.
    personal: tuple[str, ...] = ()
    not_personal: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    # The chosen read options of text files; None: detected from the files.
    dates: DateOrder | None = None
    decimals: DecimalMark | None = None
    encoding: TextEncoding | None = None

    @property
    def dialect(self) -> Dialect:
        """The SQL dialect of the source."""
        return DIALECTS[self.kind]
