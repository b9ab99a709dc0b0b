"""Reads WITH: which names are CTEs, and from where on. An ambiguous name is refused."""

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from dataagent_core.tools.data.guard.analysis.query_analysis import CteScopes, QueryAnalysis
from dataagent_core.tools.data.guard.analysis.scopes import QueryScope
from dataagent_core.tools.data.guard.analysis.sql_relations import SqlRelation, make_relation
from dataagent_core.tools.data.guard.parse.name_keys import make_name_key
from dataagent_core.tools.data.guard.refusals import make_not_allowed_error

# Rounds after which a recursive CTE's columns are taken to derive from all it reads.
_ROUNDS_MAX = 4


def read_ctes(
    analysis: QueryAnalysis, query: exp.Expr, ctes: CteScopes, outer: QueryScope | None
) -> CteScopes:
    """Read a query's WITH and return the CTEs its body may name."""
    with_ = query.args.get("with_")
    if with_ is None:
        return ctes
    known = dict(ctes)
    # In SQLite every CTE may name itself, whatever WITH says.
    recursive = bool(with_.args.get("recursive")) or analysis.dialect == "sqlite"
    dialect = analysis.dialect
    later = {cte.alias.lower() for cte in with_.expressions}
    for cte in with_.expressions:
        name = make_name_key(cte.alias, dialect)
        columns = [c.name for c in cte.args["alias"].args.get("columns") or []]
        later.discard(cte.alias.lower())
        # Whatever its letters: a name that is no CTE yet is a table's.
        if recursive and any(
            table.name.lower() in later and make_name_key(table.name, dialect) not in known
            for table in _list_bare_tables(cte)
        ):
            raise make_not_allowed_error("A CTE used before it is defined", "define it first")
        if recursive and any(
            make_name_key(table.name, dialect) == name for table in _list_bare_tables(cte)
        ):
            relation = _read_recursive(analysis, cte, columns, known, outer)
        else:
            relation = make_relation(analysis.outputs(cte.this, known, outer)).renamed(columns)
        known[name] = replace(_add_search_columns(relation, with_), cte=cte.alias)
    return known


def _list_bare_tables(cte: exp.Expr) -> Iterator[exp.Table]:
    """List the tables of a CTE whose names an engine could take for another CTE's."""
    return (table for table in cte.find_all(exp.Table) if not table.db)


def _read_recursive(
    analysis: QueryAnalysis,
    cte: exp.Expr,
    columns: list[str],
    ctes: CteScopes,
    outer: QueryScope | None,
) -> SqlRelation:
    query, name = cte.this, make_name_key(cte.alias, analysis.dialect)
    start = query.unnest() if isinstance(query, exp.Subquery) else query
    if not isinstance(start, exp.SetOperation):
        raise make_not_allowed_error(
            f"The CTE {cte.alias} inside itself", "begin with rows, then UNION ALL"
        )
    inner = read_ctes(analysis, start, ctes, outer)
    relation = make_relation(analysis.outputs(start.this, inner, outer)).renamed(columns)
    for _ in range(_ROUNDS_MAX):
        again = {**ctes, name: replace(relation, cte=cte.alias)}
        grown = make_relation(analysis.outputs(query, again, outer)).renamed(columns)
        if grown == relation:
            return relation
        relation = grown
    everything = relation.everything
    return SqlRelation(
        tuple((n, everything) for n, _ in relation.columns), relation.open, everything
    )


def _add_search_columns(relation: SqlRelation, with_: exp.Expr) -> SqlRelation:
    """Add the columns that SEARCH and CYCLE make."""
    added = [part for name in ("search", "cycle") if (part := with_.args.get(name))]
    if not added:
        return relation
    everything = relation.everything
    names = [found.name for part in added for found in part.find_all(exp.Identifier)]
    columns = (*relation.columns, *((name, everything) for name in names))
    return SqlRelation(columns, open=True, rest=everything, all_named=not relation.lenient)
