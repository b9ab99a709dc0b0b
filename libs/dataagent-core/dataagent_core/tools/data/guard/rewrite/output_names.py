"""Gives unnamed columns the name they would have without the guard.

SQLite and MariaDB name such a column by the text of its expression. In what runs that text is
another one: names are quoted, comments left out. So the column is given the caller's text as alias.
"""

from sqlglot import exp

from dataagent_core.tools.data.data_model import Dialect
from dataagent_core.tools.data.guard.parse.sql_dialects import WRITTEN

# MariaDB cuts longer names of columns that nobody named, and takes no longer alias.
_ALIAS_BYTES_MAX: dict[Dialect, int] = {"mysql": 255}
# Where the place is noted after which an alias belongs.
AFTER = "after"
# These are named by their own value or column, whatever is around them.
_NAMED = (exp.Alias, exp.Aliases, exp.Column, exp.Star, exp.Literal, exp.Null, exp.Boolean)


def name_outputs(nodes: list[exp.Expr], dialect: Dialect) -> bool:
    """Set the text of unnamed columns as their alias; say whether there was any."""
    changed = False
    for select in nodes:
        if not isinstance(select, exp.Select) or not _shows_names(select):
            continue
        for item in select.expressions:
            changed |= _set_text_alias(item, _ALIAS_BYTES_MAX.get(dialect))
    return changed


def _shows_names(select: exp.Select) -> bool:
    """Say whether the names of a query's columns are seen: by a person or by a query around it."""
    query: exp.Expr = select
    while isinstance(parent := query.parent, (exp.SetOperation, exp.Subquery)):
        if isinstance(parent, exp.SetOperation) and parent.this is not query:
            return False  # the first of them gives the names
        query = parent
    return parent is None or isinstance(parent, (exp.From, exp.Join, exp.Lateral, exp.CTE))


def _set_text_alias(item: exp.Expr, bytes_max: int | None) -> bool:
    written = item.meta.get(WRITTEN)
    if written is None or isinstance(item.unnest(), _NAMED) or not _is_changed(item):
        return False
    text, end = written
    text = text.encode()[:bytes_max].decode(errors="ignore").rstrip()
    name = exp.to_identifier(text, quoted=True)
    name.meta[AFTER] = end
    alias = exp.Alias(alias=name)
    item.replace(alias)
    alias.set("this", item)
    return True


def _is_changed(item: exp.Expr) -> bool:
    """Say whether an expression's text runs as another one: it has a name or a text in quotes."""
    return any(
        isinstance(part, exp.Identifier) or (isinstance(part, exp.Literal) and part.is_string)
        for part in item.walk()
    )
