"""SQL that may run, and only as it was read and checked: first of the read-only layers.

sql_check.py       the whole way: text in, `Checked` or `QueryRefusedError` out checked_sql.py
what is handed on tools/data/guard/parse/named_tables.py      which tables a text names, where that
decides which there are tools/data/guard/parse/sql_tokens.py         text to tokens, as the engine
reads it tools/data/guard/parse/statement_parser.py        text to one statement's tree, within
limits tools/data/guard/parse/sql_dialects.py       how each engine's SQL is read and written back
tree_shape.py          a tree made only of what is on the lists of `allowed/` known_tables.py
which tables and columns there are, and which are hidden tools/data/guard/analysis/query_reader.py
every query read in its scope, with tools/data/guard/analysis/ctes.py,
tools/data/guard/analysis/from_clause.py, tools/data/guard/analysis/table_functions.py,
                  tools/data/guard/analysis/pivots.py, tools/data/guard/analysis/projections.py,
                  tools/data/guard/analysis/value_lineage.py and
                  tools/data/guard/analysis/column_lookup.py for its parts
tools/data/guard/analysis/query_analysis.py  what is learnt on the way
tools/data/guard/analysis/sql_relations.py      the columns of a table or a query, and what their
values derive from tools/data/guard/analysis/scopes.py         which column a name means
tools/data/guard/parse/name_keys.py       when two names are one name
tools/data/guard/rewrite/output_names.py   the names of columns that nobody named
tools/data/guard/rewrite/tree_rewrite.py      the tree made exact: the catalogue's names, no hidden
column, no row too many tools/data/guard/rewrite/caller_text.py     the caller's own text with exact
names; what runs if it reads as that tree word_check.py          the text that will run, read once
more word by word, without the parser refusals.py       what is said when the answer is no

It decides and changes nothing; the read-only transaction, the role, the sandbox and the limits of
`sources/` hold when it is wrong.
"""

from collections.abc import Sequence

from dataagent_core.tools.data.data_model import Catalogue, Dialect
from dataagent_core.tools.data.guard.checked_sql import CheckedSql, QueryOutput

__all__ = ["CheckedSql", "QueryOutput", "check", "list_named_tables"]


def check(
    sql: str, catalogue: Catalogue, *, hidden: Sequence[str] = (), rows_max: int | None = None
) -> CheckedSql:
    """Give the SQL to run, or say why there is none."""
    # The parser is large: it is loaded by the first query, not by every start.
    from dataagent_core.tools.data.guard.sql_check import check as whole_way

    return whole_way(sql, catalogue, hidden=hidden, rows_max=rows_max)


def list_named_tables(sql: str, dialect: Dialect) -> tuple[str, ...]:
    """List the tables a text names, whether they exist or not."""
    from dataagent_core.tools.data.guard.parse.named_tables import find_named_tables as named

    return named(sql, dialect)
