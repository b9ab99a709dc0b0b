"""Checks that a tree has only allowed node classes, arguments and functions."""

from collections.abc import Mapping

from sqlglot import exp

from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.data_model import Dialect
from dataagent_core.tools.data.guard.allowed.function_nodes import (
    FUNCTION_NODES,
    NAMED_FUNCTION_NODES,
)
from dataagent_core.tools.data.guard.allowed.functions_by_dialect import FUNCTIONS
from dataagent_core.tools.data.guard.allowed.query_nodes import (
    ARGUMENTS,
    FORBIDDEN_ARGUMENTS,
    NODES,
    TYPES,
)
from dataagent_core.tools.data.guard.parse.statement_parser import READING_ONLY
from dataagent_core.tools.data.guard.refusals import make_not_allowed_error, quote_short

_CHANGING = "only a query that reads may run, and sql_write is the tool for changes"
# What it is called, the way out, and the way out of a person where the first one is a tool.
_CONSTRUCTS: Mapping[str, tuple[str, str] | tuple[str, str, str]] = {
    "Into": ("INTO", "leave it out, and the result is kept under an id"),
    "Lock": ("FOR UPDATE or FOR SHARE", "leave it out, nothing is locked by reading"),
    "Parameter": ("A variable or parameter", "write the value itself"),
    "SessionParameter": ("A server variable", "ask about data, not about the server"),
    "Placeholder": ("A placeholder", "write the value itself"),
    "Hint": ("A hint", "leave it out"),
    "IndexTableHint": ("An index hint", "leave it out"),
    "Operator": ("OPERATOR(...)", "write the operator itself"),
    "Insert": ("INSERT", _CHANGING, READING_ONLY),
    "Update": ("UPDATE", _CHANGING, READING_ONLY),
    "Delete": ("DELETE", _CHANGING, READING_ONLY),
    "Merge": ("MERGE", _CHANGING, READING_ONLY),
    "Command": ("This statement", _CHANGING, READING_ONLY),
    "UnicodeString": ("A string with U&", "write the characters themselves"),
    "ByteString": ("A string with escapes or bytes", "write the characters, or use chr()"),
    "Introducer": ("A character set before a string", "leave it out"),
    "Version": ("Time travel", "leave it out, queries read the data as it is now"),
    "HistoricalData": ("Time travel", "leave it out, queries read the data as it is now"),
    "QueryTransform": ("TRANSFORM ... USING", "scripts cannot run inside a query"),
    "NextValueFor": ("A sequence", "reading one changes it"),
    "Summarize": (
        "SUMMARIZE",
        "data_describe with profile=true tells what columns hold",
        READING_ONLY,
    ),
    "Describe": ("DESCRIBE", "data_describe tells what a table holds", READING_ONLY),
    "Show": ("SHOW", "data_search_catalog tells what there is", READING_ONLY),
}
_ARGUMENTS = {
    "into": "INTO",
    "locks": "FOR UPDATE or FOR SHARE",
    "hint": "A hint",
    "hints": "A table hint",
    "operation_modifiers": "A modifier such as SQL_CALC_FOUND_ROWS",
    "settings": "SETTINGS",
    "format": "FORMAT",
    "options": "A query option",
    "version": "Time travel",
    "system_time": "Time travel",
    "when": "Time travel",
    "changes": "CHANGES",
    "partition": "Choosing a partition",
    "indexed": "INDEXED BY",
    "operator": "OPERATOR(...)",
    "kind": "SELECT AS",
    "connect": "CONNECT BY",
    "match": "MATCH_RECOGNIZE",
}


def _list_classes(names: frozenset[str]) -> frozenset[type[exp.Expr]]:
    return frozenset(getattr(exp, name) for name in names)


_NODES = _list_classes(NODES - {"Column", "Dot", "DataType"})
_FUNCTION_NODES = _list_classes(FUNCTION_NODES)
_NAMED = _list_classes(NAMED_FUNCTION_NODES)
_ARGUMENTS_OF = {getattr(exp, name): arguments for name, arguments in ARGUMENTS.items()}


def check_shape(nodes: list[exp.Expr], dialect: Dialect) -> None:
    """Refuse the first node that is on no list."""
    functions = FUNCTIONS[dialect]
    for node in nodes:
        _check_node(node, functions)
    tree = nodes[0]
    root = tree.unnest() if isinstance(tree, exp.Subquery) else tree
    if not isinstance(root, (exp.Query, exp.Pivot, exp.Values)):
        raise make_not_allowed_error(f"A bare {type(root).__name__}", "write a SELECT query")


def _check_node(node: exp.Expr, functions: frozenset[str]) -> None:
    kind = type(node)
    if kind in _NODES or kind in _FUNCTION_NODES:
        pass
    elif kind in _NAMED:
        _check_name(node, functions)
    elif isinstance(node, exp.Column):
        if not all(isinstance(part, (exp.Identifier, exp.Star)) for part in node.parts):
            raise make_not_allowed_error("A part of a name that is no name", "write table.column")
    elif kind is exp.Dot:
        if isinstance(node.expression.unnest(), exp.Func):
            raise _make_qualified_error(node)
    elif kind is exp.DataType:
        _check_type(node)
    else:
        name = kind.__name__
        raise make_not_allowed_error(
            *_CONSTRUCTS.get(name, (name, "it is not needed to read data"))
        )
    _check_arguments(node)


def _check_arguments(node: exp.Expr) -> None:
    allowed = _ARGUMENTS_OF.get(type(node))
    if allowed is not None:
        wrong = node.args.keys() - allowed
    elif FORBIDDEN_ARGUMENTS.isdisjoint(node.args):
        return
    else:
        wrong = FORBIDDEN_ARGUMENTS & node.args.keys()
    for name in sorted(wrong):
        if node.args[name]:
            raise _make_argument_error(name)


def _check_name(node: exp.Expr, functions: frozenset[str]) -> None:
    name = node.name
    if name.lower() not in functions:
        raise make_not_allowed_error(
            f"The function {quote_short(name)}()",
            "it is not on the list of functions that only compute from data",
        )
    # A quoted name is the same function; unquoted it cannot mean another.
    node.set("this", name)


def _check_type(node: exp.Expr) -> None:
    kind = node.this
    name = kind.name if isinstance(kind, exp.DType) else str(kind)
    if name not in TYPES:
        raise make_not_allowed_error(
            f"A cast to {quote_short(node.sql())}", "cast to text, a number, a date or JSON instead"
        )


def _make_qualified_error(node: exp.Expr) -> QueryRefusedError:
    name = node.expression.name if isinstance(node.expression, exp.Anonymous) else "a function"
    return make_not_allowed_error(
        f"Calling {quote_short(name or 'a function')} through a dot",
        "write f(x) without a schema or an object before it",
    )


def _make_argument_error(name: str) -> QueryRefusedError:
    construct = _ARGUMENTS.get(name, name.strip("_").upper().replace("_", " "))
    return make_not_allowed_error(construct, "leave it out, it is not needed to read data")
