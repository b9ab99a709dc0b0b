"""A source as its owner described it: where it is, what may be read, what is personal."""

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
# Day first or month first; `1.234` or `1,234` for a little more than one.
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
# The name under which earlier results are asked; no source may have it.
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
    # Where `sql_write` may write, with a login of its own.
    write_url: str | None = field(default=None, repr=False)
    # The addresses that were looked up for both and allowed; where given, no other is dialled.
    dialled: str | None = None
    write_dialled: str | None = None
    # The owner's word that the login can only read; needed where we cannot see it ourselves.
    read_only_confirmed: bool = False
    # Glob patterns of `table.column` (or `table`): personal and shown masked to a model; not
    # personal whatever they look like; not there at all for anybody who asks through us.
    personal: tuple[str, ...] = ()
    not_personal: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    # How text files are read, where a person chose it; None: decided by what is in them.
    dates: DateOrder | None = None
    decimals: DecimalMark | None = None
    encoding: TextEncoding | None = None

    @property
    def dialect(self) -> Dialect:
        """Say how SQL for it is written."""
        return DIALECTS[self.kind]
