"""The whole way: text in, SQL that may run out. Pure; the same text gets the same answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.guard.as_written import as_written, same_tree
from dataagent_core.tools.data.guard.checked import Checked, Output
from dataagent_core.tools.data.guard.dialects import dialect_of, written
from dataagent_core.tools.data.guard.names import Names, names_of
from dataagent_core.tools.data.guard.output_names import name_outputs
from dataagent_core.tools.data.guard.queries import read_query
from dataagent_core.tools.data.guard.reading import nodes_of, read_with_tokens
from dataagent_core.tools.data.guard.refusals import short
from dataagent_core.tools.data.guard.rewriting import (
    as_meant,
    bare_names,
    fold_names,
    limit_rows,
    make_exact,
    shows_only_visible,
)
from dataagent_core.tools.data.guard.shape import check_shape
from dataagent_core.tools.data.guard.tokens import Tokens
from dataagent_core.tools.data.guard.understanding import Understanding
from dataagent_core.tools.data.guard.words import check_words
from dataagent_core.tools.data.model import Catalogue, Dialect


def check(
    sql: str,
    catalogue: Catalogue,
    *,
    hidden: Sequence[str] = (),
    rows_max: int | None = None,
) -> Checked:
    """Give the SQL to run, or say why there is none; no comment and no bare name is in it.

    `rows_max` puts a LIMIT on the outermost query; ask for one row more to see that there are more.
    """
    names = names_of(catalogue, tuple(hidden))
    dialect = catalogue.dialect
    try:
        return _check(sql, names, dialect, rows_max)
    except RecursionError:
        raise QueryRefusedError(
            "The SQL is nested too deeply: split it with WITH, or ask in steps."
        ) from None


def _check(sql: str, names: Names, dialect: Dialect, rows_max: int | None) -> Checked:
    query = _understood(sql, names, dialect)
    tree, understanding = query.tree, query.understanding
    text = as_written(query.tokens, query.nodes, understanding) if rows_max is None else None
    make_exact(understanding)
    if rows_max is not None:
        tree = limit_rows(tree, rows_max)
    if text is None or not _reads_as(text, tree, understanding):
        text = written(tree, understanding.traits)
        check_words(text, dialect, understanding.bare)
        _check_again(text, names, dialect)
    return Checked(
        text,
        tuple(understanding.tables),
        query.outputs,
        frozenset(understanding.reads),
        frozenset(understanding.names_from),
    )


@dataclass(frozen=True, slots=True)
class _Query:
    """A text that was read, in which everything was checked."""

    tokens: Tokens
    tree: exp.Expr
    nodes: list[exp.Expr]
    understanding: Understanding
    outputs: tuple[Output, ...]


def _understood(sql: str, names: Names, dialect: Dialect) -> _Query:
    """Read a text and check everything in it."""
    traits = dialect_of(dialect)
    tree, tokens = read_with_tokens(sql, traits)
    nodes = nodes_of(tree)
    if as_meant(nodes, dialect) | name_outputs(nodes, dialect):
        nodes = nodes_of(tree)
    check_shape(nodes, dialect)
    fold_names(nodes, traits)
    understanding = Understanding(tokens.sql, names, dialect, traits, read_query)
    understanding.bare = bare_names(nodes)
    outputs = understanding.outputs(tree, {}, None)
    for node in nodes:
        if isinstance(node, exp.Table) and id(node) not in understanding.seen:
            raise QueryRefusedError(
                f"The table '{short(node.name)}' stands where none is expected: name it in FROM."
            )
    return _Query(tokens, tree, nodes, understanding, outputs)


def _reads_as(text: str, tree: exp.Expr, understanding: Understanding) -> bool:
    """Say whether a text passes by itself, and is read as exactly the tree that was checked."""
    try:
        check_words(text, understanding.dialect, understanding.bare)
        again = _check_again(text, understanding.names, understanding.dialect)
    except QueryRefusedError:
        return False
    return same_tree(again, tree)


def _check_again(text: str, names: Names, dialect: Dialect) -> exp.Expr:
    """Read what will run as if somebody else had written it: it must pass as it is."""
    query = _understood(text, names, dialect)
    for node, known in query.understanding.found.values():
        if known.hidden and not shows_only_visible(node, known):
            raise QueryRefusedError(
                f"The table '{node.name}' cannot be used like this: select its columns by name."
            )
    return query.tree
