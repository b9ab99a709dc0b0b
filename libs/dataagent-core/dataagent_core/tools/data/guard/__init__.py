"""The SQL guard: which SQL may run, and only as it was parsed and checked.

`sql_check.py` is the entry: text in, `CheckedSql` or `QueryRefusedError` out. `parse/` turns text
into one tree, `allowed/` lists what a tree may contain (`tree_shape.py`), `analysis/` resolves
tables and columns (`known_tables.py`), `rewrite/` makes names exact, and `word_check.py` reads the
final text once more without the parser. The guard is the first of the read-only layers; the
read-only transaction, the role, the sandbox and the limits of `sources/` hold when it is wrong.
"""

from collections.abc import Sequence

from dataagent_core.tools.data.data_model import Catalogue, Dialect
from dataagent_core.tools.data.guard.checked_sql import CheckedSql, QueryOutput

__all__ = ["CheckedSql", "QueryOutput", "check", "list_named_tables"]


def check(
    sql: str, catalogue: Catalogue, *, hidden: Sequence[str] = (), rows_max: int | None = None
) -> CheckedSql:
    """Return the SQL to run, or refuse it."""
    # The parser is large: it is imported by the first query.
    from dataagent_core.tools.data.guard.sql_check import check as whole_way

    return whole_way(sql, catalogue, hidden=hidden, rows_max=rows_max)


def list_named_tables(sql: str, dialect: Dialect) -> tuple[str, ...]:
    """List the tables a text names, whether they exist or not."""
    from dataagent_core.tools.data.guard.parse.named_tables import find_named_tables as named

    return named(sql, dialect)
