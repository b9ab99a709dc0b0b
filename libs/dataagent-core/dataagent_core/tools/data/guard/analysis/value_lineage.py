"""Expressions: every column and query in them, and what their value derives from."""

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
    understanding: QueryAnalysis, node: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> ColumnLineage:
    """Read an expression and give what its value derives from."""
    lineage: set[ColumnOrigin] = set()
    stack = [node]
    while stack:
        part = stack.pop()
        if type(part) in LEAVES:
            continue
        if isinstance(part, exp.Column):
            lineage |= look_up_column(understanding, part, scope)
            if isinstance(part.this, exp.Star):
                stack += list_children(part.this)
        elif isinstance(part, _QUERIES):
            lineage |= merge_lineage(understanding.outputs(part, ctes, scope))
        elif isinstance(part, COUNTS):
            counted = (child for child in list_children(part) if not isinstance(child, exp.Star))
            trace_values(understanding, counted, ctes, scope)
        elif isinstance(part, exp.Comprehension):
            lineage |= _comprehension(understanding, part, ctes, scope)
        else:
            if isinstance(part, exp.Lambda):
                lineage |= _parameters(understanding, part, scope)
            lineage |= _around(understanding, part, scope)
            stack += list_children(part)
    return frozenset(lineage)


def trace_values(
    understanding: QueryAnalysis, nodes: Iterable[object], ctes: CteScopes, scope: QueryScope
) -> ColumnLineage:
    """Read the expressions among these, lists of them included."""
    found: ColumnLineage = NO_LINEAGE
    for node in nodes:
        if isinstance(node, exp.Expr):
            found |= trace_value(understanding, node, ctes, scope)
        elif isinstance(node, list):
            found |= trace_values(understanding, node, ctes, scope)
    return found


def _around(understanding: QueryAnalysis, node: exp.Expr, scope: QueryScope) -> ColumnLineage:
    """Check what a node says beyond its parts, and give what it reads beyond them."""
    if isinstance(node, (exp.Columns, exp.Star, exp.PositionalColumn)):
        understanding.reads |= scope.everything
        return scope.everything
    if isinstance(node, exp.Dot):
        check_field(understanding, node, scope)
    elif (
        isinstance(node, exp.In)
        and node.args.get("field") is not None
        and understanding.dialect != "duckdb"  # there it is a list, in SQLite a table
    ):
        raise make_not_allowed_error("IN without brackets", "write IN (SELECT ... ) instead")
    return NO_LINEAGE


def _parameters(understanding: QueryAnalysis, node: exp.Lambda, scope: QueryScope) -> ColumnLineage:
    """Give what `x` of `x -> ...` derives from if the engine takes it for a column of JSON.

    Whether it does depends on the function around it.
    """
    found: ColumnLineage = NO_LINEAGE
    for name in (part.name for item in node.expressions for part in item.find_all(exp.Identifier)):
        read = scope.column(name)
        if read is None and understanding.dialect in _WITHOUT_LAMBDAS:
            raise make_no_column_error(name, scope.listed())
        found |= read or NO_LINEAGE
    understanding.reads |= found
    return found


def _comprehension(
    understanding: QueryAnalysis, node: exp.Comprehension, ctes: CteScopes, scope: QueryScope
) -> ColumnLineage:
    within = understanding.scope(scope)
    for bound in (node.args.get("expression"), node.args.get("position")):
        if isinstance(bound, exp.Expr):
            within.bound |= {name.name.lower() for name in bound.find_all(exp.Identifier)}
    # What is gone through is read before anything is bound.
    through = trace_values(understanding, [node.args["iterator"]], ctes, scope)
    made = (node.args.get(name) for name in ("this", "condition"))
    return through | trace_values(understanding, made, ctes, within)
