"""The list of outputs of a SELECT: each one's name and what it derives from, `*` written out."""

from collections.abc import Iterable

from sqlglot import exp

from dataagent_core.tools.data.guard.checked import MANY, Output
from dataagent_core.tools.data.guard.columns import column
from dataagent_core.tools.data.guard.expressions import COUNTS, value
from dataagent_core.tools.data.guard.relations import NOTHING, all_of
from dataagent_core.tools.data.guard.scopes import Scope
from dataagent_core.tools.data.guard.spelling import key_of
from dataagent_core.tools.data.guard.understanding import Ctes, Understanding

# Expressions without parts that could be many columns, and so need no look inside.
_ONE = (exp.Column, exp.Literal, *COUNTS)


def projection(
    understanding: Understanding, node: exp.Expr, ctes: Ctes, scope: Scope
) -> list[Output]:
    """Read one item of the list."""
    if isinstance(node, exp.Star):
        return _star(understanding, node, scope.star, ctes, scope)
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
        column(understanding, node, scope)
        relation = scope.source(node.table)
        shown = relation.outputs if relation else ()
        return _star(understanding, node.this, shown, ctes, scope)
    lineage = value(understanding, node, ctes, scope)
    if isinstance(node, exp.Aliases):
        return [Output(alias.name, lineage) for alias in node.expressions]
    if _may_be_many(node.this if isinstance(node, exp.Alias) else node):
        return [Output(MANY, lineage)]
    if isinstance(node, exp.Alias):
        scope.aliases[node.alias.lower()] = lineage
        return [Output(node.alias, lineage)]
    return [Output(node.name if isinstance(node, exp.Column) else "", lineage)]


def _may_be_many(node: exp.Expr) -> bool:
    """Say whether one expression can give many columns: a list or a struct unnested, or COLUMNS."""
    if isinstance(node, _ONE):
        return False
    if isinstance(node, (exp.Explode, exp.Unnest)) or node.find(exp.Columns):
        return True
    return any(not isinstance(star.parent, COUNTS) for star in node.find_all(exp.Star))


def _star(
    understanding: Understanding, star: exp.Expr, shown: Iterable[Output], ctes: Ctes, scope: Scope
) -> list[Output]:
    def key(name: str) -> str:
        return key_of(name, understanding.dialect)

    left_out = {key(e.name) for e in star.args.get("except_") or []}
    replaced = {
        key(e.alias): value(understanding, e.this, ctes, scope)
        for e in star.args.get("replace") or []
    }
    renamed = {key(e.this.name): e.alias for e in star.args.get("rename") or []}
    if star.args.get("ilike"):  # which columns fit is the engine's to say
        return [Output(MANY, all_of(shown).union(*replaced.values()))]
    outputs: list[Output] = []
    for output in shown:
        name = key(output.name)
        if output.name == MANY:
            extra = NOTHING.union(*replaced.values())
            outputs.append(Output(MANY, output.columns | extra))
        elif name not in left_out:
            lineage = replaced.get(name, output.columns)
            outputs.append(Output(renamed.get(name, output.name), lineage))
    return outputs
