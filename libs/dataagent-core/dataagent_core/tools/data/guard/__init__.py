"""SQL that may run, and only as it was read and checked: first of the read-only layers.

checking.py       the whole way: text in, `Checked` or `QueryRefusedError` out
checked.py        what is handed on
mentioned.py      which tables a text names, where that decides which there are
tokens.py         text to tokens, as the engine reads it
reading.py        text to one statement's tree, within limits
dialects.py       how each engine's SQL is read and written back
shape.py          a tree made only of what is on the lists of `allowed/`
names.py          which tables and columns there are, and which are hidden
queries.py        every query read in its scope, with ctes.py, sources.py, table_functions.py,
                  pivots.py, projections.py, expressions.py and columns.py for its parts
understanding.py  what is learnt on the way
relations.py      the columns of a table or a query, and what their values derive from
scopes.py         which column a name means
spelling.py       when two names are one name
output_names.py   the names of columns that nobody named
rewriting.py      the tree made exact: the catalogue's names, no hidden column, no row too many
as_written.py     the caller's own text with exact names; what runs if it reads as that tree
words.py          the text that will run, read once more word by word, without the parser
refusals.py       what is said when the answer is no

It decides and changes nothing; the read-only transaction, the role, the sandbox and the limits of
`sources/` hold when it is wrong.
"""

from collections.abc import Sequence

from dataagent_core.tools.data.guard.checked import Checked, Output
from dataagent_core.tools.data.model import Catalogue, Dialect

__all__ = ["Checked", "Output", "check", "tables_named"]


def check(
    sql: str, catalogue: Catalogue, *, hidden: Sequence[str] = (), rows_max: int | None = None
) -> Checked:
    """Give the SQL to run, or say why there is none."""
    # The parser is large: it is loaded by the first query, not by every start.
    from dataagent_core.tools.data.guard.checking import check as whole_way

    return whole_way(sql, catalogue, hidden=hidden, rows_max=rows_max)


def tables_named(sql: str, dialect: Dialect) -> tuple[str, ...]:
    """List the tables a text names, whether they exist or not."""
    from dataagent_core.tools.data.guard.mentioned import tables_named as named

    return named(sql, dialect)
