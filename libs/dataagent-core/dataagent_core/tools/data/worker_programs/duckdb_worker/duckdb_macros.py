"""Keeps a query on a DuckDB file from calling a macro that the file brings along.

A macro is SQL somebody else wrote: it could read tables and columns that are hidden. One with the
name of a built-in function is called without being named: `a || b`, `[1, 2]`, `LIKE` and
`CURRENT_DATE` are functions too, and DuckDB looks for those of the file first.
"""

import duckdb

from ..server_worker.called_names import list_called_functions, refuse_foreign_names

# In full: a file may bring functions of these names too.
_FUNCTIONS = "SELECT function_name, internal FROM system.main.duckdb_functions()"


class DuckdbMacros:
    """The macros of one file; it is open for reading only, so there will be no others."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        functions = connection.execute(_FUNCTIONS).fetchall()
        built_in = {name.lower() for name, internal in functions if internal}
        self._named = {name.lower() for name, internal in functions if not internal}
        self._implied = self._named & built_in

    def check(self, sql: str = "") -> None:
        """Refuse a query that would call a macro, or may without naming it."""
        called = self._named.intersection(list_called_functions(sql)) if self._named else set[str]()
        refuse_foreign_names(f"the macro {name}" for name in self._implied | called)
