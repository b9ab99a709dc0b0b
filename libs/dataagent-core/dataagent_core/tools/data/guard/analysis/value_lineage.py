"""Reads expressions: their columns and queries, and the lineage of their value."""

from collections.abc import Iterable

from sqlglot import exp

from dataagent_core.tools.data.data_model import ColumnOrigin
from dataagent_core.tools.data.guard.analysis.column_lookup import check_field, look_up_column
from dataagent_core.tools.data.guard.analysis.query_analysis import CteScopes, QueryAnalysis
from dataagent_core.tools.data.guard.analysis.scopes import QueryScope
from dataagent_core.tools.data.guard.analysis.sql_relations import (
    NO_LINEAGE,
    ColumnLineage,
    merge_lineage,
)
from dataagent_core.tools.data.guard.parse.statement_parser import LEAVES, list_children
from dataagent_core.tools.data.guard.refusals import make_no_column_error, make_not_allowed_error

# Numbers that tell how many there are, not what they are.
COUNTS = (exp.Count, exp.ApproxDistinct, exp.CountIf, exp.GroupingId, exp.Grouping)
# There an arrow is always one of JSON.
_WITHOUT_LAMBDAS = frozenset({"postgres", "mysql", "sqlite"})
_QUERIES = (exp.Query, exp.Values, exp.Pivot)


def trace_value(
    analysis: QueryAnalysis, node: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> ColumnLineage:
    """Read an expression and return the lineage of its value."""
    lineage: set[ColumnOrigin] = set()
    stack = [node]
    while stack:
        part = stack.pop()
        if type(part) in LEAVES:
            continue
        if isinstance(part, exp.Column):
            lineage |= look_up_column(analysis, part, scope)
            if isinstance(part.this, exp.Star):
                stack += list_children(part.this)
        elif isinstance(part, _QUERIES):
            lineage |= merge_lineage(analysis.outputs(part, ctes, scope))
        elif isinstance(part, COUNTS):
            counted = (child for child in list_children(part) if not isinstance(child, exp.Star))
            trace_values(analysis, counted, ctes, scope)
        elif isinstance(part, exp.Comprehension):
            lineage |= _trace_comprehension(analysis, part, ctes, scope)
        else:
            if isinstance(part, exp.Lambda):
                lineage |= _trace_parameters(analysis, part, scope)
            lineage |= _trace_node(analysis, part, scope)
            stack += list_children(part)
    return frozenset(lineage)


def trace_values(
    analysis: QueryAnalysis, nodes: Iterable[object], ctes: CteScopes, scope: QueryScope
) -> ColumnLineage:
    """Read the expressions among these, lists of them included."""
    found: ColumnLineage = NO_LINEAGE
    for node in nodes:
        if isinstance(node, exp.Expr):
            found |= trace_value(analysis, node, ctes, scope)
        elif isinstance(node, list):
            found |= trace_values(analysis, node, ctes, scope)
    return found


def _trace_node(analysis: QueryAnalysis, node: exp.Expr, scope: QueryScope) -> ColumnLineage:
    """Check a node itself, and return what it reads besides its parts."""
    if isinstance(node, (exp.Columns, exp.Star, exp.PositionalColumn)):
        analysis.reads |= scope.everything
        return scope.everything
    if isinstance(node, exp.Dot):
        check_field(analysis, node, scope)
    elif (
        isinstance(node, exp.In)
        and node.args.get("field") is not None
        and analysis.dialect != "duckdb"  # there it is a list, in SQLite a table
    ):
        raise make_not_allowed_error("IN without brackets", "write IN (SELECT ... ) instead")
    return NO_LINEAGE


def _trace_parameters(
    analysis: QueryAnalysis, node: exp.Lambda, scope: QueryScope
) -> ColumnLineage:
    """Return the lineage of `x` in `x -> ...` if the engine reads it as a column of JSON.

    That depends on the function around it.
    """
    found: ColumnLineage = NO_LINEAGE
    for name in (part.name for item in node.expressions for part in item.find_all(exp.Identifier)):
        read = scope.column(name)
        if read is None and analysis.dialect in _WITHOUT_LAMBDAS:
            raise make_no_column_error(name, scope.listed())
        found |= read or NO_LINEAGE
    analysis.reads |= found
    return found


def _trace_comprehension(
    analysis: QueryAnalysis, node: exp.Comprehension, ctes: CteScopes, scope: QueryScope
) -> ColumnLineage:
    within = analysis.scope(scope)
    for bound in (node.args.get("expression"), node.args.get("position")):
        if isinstance(bound, exp.Expr):
            within.bound |= {name.name.lower() for name in bound.find_all(exp.Identifier)}
    # The list is read before any name is bound.
    through = trace_values(analysis, [node.args["iterator"]], ctes, scope)
    made = (node.args.get(name) for name in ("this", "condition"))
    return through | trace_values(analysis, made, ctes, within)
