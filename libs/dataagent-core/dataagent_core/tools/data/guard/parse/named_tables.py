"""Lists the tables that a query names, without a catalogue."""

from sqlglot import exp

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.data_model import Dialect
from dataagent_core.tools.data.guard.parse.sql_dialects import get_sql_dialect
from dataagent_core.tools.data.guard.parse.statement_parser import list_nodes, parse_statement


def find_named_tables(sql: str, dialect: Dialect) -> tuple[str, ...]:
    """List the names of tables, without those the query defines itself (WITH)."""
    try:
        nodes = list_nodes(parse_statement(sql, get_sql_dialect(dialect)))
    except RecursionError:
        raise QueryRefusedError(
            "The SQL is nested too deeply: split it with WITH, or ask in steps."
        ) from None
    own = {node.alias.lower() for node in nodes if isinstance(node, exp.CTE)}
    named = (node.name for node in nodes if isinstance(node, exp.Table))
    return tuple(name for name in named if name and name.lower() not in own)
