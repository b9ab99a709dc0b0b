"""Checks table functions: they make rows from a list, a range or a text, and read nothing else."""

from sqlglot import exp

from dataagent_core.tools.data.guard.allowed.functions_by_dialect import (
    TABLE_FUNCTION_NODES,
    TABLE_FUNCTIONS,
)
from dataagent_core.tools.data.guard.analysis.query_analysis import CteScopes, QueryAnalysis
from dataagent_core.tools.data.guard.analysis.scopes import QueryScope
from dataagent_core.tools.data.guard.analysis.sql_relations import SqlRelation
from dataagent_core.tools.data.guard.analysis.value_lineage import trace_value
from dataagent_core.tools.data.guard.refusals import make_not_allowed_error, quote_short

# What PostgreSQL's table functions call their columns when nobody renames them.
_OWN_COLUMNS = ("key", "value", "ordinality", "generate_series", "unnest")


def read_table_function(
    analysis: QueryAnalysis, function: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> SqlRelation:
    """Check a function in FROM; its columns are the engine's to count."""
    check_table_function(analysis, function)
    lineage = trace_value(analysis, function, ctes, scope)
    scope.functions.append((function, lineage))
    if analysis.dialect != "postgres":
        return SqlRelation(open=True, rest=lineage)
    # There `x.f` calls f(x) where x has no column f, so names are taken from a closed list.
    around = function.parent if isinstance(function.parent, (exp.Table, exp.Lateral)) else function
    called = function.name if isinstance(function, exp.Anonymous) else ""
    names = (around.alias, called, *_OWN_COLUMNS)
    columns = tuple((name, lineage) for name in names if name)
    return SqlRelation(columns, open=True, rest=lineage, all_named=True)


def check_order(analysis: QueryAnalysis, ctes: CteScopes, scope: QueryScope) -> None:
    """Refuse a function that reads a source after it: SQLite lets it, the others do not."""
    if analysis.dialect != "sqlite":
        return
    for function, lineage in scope.functions:
        if trace_value(analysis, function, ctes, scope) != lineage:
            raise make_not_allowed_error(
                "A function in FROM before the table it reads", "name the table before it"
            )


def check_table_function(analysis: QueryAnalysis, function: exp.Expr) -> None:
    """Refuse a function in FROM that is not on its short list."""
    # SQLite has none of these: only functions of its own, which are listed by name.
    if analysis.dialect != "sqlite" and type(function).__name__ in TABLE_FUNCTION_NODES:
        return
    name = function.name if isinstance(function, exp.Anonymous) else ""
    if name.lower() not in TABLE_FUNCTIONS[analysis.dialect]:
        shown = quote_short(name or type(function).__name__)
        raise make_not_allowed_error(
            f"The function {shown}() in FROM", "select from the source's own tables"
        )
