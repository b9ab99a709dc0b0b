"""Rewrites the tree: the catalogue's names, no hidden columns, a limit on the rows."""

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from dataagent_core.tools.data import data_model
from dataagent_core.tools.data.guard.analysis.query_analysis import QueryAnalysis
from dataagent_core.tools.data.guard.known_tables import KnownTable
from dataagent_core.tools.data.guard.parse.sql_dialects import fold_unquoted_name

# DuckDB's functions that are given a function.
_OF_LISTS = frozenset(
    f"{kind}{verb}"
    for kind in ("list_", "array_", "")
    for verb in ("transform", "apply", "filter", "reduce")
)


def fold_names(nodes: list[exp.Expr], dialect: Dialect) -> None:
    """Spell unquoted names as the engine looks them up, so that quoting changes nothing."""
    if fold_unquoted_name("aA", dialect) == "aA":
        return
    for node in nodes:
        if isinstance(node, exp.Identifier) and not node.args.get("quoted"):
            node.set("this", fold_unquoted_name(node.name, dialect))


def undo_parser_changes(nodes: list[exp.Expr], dialect: data_model.Dialect) -> bool:
    """Undo what the parser read differently from the engine; say whether there was any."""
    changed = False
    escaped = exp.ByteString if dialect in {"postgres", "duckdb"} else ()
    for node in nodes:
        # E'...', where nothing is left to escape, is a plain string.
        if isinstance(node, escaped) and "\\" not in node.name:
            node.replace(exp.Literal.string(node.name))
            changed = True
        elif isinstance(node, exp.Lambda):
            changed |= _rewrite_json_arrow(node)
        elif dialect == "duckdb" and isinstance(node, (exp.Column, exp.Dot)):
            changed |= _rewrite_dot_call(node)
    return changed


def _rewrite_dot_call(node: exp.Column | exp.Dot) -> bool:
    """Read x.f(y) as f(x, y), which it is unless x is a schema; then there is no such column."""
    parts: list[exp.Expr] = (
        [node.this, node.expression]
        if isinstance(node, exp.Dot)
        else [part for name in _PARTS if (part := node.args.get(name)) is not None]
    )
    if not any(map(_get_dot_call, parts[1:])):
        return False
    read, names = parts[0], list[exp.Expr]()
    if isinstance(read, exp.Identifier):
        names.append(read)
    for part in parts[1:]:
        if (called := _get_dot_call(part)) is not None:
            first = _make_column(names) if names else read
            read = exp.Anonymous(this=called.this, expressions=[first, *called.expressions])
            names = []
        elif names:
            names.append(part)
        else:
            read = exp.Dot(this=read, expression=part)
    node.replace(read)
    return True


_PARTS = ("catalog", "db", "table", "this")


def _get_dot_call(part: exp.Expr) -> exp.Anonymous | None:
    """Return the call after a dot, as the dialect's parser marks it."""
    inner = part.this if isinstance(part, exp.Paren) else None
    return inner if isinstance(inner, exp.Anonymous) else None


def _make_column(names: list[exp.Expr]) -> exp.Column:
    return exp.Column(**dict(zip(reversed(_PARTS), reversed(names), strict=False)))


def _rewrite_json_arrow(node: exp.Lambda) -> bool:
    """In f(x -> 'path') a function of x that ignores x is JSON's arrow, if f is not of lists."""
    if _get_name(node.parent) in _OF_LISTS:
        return False
    first = node.this
    while isinstance(first, (exp.JSONExtract, exp.JSONExtractScalar)):
        first = first.this
    if not isinstance(first, exp.Literal) or len(node.expressions) != 1:
        return False
    column = exp.Column(this=node.expressions[0].copy())
    first.replace(exp.JSONExtract(this=column, expression=first.copy()))
    node.replace(node.this)
    return True


def _get_name(function: exp.Expr | None) -> str:
    if isinstance(function, exp.Anonymous):
        return function.name.lower()
    return function.sql_name().lower() if isinstance(function, exp.Func) else ""


