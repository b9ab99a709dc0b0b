"""Makes names of tables and columns from files, sheets and headings."""

import re
from collections.abc import Iterable, Sequence

TABLE_CHARS_MAX = 63
COLUMN_CHARS_MAX = 128
_NOT_A_NAME = re.compile(r"\W+")
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f]+")


def make_sql_name(text: str) -> str:
    """Make a name that needs no quotes; letters of any script stay."""
    name = _NOT_A_NAME.sub("_", text).strip("_")[:TABLE_CHARS_MAX].strip("_")
    if not name:
        return "table_"
    return f"t_{name}" if name[0].isdigit() else name


def find_free_name(wanted: str, more: str, taken: Iterable[str]) -> str:
    """Return the first free name: as wanted, with `more` appended, or with a number."""
    used = {name.lower() for name in taken}
    if wanted.lower() not in used:
        return wanted
    longer = f"{wanted}_{more}" if more else wanted
    if longer.lower() not in used:
        return longer
    return next(
        name for n in range(2, len(used) + 3) if (name := f"{longer}_{n}").lower() not in used
    )


def make_column_names(given: Sequence[str]) -> list[str]:
    """Make unique names of headings: not empty, on one line, of limited length."""
    names: list[str] = []
    used: set[str] = set()
    for position, heading in enumerate(given):
        wanted = _BLANKS.sub(" ", heading).strip()[:COLUMN_CHARS_MAX].strip()
        name = wanted = wanted or f"column{position}"
        number = 1
        while name.lower() in used:
            name = f"{wanted}_{number}"
            number += 1
        used.add(name.lower())
        names.append(name)
    return names


def quote_name(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    """Quote a text for SQL."""
    return "'" + text.replace("'", "''") + "'"
