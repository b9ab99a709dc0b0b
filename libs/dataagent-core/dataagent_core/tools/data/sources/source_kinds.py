"""Makes a source of a path or URL: finds its kind, or says why it cannot be one."""

import os
import re
import stat
from pathlib import Path
from urllib.parse import unquote, urlsplit

from dataagent_core.config.limits.data import DATA_SNIFF_BYTES, DATA_SOURCE_NAME_CHARS_MAX
from dataagent_core.errors import NotFoundError, PathEscapeError, ValidationError
from dataagent_core.tools.data.sources.file_formats import KNOWN_ENDINGS, detect_format
from dataagent_core.tools.data.sources.source_spec import RESULTS_SOURCE, SourceKind, SourceSpec

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_SERVER_SCHEMES: dict[str, SourceKind] = {
    "postgres": "postgres",
    "postgresql": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
    "clickhouse": "clickhouse",
    "clickhousedb": "clickhouse",
    "chdb": "clickhouse",
    "spark": "spark",
    "sc": "spark",
    "databricks": "spark",
    "trino": "trino",
    "snowflake": "snowflake",
    "bigquery": "bigquery",
}
_FILE_SCHEMES = ("file", "sqlite", "duckdb")
_SQLITE_MAGIC = b"SQLite format 3\0"
_DUCKDB_MAGIC = b"DUCK"
_DUCKDB_OFFSET = 8
_SQLITE_ENDINGS = (".sqlite", ".sqlite3", ".db", ".db3")
_DUCKDB_ENDINGS = (".duckdb", ".ddb")
_OLD_EXCEL = (".xls", ".xlsb")


def make_source_spec(name: str, location: str, base: Path | None) -> SourceSpec:
    """Make the source of a location. With `base`, a path is relative to it and stays in it."""
    check_name(name)
    url = _URL.match(location)
    if url is None:
        return _make_file_spec(name, location, base)
    scheme = url[1].lower().partition("+")[0]
    if scheme in _FILE_SCHEMES:
        # sqlite:////abs/path has one slash more than sqlite:///rel/path.
        path = unquote(urlsplit(location).path)
        return _make_file_spec(name, path if scheme == "file" else path[1:], base)
    if scheme not in _SERVER_SCHEMES:
        known = ", ".join(sorted({*_SERVER_SCHEMES, *_FILE_SCHEMES}))
        raise ValidationError(
            f"{scheme}:// is no source DataAgent can ask. Known are {known}, and files on this "
            "machine: download the file first and give its path."
        )
    return SourceSpec(name=name, kind=_SERVER_SCHEMES[scheme], location=location)


def check_name(name: str) -> None:
    """Refuse a name that would need quotes, and the name of the earlier results."""
    if name.lower() == RESULTS_SOURCE:
        raise ValidationError(
            f"{name!r} is the name under which earlier results are asked. Choose another name."
        )
    if not _NAME.fullmatch(name) or len(name) > DATA_SOURCE_NAME_CHARS_MAX:
        raise ValidationError(
            f"{name!r} is no name for a source: begin with a letter and use letters, digits, '_' "
            f"and '-', at most {DATA_SOURCE_NAME_CHARS_MAX} of them."
        )


def _make_file_spec(name: str, location: str, base: Path | None) -> SourceSpec:
    if not location or "\0" in location:
        raise ValidationError(f"{location!r} is no path. Give the path of a file or a folder.")
    path = Path(base or Path.cwd(), Path(location).expanduser() if base is None else location)
    path = Path(os.path.realpath(path))
    if base is not None and not path.is_relative_to(os.path.realpath(base)):
        raise PathEscapeError(f"{location!r} leads out of the workspace. Copy the file into it.")
    try:
        status = path.stat()
    except OSError as error:
        raise NotFoundError(
            f"{location!r} cannot be opened: {error.strerror}. Give the path of a file or a "
            "folder that exists."
        ) from error
    if stat.S_ISDIR(status.st_mode):
        return SourceSpec(name=name, kind="files", location=str(path))
    if not stat.S_ISREG(status.st_mode):
        raise ValidationError(f"{location!r} is no regular file. Give a file or a folder.")
    return SourceSpec(name=name, kind=_detect_kind(path, location), location=str(path))


def _detect_kind(path: Path, shown: str) -> SourceKind:
    try:
        with path.open("rb") as file:
            data = file.read(DATA_SNIFF_BYTES)
    except OSError as error:
        raise ValidationError(f"{shown!r} cannot be read: {error.strerror}.") from error
    # The content of a file takes precedence over its name.
    if data.startswith(_SQLITE_MAGIC):
        return "sqlite"
    if data[_DUCKDB_OFFSET:].startswith(_DUCKDB_MAGIC):
        return "duckdb"
    ending = path.suffix.lower()
    if ending in _SQLITE_ENDINGS:
        if not data:
            return "sqlite"
        raise ValidationError(f"{shown!r} is called {ending} but is no SQLite database.")
    if ending in _DUCKDB_ENDINGS:
        raise ValidationError(f"{shown!r} is called {ending} but is no DuckDB database.")
    if ending in _OLD_EXCEL:
        raise ValidationError(
            f"{shown!r} is an old Excel format ({ending}). Save it as .xlsx or .csv and add that."
        )
    if detect_format(path.name) is None:
        raise ValidationError(
            f"{shown!r} has no ending DataAgent knows. It reads {', '.join(KNOWN_ENDINGS)}, "
            "folders of these, and SQLite and DuckDB files: give the file one of these endings."
        )
    return "files"
