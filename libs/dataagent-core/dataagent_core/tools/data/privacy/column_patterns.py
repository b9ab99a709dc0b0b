"""Patterns of `table.column` that an owner marked: `customers.email`, `*.phone`, `hr_*`."""

from collections.abc import Iterable
from fnmatch import fnmatchcase


def matches_patterns(patterns: Iterable[str], table: str, column: str | None = None) -> bool:
    """Say whether a table, or a column of it, is meant; a pattern without a dot means tables.

    Letters count alike, large or small: most engines read them so, and a mark that misses by a
    capital letter would show what it should hide.
    """
    names = {table.lower(), table.lower().rpartition(".")[2]}
    for pattern in patterns:
        wanted = pattern.lower()
        if any(fnmatchcase(name, wanted) for name in names):
            return True
        if column is not None and any(
            fnmatchcase(f"{name}.{column.lower()}", wanted) for name in names
        ):
            return True
    return False
