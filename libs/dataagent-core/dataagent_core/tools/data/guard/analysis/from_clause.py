"""What may stand in FROM: tables of the catalogue, CTEs, queries, and a few table functions."""

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
    understanding: QueryAnalysis, node: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> None:
    """Check one item of FROM, with what is joined to it, and add it to the scope."""
    scope.add(node.alias_or_name, _relation(understanding, node, ctes, scope))
    _read_attached(understanding, node, ctes, scope)


def read_join(
    understanding: QueryAnalysis, join: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> None:
    """Check what is joined and how, and put its columns where `*` shows them."""
    node = join.this
    words = set(f"{join.args.get('method') or ''} {join.args.get('kind') or ''}".upper().split())
    shown = words.isdisjoint({"SEMI", "ANTI"})
    using = {
        make_name_key(name.name, understanding.dialect) for name in join.args.get("using") or []
    }
    merged = shown and (bool(using) or "NATURAL" in words)
    relation = _relation(understanding, node, ctes, scope)
    scope.add(node.alias_or_name, relation, in_star=shown and not merged)
    if merged:
        understanding.reads |= _compared(using, relation, scope)
        if understanding.dialect == "mysql" and str(join.args.get("side")).upper() == "RIGHT":
            relation = replace(relation, open=True)  # turned around there, its columns too
        first = str(understanding.traits.USING_COLUMN_ORDER.name) != "IN_PLACE"
        scope.merge(using or None, relation, first=first)
    # SQLite joins from left to right, the others join before they come to a comma.
    scope.has_comma |= understanding.dialect != "sqlite" and _may_be_comma(join)
    _read_attached(understanding, node, ctes, scope)
    parts = (join.args.get(name) for name in ("on", "expressions", "pivots"))
    trace_values(understanding, parts, ctes, scope)


def _may_be_comma(join: exp.Expr) -> bool:
    """Say whether a comma was written; the parser reads JOIN without ON as one too."""
    return not any(join.args.get(name) for name in ("kind", "side", "method", "on", "using"))


def _compared(using: set[str], right: SqlRelation, scope: QueryScope) -> ColumnLineage:
    """Give what a join by names compares; where they cannot be listed, everything."""
    if right.open or any(source.open for source in scope.sources.values()):
        return scope.everything
    names = using or {name for name, _ in right.columns}
    return NO_LINEAGE.union(*(scope.here(name) or NO_LINEAGE for name in names))


def _read_attached(
    understanding: QueryAnalysis, node: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> None:
    for lateral in node.args.get("laterals") or []:
        read_source(understanding, lateral, ctes, scope)
    for join in node.args.get("joins") or []:
        read_join(understanding, join, ctes, scope)


def _relation(
    understanding: QueryAnalysis, node: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> SqlRelation:
    relation = _bare(understanding, node, ctes, scope)
    for pivot in node.args.get("pivots") or []:
        relation = read_pivot(understanding, pivot, relation, ctes, scope.outer)
    if sample := node.args.get("sample"):
        trace_value(understanding, sample, ctes, scope)
    alias = node.args.get("alias")
    columns = [c.name for c in alias.args.get("columns") or []] if alias else []
    relation = relation.renamed(columns)
    understanding.spend(len(relation.columns) + 1)
    if isinstance(place := node.args.get("offset"), exp.Identifier):  # WITH ORDINALITY
        relation = replace(relation, columns=(*relation.columns, (place.name, relation.rest)))
    return relation


def _bare(
    understanding: QueryAnalysis, node: exp.Expr, ctes: CteScopes, scope: QueryScope
) -> SqlRelation:
    match node:
        case exp.Table():
            return _table(understanding, node, ctes, scope)
        case exp.Subquery(this=inner) if _is_source(inner):
            return _in_brackets(understanding, node, ctes, scope)
        case exp.Subquery() | exp.Values() | exp.Pivot():
            # DuckDB lets a query in FROM see what stands before it.
            around = scope if understanding.dialect == "duckdb" else scope.outer
            return make_relation(understanding.outputs(node, ctes, around))
        case exp.Lateral(this=exp.Subquery() as query):
            return make_relation(understanding.outputs(query, ctes, scope))
        case exp.Lateral() | exp.Unnest():
            function = node.this if isinstance(node, exp.Lateral) else node
            return read_table_function(understanding, function, ctes, scope)
        case exp.Final():
            return _relation(understanding, node.this, ctes, scope)
        case _:
            raise make_not_allowed_error(
                f"{type(node).__name__} in FROM", "name a table or a query there"
            )


def _is_source(node: object) -> bool:
    """Tell tables joined in brackets from a query in brackets."""
    if isinstance(node, exp.Subquery):
        return bool(node.alias or node.args.get("joins"))
    return isinstance(node, exp.Table)


def _in_brackets(
    understanding: QueryAnalysis, node: exp.Subquery, ctes: CteScopes, scope: QueryScope
) -> SqlRelation:
    """Read joined tables in brackets; without an alias their own names stay known."""
    within, dialect = understanding.scope(scope.outer), understanding.dialect
    read_source(understanding, node.this, ctes, within)
    scope.functions += within.functions
    if not node.alias:
        scope.take_names(within)
    relation = make_relation(within.star)
    # SQLite shows them in another order than without brackets, unless nothing stands before.
    return replace(relation, open=True) if within.is_merged and dialect == "sqlite" else relation


def _table(
    understanding: QueryAnalysis, node: exp.Table, ctes: CteScopes, scope: QueryScope
) -> SqlRelation:
    understanding.seen.add(id(node))
    inner = node.this
    if rows_from := node.args.get("rows_from"):
        return _rows_from(understanding, rows_from, ctes, scope)
    if isinstance(inner, exp.Func):
        return read_table_function(understanding, inner, ctes, scope)
    if not isinstance(inner, exp.Identifier):
        raise make_not_allowed_error(f"'{quote_short(node.sql())}' in FROM", "name a table there")
    parts = [part.name for part in node.parts]
    key = make_name_key(parts[0], understanding.dialect)
    if len(parts) == 1 and key in ctes:
        if ctes[key].cte != parts[0]:
            understanding.other_letters.append((node, ctes[key].cte))
        return ctes[key]
    name = ".".join(parts)
    known = understanding.names.find(name)
    if known is None:
        if understanding.dialect == "mysql" and name.lower() == "dual" and not inner.quoted:
            understanding.nowhere.append(node)
            return SqlRelation()
        names = understanding.names
        hidden, note = names.is_hidden(name), names.note_on(name)
        raise make_no_table_error(name, names.visible_tables, hidden=hidden, note=note)
    understanding.tables.setdefault(known.table.qualified)
    understanding.found[id(node)] = (node, known)
    if understanding.dialect == "sqlite":
        # A full-text table has a column of its own name, which every alias leaves as it is.
        scope.full_text.setdefault(known.table.name.lower(), known.relation.everything)
    return known.relation


def _rows_from(
    understanding: QueryAnalysis, functions: list[exp.Expr], ctes: CteScopes, scope: QueryScope
) -> SqlRelation:
    for item in functions:
        understanding.seen.add(id(item))
        check_table_function(understanding, item.this if isinstance(item, exp.Table) else item)
    lineage = trace_values(understanding, functions, ctes, scope)
    return SqlRelation(open=True, rest=lineage, all_named=True)
