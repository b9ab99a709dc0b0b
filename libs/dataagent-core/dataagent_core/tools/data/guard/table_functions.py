"""Table functions: rows made from a list, a range or a text, and nothing read from elsewhere."""

from sqlglot import exp

from dataagent_core.tools.data.guard.allowed.names import TABLE_FUNCTION_NODES, TABLE_FUNCTIONS
from dataagent_core.tools.data.guard.expressions import value
from dataagent_core.tools.data.guard.refusals import not_allowed, short
from dataagent_core.tools.data.guard.relations import Relation
from dataagent_core.tools.data.guard.scopes import Scope
from dataagent_core.tools.data.guard.understanding import Ctes, Understanding

# What PostgreSQL's table functions call their columns when nobody renames them.
_OWN_COLUMNS = ("key", "value", "ordinality", "generate_series", "unnest")


def made_rows(
    understanding: Understanding, function: exp.Expr, ctes: Ctes, scope: Scope
) -> Relation:
    """Check a function in FROM; its columns are the engine's to count."""
    check_table_function(understanding, function)
    lineage = value(understanding, function, ctes, scope)
    scope.functions.append((function, lineage))
    if understanding.dialect != "postgres":
        return Relation(open=True, rest=lineage)
    # There `x.f` calls f(x) where x has no column f, so names are taken from a closed list.
    around = function.parent if isinstance(function.parent, (exp.Table, exp.Lateral)) else function
    called = function.name if isinstance(function, exp.Anonymous) else ""
    names = (around.alias, called, *_OWN_COLUMNS)
    columns = tuple((name, lineage) for name in names if name)
    return Relation(columns, open=True, rest=lineage, all_named=True)


def check_order(understanding: Understanding, ctes: Ctes, scope: Scope) -> None:
    """Refuse a function that reads a source after it: SQLite lets it, the others do not."""
    if understanding.dialect != "sqlite":
        return
    for function, lineage in scope.functions:
        if value(understanding, function, ctes, scope) != lineage:
            raise not_allowed(
                "A function in FROM before the table it reads", "name the table before it"
            )


def check_table_function(understanding: Understanding, function: exp.Expr) -> None:
    """Refuse a function in FROM that is not on its short list."""
    # SQLite has none of these: only functions of its own, which are listed by name.
    if understanding.dialect != "sqlite" and type(function).__name__ in TABLE_FUNCTION_NODES:
        return
    name = function.name if isinstance(function, exp.Anonymous) else ""
    if name.lower() not in TABLE_FUNCTIONS[understanding.dialect]:
        shown = short(name or type(function).__name__)
        raise not_allowed(f"The function {shown}() in FROM", "select from the source's own tables")