def make_exact(analysis: QueryAnalysis) -> None:
    """Name tables as the catalogue does, in full, and put what hides columns in their place."""
    for node in analysis.nowhere:
        if isinstance(node.parent, exp.From) and node.parent.parent is not None:
            node.parent.pop()
    if analysis.dialect == "mysql":  # whether letters count there is the server's setting
        for node, cte in analysis.other_letters:
            if not node.alias:
                _set_alias(node, node.name)
            node.set("this", exp.to_identifier(cte, quoted=True))
    for column in analysis.strings:
        column.replace(exp.Literal.string(column.name))
    if any(known.hidden for _, known in analysis.found.values()):
        for column in analysis.in_full:  # what stands there has an alias, and no schema
            column.set("db", None)
            column.set("catalog", None)
    for node, known in analysis.found.values():
        _set_exact_name(node, known)


def _set_exact_name(node: exp.Table, known: KnownTable) -> None:
    table, written = known.table, node.name
    alias = node.args.get("alias")
    node.set("this", exp.to_identifier(table.name, quoted=True))
    schema = table.schema.split(".") if table.schema else []
    node.set("db", exp.to_identifier(schema[-1], quoted=True) if schema else None)
    node.set(
        "catalog", exp.to_identifier(".".join(schema[:-1]), quoted=True) if schema[1:] else None
    )
    if known.hidden:
        _select_visible(node, known, written)
    elif written != table.name and not (alias and alias.this):
        _set_alias(node, written)


def _set_alias(node: exp.Expr, name: str) -> None:
    alias = node.args.get("alias") or exp.TableAlias()
    alias.set("this", exp.to_identifier(name, quoted=True))
    node.set("alias", alias)


def _select_visible(node: exp.Table, known: KnownTable, written: str) -> None:
    """Select the visible columns first: then no star, join or row value can reach the others."""
    columns = [exp.column(name, quoted=True) for name in known.visible]
    bare = exp.Table(**{k: node.args.get(k) for k in ("this", "db", "catalog", "only", "sample")})
    inner = exp.Select(expressions=columns, from_=exp.From(this=bare))
    kept = {k: node.args.get(k) for k in ("alias", "pivots", "joins", "laterals")}
    outer = exp.Subquery(this=inner, **kept)
    if not outer.alias and not kept["pivots"]:
        _set_alias(outer, written)
    node.replace(outer)


def shows_only_visible(node: exp.Table, known: KnownTable) -> bool:
    """Say whether a table with hidden columns stands where `_select_visible` puts it."""
    select = node.parent.parent if isinstance(node.parent, exp.From) else None
    if not isinstance(select, exp.Select) or node.args.get("alias"):
        return False
    used = {name for name, value in select.args.items() if value}
    columns = [e.name for e in select.expressions if isinstance(e, exp.Column)]
    return used == {"expressions", "from_"} and columns == list(known.visible)


def list_bare_names(nodes: list[exp.Expr]) -> frozenset[str]:
    """List the aliases that Spark and BigQuery are written without quotes."""
    views = (n.alias for n in nodes if isinstance(n, exp.Lateral) and n.args.get("view"))
    offsets = (o.name for n in nodes if isinstance(n, exp.Unnest) and (o := n.args.get("offset")))
    return frozenset(name.lower() for name in (*views, *offsets) if isinstance(name, str))


def limit_rows(tree: exp.Expr, rows_max: int) -> exp.Expr:
    """Limit the rows, so that the engine can stop early, in the query's own order."""
    if not isinstance(tree, (exp.Select, exp.SetOperation)):
        return tree
    limit = tree.args.get("limit")
    if limit is None and not tree.args.get("sample"):
        tree.set("limit", exp.Limit(expression=exp.Literal.number(rows_max)))
    elif isinstance(limit, exp.Limit) and not limit.args.get("limit_options"):
        requested = limit.expression
        if (
            isinstance(requested, exp.Literal)
            and not requested.is_string
            and requested.name.isdigit()
        ):
            requested.set("this", str(min(int(requested.name), rows_max)))
    return tree
