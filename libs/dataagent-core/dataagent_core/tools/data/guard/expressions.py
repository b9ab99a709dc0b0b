"""Expressions: every column and query in them, and what their value derives from."""

from collections.abc import Iterable

from sqlglot import exp

from dataagent_core.tools.data.guard.columns import check_field, column
from dataagent_core.tools.data.guard.reading import LEAVES, children
from dataagent_core.tools.data.guard.refusals import no_column, not_allowed
from dataagent_core.tools.data.guard.relations import NOTHING, Lineage, all_of
from dataagent_core.tools.data.guard.scopes import Scope
from dataagent_core.tools.data.guard.understanding import Ctes, Understanding
from dataagent_core.tools.data.model import Origin

# Numbers that tell how many there are, not what they are.
COUNTS = (exp.Count, exp.ApproxDistinct, exp.CountIf, exp.GroupingId, exp.Grouping)
# There an arrow is always one of JSON.
_WITHOUT_LAMBDAS = frozenset({"postgres", "mysql", "sqlite"})
_QUERIES = (exp.Query, exp.Values, exp.Pivot)


def value(understanding: Understanding, node: exp.Expr, ctes: Ctes, scope: Scope) -> Lineage:
    """Read an expression and give what its value derives from."""
    lineage: set[Origin] = set()
    stack = [node]
    while stack:
        part = stack.pop()
        if type(part) in LEAVES:
            continue
        if isinstance(part, exp.Column):
            lineage |= column(understanding, part, scope)
            if isinstance(part.this, exp.Star):
                stack += children(part.this)
        elif isinstance(part, _QUERIES):
            lineage |= all_of(understanding.outputs(part, ctes, scope))
        elif isinstance(part, COUNTS):
            counted = (child for child in children(part) if not isinstance(child, exp.Star))
            values(understanding, counted, ctes, scope)
        elif isinstance(part, exp.Comprehension):
            lineage |= _comprehension(understanding, part, ctes, scope)
        else:
            if isinstance(part, exp.Lambda):
                lineage |= _parameters(understanding, part, scope)
            lineage |= _around(understanding, part, scope)
            stack += children(part)
    return frozenset(lineage)


def values(
    understanding: Understanding, nodes: Iterable[object], ctes: Ctes, scope: Scope
) -> Lineage:
    """Read the expressions among these, lists of them included."""
    found: Lineage = NOTHING
    for node in nodes:
        if isinstance(node, exp.Expr):
            found |= value(understanding, node, ctes, scope)
        elif isinstance(node, list):
            found |= values(understanding, node, ctes, scope)
    return found


def _around(understanding: Understanding, node: exp.Expr, scope: Scope) -> Lineage:
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
        raise not_allowed("IN without brackets", "write IN (SELECT ... ) instead")
    return NOTHING


def _parameters(understanding: Understanding, node: exp.Lambda, scope: Scope) -> Lineage:
    """Give what `x` of `x -> ...` derives from if the engine takes it for a column of JSON.

    Whether it does depends on the function around it.
    """
    found: Lineage = NOTHING
    for name in (part.name for item in node.expressions for part in item.find_all(exp.Identifier)):
        read = scope.column(name)
        if read is None and understanding.dialect in _WITHOUT_LAMBDAS:
            raise no_column(name, scope.listed())
        found |= read or NOTHING
    understanding.reads |= found
    return found


def _comprehension(
    understanding: Understanding, node: exp.Comprehension, ctes: Ctes, scope: Scope
) -> Lineage:
    within = understanding.scope(scope)
    for bound in (node.args.get("expression"), node.args.get("position")):
        if isinstance(bound, exp.Expr):
            within.bound |= {name.name.lower() for name in bound.find_all(exp.Identifier)}
    # What is gone through is read before anything is bound.
    through = values(understanding, [node.args["iterator"]], ctes, scope)
    made = (node.args.get(name) for name in ("this", "condition"))
    return through | values(understanding, made, ctes, within)
