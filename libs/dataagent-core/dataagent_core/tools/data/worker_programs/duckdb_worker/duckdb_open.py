"""Opens DuckDB on a source and locks it: it then reads only the given paths.

`sqlite_scanner` is never loaded: with it a locked DuckDB still reads and writes other files. Nor
is `encodings`: it costs 340 MB of memory and 1.4 s, and Python knows the same encodings.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb

from ..question_server import QuestionError
from ..table_names import quote_literal


def open_locked_duckdb(config: dict[str, Any], paths: list[str]) -> duckdb.DuckDBPyConnection:
    """Connect and lock; `database` in the configuration is a DuckDB file, opened read-only."""
    database: str | None = config.get("database")
    settings: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "memory_limit": f"{config['memory_bytes']}B",
        "threads": config["threads"],
        "temp_directory": config["spill"],
        "max_temp_directory_size": f"{config['spill_bytes']}B",
        "python_enable_replacements": "false",
        "preserve_insertion_order": "true",
    }
    try:
        if database is None:
            connection = duckdb.connect(":memory:", config=settings)
            if any(file["format"] == "xlsx" for file in config["files"]):
                _load_excel(connection)
        else:
            connection = duckdb.connect(database, read_only=True, config=settings)
    except duckdb.Error as error:
        raise QuestionError(_explain_failure(str(error))) from error
    connection.execute("SET TimeZone = 'UTC'")
    # Written out: for a bound value DuckDB imports pandas, which takes a second.
    allowed = ", ".join(quote_literal(path) for path in paths)
    connection.execute(f"SET allowed_paths = [{allowed}]")
    connection.execute("SET enable_external_access = false")
    # DuckDB sets it itself for a PIVOT with columns from the data; it only decides which errors end
    # a transaction.
    connection.execute("SET allowed_configs = ['current_transaction_invalidation_policy']")
    connection.execute("SET lock_configuration = true")
    return connection


def _load_excel(connection: duckdb.DuckDBPyConnection) -> None:
    package = find_spec("duckdb_extension_excel")
    if package is None or package.origin is None:
        raise QuestionError("Excel files need the package duckdb-extension-excel")
    folder = Path(package.origin).with_name("extensions") / f"v{duckdb.__version__}"
    connection.load_extension(str(folder / "excel.duckdb_extension"))


def _explain_failure(message: str) -> str:
    if "version number" in message:
        return (
            "this DuckDB file was written by a newer version of DuckDB than the one here "
            f"({duckdb.__version__}). Export its tables to Parquet with the newer one "
            "(EXPORT DATABASE 'folder' (FORMAT parquet)) and add that folder"
        )
    if "Conflicting lock" in message or "Could not set lock" in message:
        return (
            "another program has this DuckDB file open for writing. Close it there, then ask again"
        )
    return message.partition("\n")[0]
