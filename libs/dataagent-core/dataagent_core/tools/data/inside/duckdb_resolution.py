"""Keeps a query on a DuckDB file from calling a macro that the file brings along.

A macro is SQL somebody else wrote: it could read tables and columns that are hidden.
"""

import duckdb

from .called_names import called_functions, refuse_foreign

_MACROS = """
SELECT DISTINCT function_name FROM duckdb_functions()
WHERE NOT internal AND lower(function_name) IN ({}) LIMIT 10
"""


def check_resolution(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Refuse a query that would call a macro."""
    names = ", ".join(f"'{name}'" for name in called_functions(sql))
    if names:
        found = connection.execute(_MACROS.format(names)).fetchall()
        refuse_foreign(f"the macro {row[0]}" for row in found)
