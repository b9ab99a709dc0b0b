"""Every query of the tree read in its scope: SELECT, set operations, VALUES, PIVOT, brackets."""

from sqlglot import exp

from dataagent_core.tools.data import model
from dataagent_core.tools.data.guard.checked import MANY, Output
from dataagent_core.tools.data.guard.ctes import with_ctes
from dataagent_core.tools.data.guard.expressions import values
from dataagent_core.tools.data.guard.pivots import pivoted
from dataagent_core.tools.data.guard.projections import projection
from dataagent_core.tools.data.guard.refusals import not_allowed
from dataagent_core.tools.data.guard.relations import Relation, from_outputs, united
from dataagent_core.tools.data.guard.scopes import Scope
from dataagent_core.tools.data.guard.sources import read_join, read_source
from dataagent_core.tools.data.guard.table_functions import check_order
from dataagent_core.tools.data.guard.understanding import Ctes, Understanding

_READ_FIRST = {"with_", "from_", "laterals", "joins", "expressions"}
# What the columns of VALUES are called, and the number of the first.
_VALUES_NAMES: dict[model.Dialect, tuple[str, int]] = {
    "postgres": ("column", 1),
    "sqlite": ("column", 1),
    "duckdb": ("col", 0),
}


def read_query(
    understanding: Understanding, node: exp.Expr, ctes: Ctes, outer: Scope | None
) -> tuple[Output, ...]:
    """Read one query and give its outputs."""
    ctes = with_ctes(understanding, node, ctes, outer)
    match node:
        case exp.Select():
            return _select(understanding, node, ctes, understanding.scope(outer))
        case exp.SetOperation():
            return _set_operation(understanding, node, ctes, outer)
        case exp.Subquery():
            outputs = read_query(understanding, node.this, ctes, outer)
            _tail(understanding, node, outputs, ctes, outer)
            return outputs
        case exp.Values():
            return _rows(understanding, node, ctes, understanding.scope(outer))
        case exp.Pivot() | exp.Table():
            scope = understanding.scope(outer)
            source = node.this if isinstance(node, exp.Pivot) else node
            read_source(understanding, source, ctes, scope)
            if isinstance(node, exp.Table):
                return tuple(scope.star)
            relation = from_outputs(scope.star)
            return pivoted(understanding, node, relation, ctes, outer).outputs
        case _:
            raise not_allowed(f"{type(node).__name__} as a query", "write a SELECT query")


def _select(
    understanding: Understanding, select: exp.Select, ctes: Ctes, scope: Scope
) -> tuple[Output, ...]:
    if from_ := select.args.get("from_"):
        read_source(understanding, from_.this, ctes, scope)
    for lateral in select.args.get("laterals") or []:
        read_source(understanding, lateral, ctes, scope)
    for join in select.args.get("joins") or []:
        read_join(understanding, join, ctes, scope)
    check_order(understanding, ctes, scope)
    # An alias used before its own place in the list may mean anything readable here.
    scope.later = {e.alias.lower() for e in select.expressions if isinstance(e, exp.Alias)}
    outputs: list[Output] = []
    for expression in select.expressions:
        made = projection(understanding, expression, ctes, scope)
        understanding.spend(len(made))
        outputs += made
    rest = [part for name, part in select.args.items() if name not in _READ_FIRST]
    values(understanding, rest, ctes, scope)
    return tuple(outputs)


def _set_operation(
    understanding: Understanding, node: exp.SetOperation, ctes: Ctes, outer: Scope | None
) -> tuple[Output, ...]:
    # The left side first, without recursion: a thousand UNIONs are a chain, not a tower.
    spine: list[tuple[exp.SetOperation, Ctes]] = [(node, ctes)]
    left = node.this
    while isinstance(left, exp.SetOperation):
        ctes = with_ctes(understanding, left, ctes, outer)
        spine.append((left, ctes))
        left = left.this
    outputs = read_query(understanding, left, ctes, outer)
    for operation, known in reversed(spine):
        right = read_query(understanding, operation.expression, known, outer)
        by_name = understanding.dialect if operation.args.get("by_name") else None
        outputs = united(outputs, right, by_name=by_name)
        _tail(understanding, operation, outputs, known, outer)
    return outputs


def _tail(
    understanding: Understanding,
    node: exp.Expr,
    outputs: tuple[Output, ...],
    ctes: Ctes,
    outer: Scope | None,
) -> None:
    """Read ORDER BY and LIMIT of something that has only outputs."""
    parts = [
        part for name in ("order", "limit", "offset", "sample") if (part := node.args.get(name))
    ]
    if parts:
        scope = understanding.scope(outer)
        relation = from_outputs(outputs)
        scope.add("", Relation(relation.columns, open=True, rest=relation.rest))
        values(understanding, parts, ctes, scope)


def _rows(
    understanding: Understanding, node: exp.Values, ctes: Ctes, scope: Scope
) -> tuple[Output, ...]:
    """Read VALUES; their columns are named where the engine's way is known."""
    lineage = values(understanding, node.expressions, ctes, scope)
    named = _VALUES_NAMES.get(understanding.dialect)
    if named is None or not node.expressions:
        return (Output(MANY, lineage),)
    first = node.expressions[0]
    width = len(first.expressions) if isinstance(first, exp.Tuple) else 1
    name, start = named
    return tuple(Output(f"{name}{n}", lineage) for n in range(start, start + width))
