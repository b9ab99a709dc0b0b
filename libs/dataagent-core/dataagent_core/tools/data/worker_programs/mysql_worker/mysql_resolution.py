"""Keeps a query on MySQL or MariaDB from calling a stored function of its database.

If the server has no built-in function of an allowed name, a stored function of the default database
is called. A stored function with the name of a built-in one is refused too: a setting decides which
of them is called.
"""

from ..server_worker.called_names import list_called_functions, refuse_foreign_names
from .mysql_connection import Connection

_STORED = """
SELECT routine_schema, routine_name FROM information_schema.routines
WHERE routine_type = 'FUNCTION' AND routine_schema = DATABASE() AND LOWER(routine_name) IN %s
LIMIT 10
"""


def check_resolution(connection: Connection, sql: str) -> None:
    """Refuse a query that would call a stored function."""
    functions = list_called_functions(sql)
    if not functions:
        return
    with connection.cursor() as cursor:
        cursor.execute(_STORED, (functions,))
        found = list(cursor.fetchall())
    refuse_foreign_names(
        f"the function {_decode(schema)}.{_decode(name)}" for schema, name in found
    )


def _decode(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
