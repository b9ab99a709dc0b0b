"""Reads every query of a tree in its scope: SELECT, set operations, VALUES, PIVOT, brackets."""

from sqlglot import exp

from dataagent_core.tools.data import data_model
from dataagent_core.tools.data.guard.analysis.ctes import read_ctes
from dataagent_core.tools.data.guard.analysis.from_clause import read_join, read_source
from dataagent_core.tools.data.guard.analysis.pivots import read_pivot
from dataagent_core.tools.data.guard.analysis.projections import read_projection
from dataagent_core.tools.data.guard.analysis.query_analysis import CteScopes, QueryAnalysis
from dataagent_core.tools.data.guard.analysis.scopes import QueryScope
from dataagent_core.tools.data.guard.analysis.sql_relations import (
    SqlRelation,
    make_relation,
    unite_outputs,
)
from dataagent_core.tools.data.guard.analysis.table_functions import check_order
from dataagent_core.tools.data.guard.analysis.value_lineage import trace_values
from dataagent_core.tools.data.guard.checked_sql import MANY, QueryOutput
from dataagent_core.tools.data.guard.refusals import make_not_allowed_error

_READ_FIRST = {"with_", "from_", "laterals", "joins", "expressions"}
# What the columns of VALUES are called, and the number of the first.
_VALUES_NAMES: dict[data_model.Dialect, tuple[str, int]] = {
    "postgres": ("column", 1),
    "sqlite": ("column", 1),
    "duckdb": ("col", 0),
}


def read_query(
    analysis: QueryAnalysis, node: exp.Expr, ctes: CteScopes, outer: QueryScope | None
) -> tuple[QueryOutput, ...]:
    """Read one query and return its outputs."""
    ctes = read_ctes(analysis, node, ctes, outer)
    match node:
        case exp.Select():
            return _read_select(analysis, node, ctes, analysis.scope(outer))
        case exp.SetOperation():
            return _read_set_operation(analysis, node, ctes, outer)
        case exp.Subquery():
            outputs = read_query(analysis, node.this, ctes, outer)
            _read_tail(analysis, node, outputs, ctes, outer)
            return outputs
        case exp.Values():
            return _read_values(analysis, node, ctes, analysis.scope(outer))
        case exp.Pivot() | exp.Table():
            scope = analysis.scope(outer)
            source = node.this if isinstance(node, exp.Pivot) else node
            read_source(analysis, source, ctes, scope)
            if isinstance(node, exp.Table):
                return tuple(scope.star)
            relation = make_relation(scope.star)
            return read_pivot(analysis, node, relation, ctes, outer).outputs
        case _:
            raise make_not_allowed_error(
                f"{type(node).__name__} as a query", "write a SELECT query"
            )


def _read_select(
    analysis: QueryAnalysis, select: exp.Select, ctes: CteScopes, scope: QueryScope
) -> tuple[QueryOutput, ...]:
    if from_ := select.args.get("from_"):
        read_source(analysis, from_.this, ctes, scope)
    for lateral in select.args.get("laterals") or []:
        read_source(analysis, lateral, ctes, scope)
    for join in select.args.get("joins") or []:
        read_join(analysis, join, ctes, scope)
    check_order(analysis, ctes, scope)
    # An alias used before its own place in the list may mean anything readable here.
    scope.later = {e.alias.lower() for e in select.expressions if isinstance(e, exp.Alias)}
    outputs: list[QueryOutput] = []
    for expression in select.expressions:
        made = read_projection(analysis, expression, ctes, scope)
        analysis.spend(len(made))
        outputs += made
    rest = [part for name, part in select.args.items() if name not in _READ_FIRST]
    trace_values(analysis, rest, ctes, scope)
    return tuple(outputs)


def _read_set_operation(
    analysis: QueryAnalysis, node: exp.SetOperation, ctes: CteScopes, outer: QueryScope | None
) -> tuple[QueryOutput, ...]:
    # The left side first, without recursion: a thousand UNIONs are a chain, not a tower.
    spine: list[tuple[exp.SetOperation, CteScopes]] = [(node, ctes)]
    left = node.this
    while isinstance(left, exp.SetOperation):
        ctes = read_ctes(analysis, left, ctes, outer)
        spine.append((left, ctes))
        left = left.this
    outputs = read_query(analysis, left, ctes, outer)
    for operation, known in reversed(spine):
        right = read_query(analysis, operation.expression, known, outer)
        by_name = analysis.dialect if operation.args.get("by_name") else None
        outputs = unite_outputs(outputs, right, by_name=by_name)
        _read_tail(analysis, operation, outputs, known, outer)
    return outputs


def _read_tail(
    analysis: QueryAnalysis,
    node: exp.Expr,
    outputs: tuple[QueryOutput, ...],
    ctes: CteScopes,
    outer: QueryScope | None,
) -> None:
    """Read ORDER BY and LIMIT of something that has only outputs."""
    parts = [
        part for name in ("order", "limit", "offset", "sample") if (part := node.args.get(name))
    ]
    if parts:
        scope = analysis.scope(outer)
        relation = make_relation(outputs)
        scope.add("", SqlRelation(relation.columns, open=True, rest=relation.rest))
        trace_values(analysis, parts, ctes, scope)


def _read_values(
    analysis: QueryAnalysis, node: exp.Values, ctes: CteScopes, scope: QueryScope
) -> tuple[QueryOutput, ...]:
    """Read VALUES; their columns are named where the engine's way is known."""
    lineage = trace_values(analysis, node.expressions, ctes, scope)
    named = _VALUES_NAMES.get(analysis.dialect)
    if named is None or not node.expressions:
        return (QueryOutput(MANY, lineage),)
    first = node.expressions[0]
    width = len(first.expressions) if isinstance(first, exp.Tuple) else 1
    name, start = named
    return tuple(QueryOutput(f"{name}{n}", lineage) for n in range(start, start + width))
