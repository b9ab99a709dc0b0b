"""Reads FROM: tables of the catalogue, CTEs, queries, and a few table functions."""

from dataclasses import replace

from sqlglot import exp

from dataagent_core.tools.data.guard.analysis.pivots import read_pivot
from dataagent_core.tools.data.guard.analysis.query_analysis import CteScopes, QueryAnalysis
from dataagent_core.tools.data.guard.analysis.scopes import QueryScope
from dataagent_core.tools.data.guard.analysis.sql_relations import (
    NO_LINEAGE,
    ColumnLineage,
    SqlRelation,
    make_relation,
)
from dataagent_core.tools.data.guard.analysis.table_functions import (
    check_table_function,
    read_table_function,
)
from dataagent_core.tools.data.guard.analysis.value_lineage import trace_value, trace_values
from dataagent_core.tools.data.guard.parse.name_keys import make_name_key
from dataagent_core.tools.data.guard.refusals import (
    make_no_table_error,
    make_not_allowed_error,
    quote_short,
)


def read_source(
    analysis: QueryAnalysis, node: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> None:
    """Check one item of FROM with its joins, and add it to the scope."""
    scope.add(node.alias_or_name, _read_relation(analysis, node, ctes, scope))
    _read_attached(analysis, node, ctes, scope)


def read_join(analysis: QueryAnalysis, join: exp.Expr, ctes: CteScopes, scope: QueryScope) -> None:
    """Check a join, and add its columns in the order of `*`."""
    node = join.this
    words = set(f"{join.args.get('method') or ''} {join.args.get('kind') or ''}".upper().split())
    shown = words.isdisjoint({"SEMI", "ANTI"})
    using = {make_name_key(name.name, analysis.dialect) for name in join.args.get("using") or []}
    merged = shown and (bool(using) or "NATURAL" in words)
    relation = _read_relation(analysis, node, ctes, scope)
    scope.add(node.alias_or_name, relation, in_star=shown and not merged)
    if merged:
        analysis.reads |= _get_compared(using, relation, scope)
        if analysis.dialect == "mysql" and str(join.args.get("side")).upper() == "RIGHT":
            relation = replace(relation, open=True)  # turned around there, its columns too
        first = str(analysis.traits.USING_COLUMN_ORDER.name) != "IN_PLACE"
        scope.merge(using or None, relation, first=first)
    # SQLite joins from left to right, the others join before they come to a comma.
    scope.has_comma |= analysis.dialect != "sqlite" and _may_be_comma(join)
    _read_attached(analysis, node, ctes, scope)
    parts = (join.args.get(name) for name in ("on", "expressions", "pivots"))
    trace_values(analysis, parts, ctes, scope)


def _may_be_comma(join: exp.Expr) -> bool:
    """Say whether a comma was written; the parser reads JOIN without ON as one too."""
    return not any(join.args.get(name) for name in ("kind", "side", "method", "on", "using"))


def _get_compared(using: set[str], right: SqlRelation, scope: QueryScope) -> ColumnLineage:
    """Return the lineage of the columns that a join by names compares."""
    if right.open or any(source.open for source in scope.sources.values()):
        return scope.everything
    names = using or {name for name, _ in right.columns}
    return NO_LINEAGE.union(*(scope.here(name) or NO_LINEAGE for name in names))


def _read_attached(
    analysis: QueryAnalysis, node: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> None:
    for lateral in node.args.get("laterals") or []:
        read_source(analysis, lateral, ctes, scope)
    for join in node.args.get("joins") or []:
        read_join(analysis, join, ctes, scope)


def _read_relation(
    analysis: QueryAnalysis, node: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> SqlRelation:
    relation = _read_bare(analysis, node, ctes, scope)
    for pivot in node.args.get("pivots") or []:
        relation = read_pivot(analysis, pivot, relation, ctes, scope.outer)
    if sample := node.args.get("sample"):
        trace_value(analysis, sample, ctes, scope)
    alias = node.args.get("alias")
    columns = [c.name for c in alias.args.get("columns") or []] if alias else []
    relation = relation.renamed(columns)
    analysis.spend(len(relation.columns) + 1)
    if isinstance(place := node.args.get("offset"), exp.Identifier):  # WITH ORDINALITY
        relation = replace(relation, columns=(*relation.columns, (place.name, relation.rest)))
    return relation


def _read_bare(
    analysis: QueryAnalysis, node: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> SqlRelation:
    match node:
        case exp.Table():
            return _read_table(analysis, node, ctes, scope)
        case exp.Subquery(this=inner) if _is_source(inner):
            return _read_bracketed(analysis, node, ctes, scope)
        case exp.Subquery() | exp.Values() | exp.Pivot():
            # DuckDB lets a query in FROM see what stands before it.
            around = scope if analysis.dialect == "duckdb" else scope.outer
            return make_relation(analysis.outputs(node, ctes, around))
        case exp.Lateral(this=exp.Subquery() as query):
            return make_relation(analysis.outputs(query, ctes, scope))
        case exp.Lateral() | exp.Unnest():
            function = node.this if isinstance(node, exp.Lateral) else node
            return read_table_function(analysis, function, ctes, scope)
        case exp.Final():
            return _read_relation(analysis, node.this, ctes, scope)
        case _:
            raise make_not_allowed_error(
                f"{type(node).__name__} in FROM", "name a table or a query there"
            )


def _is_source(node: object) -> bool:
    """Say whether a node in brackets is a join of tables, not a query."""
    if isinstance(node, exp.Subquery):
        return bool(node.alias or node.args.get("joins"))
    return isinstance(node, exp.Table)


def _read_bracketed(
    analysis: QueryAnalysis, node: exp.Subquery, ctes: CteScopes, scope: QueryScope
) -> SqlRelation:
    """Read joined tables in brackets; without an alias their own names stay known."""
    within, dialect = analysis.scope(scope.outer), analysis.dialect
    read_source(analysis, node.this, ctes, within)
    scope.functions += within.functions
    if not node.alias:
        scope.take_names(within)
    relation = make_relation(within.star)
    # SQLite shows them in another order than without brackets, unless nothing stands before.
    return replace(relation, open=True) if within.is_merged and dialect == "sqlite" else relation


def _read_table(
    analysis: QueryAnalysis, node: exp.Table, ctes: CteScopes, scope: QueryScope
) -> SqlRelation:
    analysis.seen.add(id(node))
    inner = node.this
    if rows_from := node.args.get("rows_from"):
        return _read_rows_from(analysis, rows_from, ctes, scope)
    if isinstance(inner, exp.Func):
        return read_table_function(analysis, inner, ctes, scope)
    if not isinstance(inner, exp.Identifier):
        raise make_not_allowed_error(f"'{quote_short(node.sql())}' in FROM", "name a table there")
    parts = [part.name for part in node.parts]
    key = make_name_key(parts[0], analysis.dialect)
    if len(parts) == 1 and key in ctes:
        if ctes[key].cte != parts[0]:
            analysis.other_letters.append((node, ctes[key].cte))
        return ctes[key]
    name = ".".join(parts)
    known = analysis.names.find(name)
    if known is None:
        if analysis.dialect == "mysql" and name.lower() == "dual" and not inner.quoted:
            analysis.nowhere.append(node)
            return SqlRelation()
        names = analysis.names
        hidden, note = names.is_hidden(name), names.note_on(name)
        raise make_no_table_error(name, names.visible_tables, hidden=hidden, note=note)
    analysis.tables.setdefault(known.table.qualified)
    analysis.found[id(node)] = (node, known)
    if analysis.dialect == "sqlite":
        # A full-text table has a column of its own name, which every alias leaves as it is.
        scope.full_text.setdefault(known.table.name.lower(), known.relation.everything)
    return known.relation


def _read_rows_from(
    analysis: QueryAnalysis, functions: list[exp.Expr], ctes: CteScopes, scope: QueryScope
) -> SqlRelation:
    for item in functions:
        analysis.seen.add(id(item))
        check_table_function(analysis, item.this if isinstance(item, exp.Table) else item)
    lineage = trace_values(analysis, functions, ctes, scope)
    return SqlRelation(open=True, rest=lineage, all_named=True)
