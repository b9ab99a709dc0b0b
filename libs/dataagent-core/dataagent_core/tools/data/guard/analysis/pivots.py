"""Reads PIVOT and UNPIVOT; the columns they make depend on the data."""

from sqlglot import exp

from dataagent_core.tools.data.guard.analysis.query_analysis import CteScopes, QueryAnalysis
from dataagent_core.tools.data.guard.analysis.scopes import QueryScope
from dataagent_core.tools.data.guard.analysis.sql_relations import SqlRelation
from dataagent_core.tools.data.guard.analysis.value_lineage import trace_value, trace_values

_NAMES_ONLY = {"this", "alias", "columns", "with_"}


def read_pivot(
    analysis: QueryAnalysis,
    pivot: exp.Expr,
    source: SqlRelation,
    ctes: CteScopes,
    outer: QueryScope | None,
) -> SqlRelation:
    """Read a pivot over a source; any of its columns may derive from any of the source's."""
    scope = analysis.scope(outer)
    made = SqlRelation(open=True, rest=source.everything)
    scope.add("", source)
    # A pivot names its own columns, so a name in it may also be one that it makes.
    scope.add(" pivot", made, in_star=False)
    parts = [part for name, part in pivot.args.items() if name not in _NAMES_ONLY]
    trace_values(analysis, parts, ctes, scope)
    if not pivot.args.get("unpivot"):
        for on in pivot.args.get("fields") or pivot.expressions:
            if not _has_listed_values(on):
                names = on.this if isinstance(on, exp.In) else on
                analysis.names_from |= trace_value(analysis, names, ctes, scope)
    return made


def _has_listed_values(on: exp.Expr) -> bool:
    """Say whether the query lists the values that become columns; else the data names them."""
    listed = on.expressions if isinstance(on, exp.In) else []
    return bool(listed) and not any(
        item.find(exp.Column, exp.Query, exp.PivotAny) for item in listed
    )
