"""WITH: which names are CTEs from where on. Where engines disagree about a name, it is refused."""

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from dataagent_core.tools.data.guard.refusals import not_allowed
from dataagent_core.tools.data.guard.relations import Relation, from_outputs
from dataagent_core.tools.data.guard.scopes import Scope
from dataagent_core.tools.data.guard.spelling import key_of
from dataagent_core.tools.data.guard.understanding import Ctes, Understanding

# Rounds after which a recursive CTE's columns are taken to derive from all it reads.
_ROUNDS_MAX = 4


def with_ctes(
    understanding: Understanding, query: exp.Expr, ctes: Ctes, outer: Scope | None
) -> Ctes:
    """Read a query's WITH and give the CTEs its body may name."""
    with_ = query.args.get("with_")
    if with_ is None:
        return ctes
    known = dict(ctes)
    # In SQLite every CTE may name itself, whatever WITH says.
    recursive = bool(with_.args.get("recursive")) or understanding.dialect == "sqlite"
    dialect = understanding.dialect
    later = {cte.alias.lower() for cte in with_.expressions}
    for cte in with_.expressions:
        name = key_of(cte.alias, dialect)
        columns = [c.name for c in cte.args["alias"].args.get("columns") or []]
        later.discard(cte.alias.lower())
        # Whatever its letters: a name that is no CTE yet is a table's.
        if recursive and any(
            table.name.lower() in later and key_of(table.name, dialect) not in known
            for table in _bare_tables(cte)
        ):
            raise not_allowed("A CTE used before it is defined", "define it first")
        if recursive and any(key_of(table.name, dialect) == name for table in _bare_tables(cte)):
            relation = _recursive(understanding, cte, columns, known, outer)
        else:
            relation = from_outputs(understanding.outputs(cte.this, known, outer)).renamed(columns)
        known[name] = replace(_with_added(relation, with_), cte=cte.alias)
    return known


def _bare_tables(cte: exp.Expr) -> Iterator[exp.Table]:
    """List the tables of a CTE whose names an engine could take for another CTE's."""
    return (table for table in cte.find_all(exp.Table) if not table.db)


def _recursive(
    understanding: Understanding,
    cte: exp.Expr,
    columns: list[str],
    ctes: Ctes,
    outer: Scope | None,
) -> Relation:
    query, name = cte.this, key_of(cte.alias, understanding.dialect)
    start = query.unnest() if isinstance(query, exp.Subquery) else query
    if not isinstance(start, exp.SetOperation):
        raise not_allowed(f"The CTE {cte.alias} inside itself", "begin with rows, then UNION ALL")
    inner = with_ctes(understanding, start, ctes, outer)
    relation = from_outputs(understanding.outputs(start.this, inner, outer)).renamed(columns)
    for _ in range(_ROUNDS_MAX):
        again = {**ctes, name: replace(relation, cte=cte.alias)}
        grown = from_outputs(understanding.outputs(query, again, outer)).renamed(columns)
        if grown == relation:
            return relation
        relation = grown
    everything = relation.everything
    return Relation(tuple((n, everything) for n, _ in relation.columns), relation.open, everything)


def _with_added(relation: Relation, with_: exp.Expr) -> Relation:
    """Add the columns that SEARCH and CYCLE make."""
    added = [part for name in ("search", "cycle") if (part := with_.args.get(name))]
    if not added:
        return relation
    everything = relation.everything
    names = [found.name for part in added for found in part.find_all(exp.Identifier)]
    columns = (*relation.columns, *((name, everything) for name in names))
    return Relation(columns, open=True, rest=everything, all_named=not relation.lenient)
