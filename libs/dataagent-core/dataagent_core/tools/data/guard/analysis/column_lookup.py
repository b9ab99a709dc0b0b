"""Looks up a column's name in its scope; an unknown name is refused with the nearest names."""

from sqlglot import exp

from dataagent_core.tools.data.guard.analysis.query_analysis import QueryAnalysis
from dataagent_core.tools.data.guard.analysis.scopes import QueryScope
from dataagent_core.tools.data.guard.analysis.sql_relations import NO_LINEAGE, ColumnLineage
from dataagent_core.tools.data.guard.refusals import (
    make_no_column_error,
    make_not_allowed_error,
    quote_short,
)


def look_up_column(analysis: QueryAnalysis, node: exp.Column, scope: QueryScope) -> ColumnLineage:
    """Return the lineage of a column, and note that it is read."""
    found = _find_column(analysis, node, scope)
    analysis.reads |= found
    return found


def _find_column(analysis: QueryAnalysis, node: exp.Column, scope: QueryScope) -> ColumnLineage:
    name, table = node.name, node.table
    if isinstance(node.this, exp.Star):
        relation = scope.source(table)
        if relation is None:
            raise make_no_column_error(f"{table}.*", [])
        return relation.everything
    found = scope.column_of(table, name) if table else scope.column(name)
    if node.args.get("db") and scope.source(table) is not None:
        analysis.in_full.append(node)
    if found is None and _is_string(analysis, node):
        analysis.strings.append(node)
        return NO_LINEAGE
    if found is None and table and node.args.get("db") and scope.source(table) is None:
        found = scope.column(node.args["db"].name)  # a field of a field
    if found is None:
        hidden = name.lower() in analysis.names.hidden_columns
        raise make_no_column_error(
            f"{table}.{name}" if table else name, scope.listed(), hidden=hidden
        )
    return found


def check_field(analysis: QueryAnalysis, node: exp.Dot, scope: QueryScope) -> None:
    """Refuse `(x).f` unless x is a row with the field f: else PostgreSQL calls f(x)."""
    if analysis.dialect != "postgres" or isinstance(node.expression, exp.Star):
        return
    base = node.this.unnest()
    relation = scope.source(base.name) if isinstance(base, exp.Column) else None
    if relation is None or base.table or scope.find(relation, node.expression.name) is None:
        raise make_not_allowed_error(
            f"The field {quote_short(node.expression.name)} of a value",
            "write table.column, or -> for JSON",
        )


def _is_string(analysis: QueryAnalysis, node: exp.Column) -> bool:
    """Say whether SQLite reads an unknown name in double quotes as a string."""
    identifier = node.this
    if analysis.dialect != "sqlite" or node.table or not identifier.args.get("quoted"):
        return False
    start = identifier.meta.get("start")
    return isinstance(start, int) and analysis.sql[start : start + 1] == '"'
