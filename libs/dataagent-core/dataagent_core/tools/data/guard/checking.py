"""The whole way: text in, SQL that may run out. Pure; the same text gets the same answer."""

from collections.abc import Sequence

from sqlglot import exp

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.guard.checked import Checked, Output
from dataagent_core.tools.data.guard.dialects import dialect_of, written
from dataagent_core.tools.data.guard.names import Names, names_of
from dataagent_core.tools.data.guard.queries import read_query
from dataagent_core.tools.data.guard.reading import nodes_of, read
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
    """Give the SQL to run, or say why there is none; never run the caller's own text.

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
    traits = dialect_of(dialect)
    tree, understanding, outputs = _understood(sql, names, dialect)
    make_exact(understanding)
    if rows_max is not None:
        tree = limit_rows(tree, rows_max)
    text = written(tree, traits)
    check_words(text, dialect, understanding.bare)
    _check_again(text, names, dialect)
    return Checked(
        text,
        tuple(understanding.tables),
        outputs,
        frozenset(understanding.reads),
        frozenset(understanding.names_from),
    )


def _understood(
    sql: str, names: Names, dialect: Dialect
) -> tuple[exp.Expr, Understanding, tuple[Output, ...]]:
    """Read a text and check everything in it."""
    traits = dialect_of(dialect)
    tree = read(sql, traits)
    nodes = nodes_of(tree)
    if as_meant(nodes, dialect):
        nodes = nodes_of(tree)
    check_shape(nodes, dialect)
    fold_names(nodes, traits)
    understanding = Understanding(sql, names, dialect, traits, read_query)
    understanding.bare = bare_names(nodes)
    outputs = understanding.outputs(tree, {}, None)
    for node in nodes:
        if isinstance(node, exp.Table) and id(node) not in understanding.seen:
            raise QueryRefusedError(
                f"The table '{short(node.name)}' stands where none is expected: name it in FROM."
            )
    return tree, understanding, outputs


def _check_again(text: str, names: Names, dialect: Dialect) -> None:
    """Read what will run as if somebody else had written it: it must pass as it is."""
    _, understanding, _ = _understood(text, names, dialect)
    for node, known in understanding.found.values():
        if known.hidden and not shows_only_visible(node, known):
            raise QueryRefusedError(
                f"The table '{node.name}' cannot be used like this: select its columns by name."
            )
