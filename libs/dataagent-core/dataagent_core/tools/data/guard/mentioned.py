"""Which tables a query names, before it is known which there are."""

from sqlglot import exp

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.guard.dialects import dialect_of
from dataagent_core.tools.data.guard.reading import nodes_of, read
from dataagent_core.tools.data.model import Dialect


def tables_named(sql: str, dialect: Dialect) -> tuple[str, ...]:
    """List the names that stand where tables do, without those the query makes itself (WITH)."""
    try:
        nodes = nodes_of(read(sql, dialect_of(dialect)))
    except RecursionError:
        raise QueryRefusedError(
            "The SQL is nested too deeply: split it with WITH, or ask in steps."
        ) from None
    own = {node.alias.lower() for node in nodes if isinstance(node, exp.CTE)}
    named = (node.name for node in nodes if isinstance(node, exp.Table))
    return tuple(name for name in named if name and name.lower() not in own)
