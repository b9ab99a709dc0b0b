"""Reads the outputs of a SELECT: the name and lineage of each, with `*` expanded."""

from collections.abc import Iterable

from sqlglot import exp

from dataagent_core.tools.data.guard.analysis.column_lookup import look_up_column
from dataagent_core.tools.data.guard.analysis.query_analysis import CteScopes, QueryAnalysis
from dataagent_core.tools.data.guard.analysis.scopes import QueryScope
from dataagent_core.tools.data.guard.analysis.sql_relations import NO_LINEAGE, merge_lineage
from dataagent_core.tools.data.guard.analysis.value_lineage import COUNTS, trace_value
from dataagent_core.tools.data.guard.checked_sql import MANY, QueryOutput
from dataagent_core.tools.data.guard.parse.name_keys import make_name_key

# Expressions without parts that could be many columns, and so need no look inside.
_ONE = (exp.Column, exp.Literal, *COUNTS)


def read_projection(
    analysis: QueryAnalysis, node: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> list[QueryOutput]:
    """Read one item of a SELECT list."""
    if isinstance(node, exp.Star):
        return _expand_star(analysis, node, scope.star, ctes, scope)
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
        look_up_column(analysis, node, scope)
        relation = scope.source(node.table)
        shown = relation.outputs if relation else ()
        return _expand_star(analysis, node.this, shown, ctes, scope)
    lineage = trace_value(analysis, node, ctes, scope)
    if isinstance(node, exp.Aliases):
        return [QueryOutput(alias.name, lineage) for alias in node.expressions]
    if _may_be_many(node.this if isinstance(node, exp.Alias) else node):
        return [QueryOutput(MANY, lineage)]
    if isinstance(node, exp.Alias):
        scope.aliases[node.alias.lower()] = lineage
        return [QueryOutput(node.alias, lineage)]
    return [QueryOutput(node.name if isinstance(node, exp.Column) else "", lineage)]


def _may_be_many(node: exp.Expr) -> bool:
    """Say whether one expression can give many columns: a list or a struct unnested, or COLUMNS."""
    if isinstance(node, _ONE):
        return False
    if isinstance(node, (exp.Explode, exp.Unnest)) or node.find(exp.Columns):
        return True
    return any(not isinstance(star.parent, COUNTS) for star in node.find_all(exp.Star))


def _expand_star(
    analysis: QueryAnalysis,
    star: exp.Expr,
    shown: Iterable[QueryOutput],
    ctes: CteScopes,
    scope: QueryScope,
) -> list[QueryOutput]:
    def key(name: str) -> str:
        return make_name_key(name, analysis.dialect)

    left_out = {key(e.name) for e in star.args.get("except_") or []}
    replaced = {
        key(e.alias): trace_value(analysis, e.this, ctes, scope)
        for e in star.args.get("replace") or []
    }
    renamed = {key(e.this.name): e.alias for e in star.args.get("rename") or []}
    if star.args.get("ilike"):  # which columns fit is the engine's to say
        return [QueryOutput(MANY, merge_lineage(shown).union(*replaced.values()))]
    outputs: list[QueryOutput] = []
    for output in shown:
        name = key(output.name)
        if output.name == MANY:
            extra = NO_LINEAGE.union(*replaced.values())
            outputs.append(QueryOutput(MANY, output.columns | extra))
        elif name not in left_out:
            lineage = replaced.get(name, output.columns)
            outputs.append(QueryOutput(renamed.get(name, output.name), lineage))
    return outputs
