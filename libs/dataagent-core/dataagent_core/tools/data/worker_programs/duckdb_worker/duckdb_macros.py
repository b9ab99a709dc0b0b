"""Keeps a query on a DuckDB file from calling a macro that the file brings along.

A macro is foreign SQL: it could read hidden tables and columns. A macro with the name of a built-in
function is called without being named: `a || b`, `[1, 2]`, `LIKE` and `CURRENT_DATE` are functions
too, and DuckDB looks for those of the file first.
"""

import duckdb

from ..server_worker.called_names import list_called_functions, refuse_foreign_names

# Fully qualified: a file may define functions of these names too.
_FUNCTIONS = "SELECT function_name, internal FROM system.main.duckdb_functions()"


class DuckdbMacros:
    """The macros of one file; it is read-only, so they do not change."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        functions = connection.execute(_FUNCTIONS).fetchall()
        built_in = {name.lower() for name, internal in functions if internal}
        self._named = {name.lower() for name, internal in functions if not internal}
        self._implied = self._named & built_in

    def check(self, sql: str = "") -> None:
        """Refuse a query that calls a macro, or may call one without naming it."""
        called = self._named.intersection(list_called_functions(sql)) if self._named else set[str]()
        refuse_foreign_names(f"the macro {name}" for name in self._implied | called)
