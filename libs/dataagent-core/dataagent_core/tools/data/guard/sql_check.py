"""Checks SQL: text in, SQL that may run out. The same text gets the same answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.data_model import Catalogue, Dialect
from dataagent_core.tools.data.guard.analysis.query_analysis import QueryAnalysis
from dataagent_core.tools.data.guard.analysis.query_reader import read_query
from dataagent_core.tools.data.guard.checked_sql import CheckedSql, QueryOutput
from dataagent_core.tools.data.guard.known_tables import KnownTables, get_known_tables
from dataagent_core.tools.data.guard.parse.sql_dialects import get_sql_dialect, write_sql
from dataagent_core.tools.data.guard.parse.sql_tokens import SqlTokens
from dataagent_core.tools.data.guard.parse.statement_parser import list_nodes, parse_with_tokens
from dataagent_core.tools.data.guard.refusals import quote_short
from dataagent_core.tools.data.guard.rewrite.caller_text import is_same_tree, keep_caller_text
from dataagent_core.tools.data.guard.rewrite.output_names import name_outputs
from dataagent_core.tools.data.guard.rewrite.tree_rewrite import (
    fold_names,
    limit_rows,
    list_bare_names,
    make_exact,
    shows_only_visible,
    undo_parser_changes,
)
from dataagent_core.tools.data.guard.tree_shape import check_shape
from dataagent_core.tools.data.guard.word_check import check_words


def check(
    sql: str,
    catalogue: Catalogue,
    *,
    hidden: Sequence[str] = (),
    rows_max: int | None = None,
) -> CheckedSql:
    """Return the SQL to run, without comments and bare names, or refuse it.

    `rows_max` sets a LIMIT on the outermost query; pass one row more to detect further rows.
    """
    names = get_known_tables(catalogue, tuple(hidden))
    dialect = catalogue.dialect
    try:
        return _check(sql, names, dialect, rows_max)
    except RecursionError:
        raise QueryRefusedError(
            "The SQL is nested too deeply: split it with WITH, or ask in steps."
        ) from None


def _check(sql: str, names: KnownTables, dialect: Dialect, rows_max: int | None) -> CheckedSql:
    query = _read_and_check(sql, names, dialect)
    tree, analysis = query.tree, query.analysis
    text = keep_caller_text(query.tokens, query.nodes, analysis) if rows_max is None else None
    make_exact(analysis)
    if rows_max is not None:
        tree = limit_rows(tree, rows_max)
    if text is None or not _reads_as(text, tree, analysis):
        text = write_sql(tree, analysis.traits)
        check_words(text, dialect, analysis.bare)
        _check_again(text, names, dialect)
    return CheckedSql(
        text,
        tuple(analysis.tables),
        query.outputs,
        frozenset(analysis.reads),
        frozenset(analysis.names_from),
    )


@dataclass(frozen=True, slots=True)
class _ReadQuery:
    """A text that was read and fully checked."""

    tokens: SqlTokens
    tree: exp.Expr
    nodes: list[exp.Expr]
    analysis: QueryAnalysis
    outputs: tuple[QueryOutput, ...]


def _read_and_check(sql: str, names: KnownTables, dialect: Dialect) -> _ReadQuery:
    """Read a text and check everything in it."""
    traits = get_sql_dialect(dialect)
    tree, tokens = parse_with_tokens(sql, traits)
    nodes = list_nodes(tree)
    if undo_parser_changes(nodes, dialect) | name_outputs(nodes, dialect):
        nodes = list_nodes(tree)
    check_shape(nodes, dialect)
    fold_names(nodes, traits)
    analysis = QueryAnalysis(tokens.sql, names, dialect, traits, read_query)
    analysis.bare = list_bare_names(nodes)
    outputs = analysis.outputs(tree, {}, None)
    for node in nodes:
        if isinstance(node, exp.Table) and id(node) not in analysis.seen:
            raise QueryRefusedError(
                f"The table '{quote_short(node.name)}' stands where none is expected: name "
                "it in FROM."
            )
    return _ReadQuery(tokens, tree, nodes, analysis, outputs)


def _reads_as(text: str, tree: exp.Expr, analysis: QueryAnalysis) -> bool:
    """Say whether a text passes by itself, and is read as exactly the tree that was checked."""
    try:
        check_words(text, analysis.dialect, analysis.bare)
        again = _check_again(text, analysis.names, analysis.dialect)
    except QueryRefusedError:
        return False
    return is_same_tree(again, tree)


def _check_again(text: str, names: KnownTables, dialect: Dialect) -> exp.Expr:
    """Check the SQL that will run like a text from outside: it must pass unchanged."""
    query = _read_and_check(text, names, dialect)
    for node, known in query.analysis.found.values():
        if known.hidden and not shows_only_visible(node, known):
            raise QueryRefusedError(
                f"The table '{node.name}' cannot be used like this: select its columns by name."
            )
    return query.tree
