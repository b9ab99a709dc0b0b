"""What a query calls: the functions, operators and types that stand in SQL the guard let through.

A word before a bracket is a function, in quotes or without (or a keyword, which no database lets
anybody define, or a name with its columns). An engine looks such a name up among its own functions
and among those somebody made in the database. A list of allowed names says nothing about these.
"""

import re
from collections.abc import Iterable

from ..question_server import OwnQuestionError

# Looked for in texts and quoted names too: where these end is the engine's to say, and a name too
# many is only ever compared with what somebody made.
# Those that may be called have plain names, so a sign of quotation can only be around a whole one.
_FUNCTION = re.compile(r"""([^\W\d][\w$]*)["`]?\s*\(""")
_SIGNS = re.compile(r"[-+*/<>=~!@#%^&|?]+")
_QUALIFIED = re.compile(r'"((?:[^"]|"")+)"\s*\.\s*"((?:[^"]|"")+)"')
# The type of a cast, in each way to write one, and those of the columns a function is to give.
_TYPE = re.compile(
    r'(?:\b(?:AS|RETURNING)\s+|::\s*|[(,]\s*"(?:[^"]|"")+"\s+)([A-Za-z_][A-Za-z0-9_$]*)',
    re.IGNORECASE,
)
_TYPE_OF_TEXT = re.compile(r"([A-Za-z_][A-Za-z0-9_$]*)\s*'")
_IMPLIED = frozenset({"=", "<>", "<", ">", "<=", ">=", "~", "!~", "~~", "!~~", "~~*", "!~~*"})
# PostgreSQL's longest name.
_OPERATOR_CHARS_MAX = 63
_NAMES_SHOWN_MAX = 3


def list_called_functions(sql: str) -> list[str]:
    """List the names that stand before a bracket, as they are and in lower case."""
    written = set(_FUNCTION.findall(sql))
    return sorted(written | {name.lower() for name in written})


def list_used_operators(sql: str) -> list[str]:
    """List the signs that stand together, and those that words such as LIKE and IN stand for."""
    found = {
        run[start:end]
        for run in {run[:_OPERATOR_CHARS_MAX] for run in _SIGNS.findall(sql)}
        for start in range(len(run))
        for end in range(start + 1, len(run) + 1)
    }
    return sorted(found | _IMPLIED)


def list_named_types(sql: str) -> list[str]:
    """List the words that stand where a type does, in lower case."""
    return sorted({word.lower() for way in (_TYPE, _TYPE_OF_TEXT) for word in way.findall(sql)})


def list_qualified_names(sql: str) -> list[tuple[str, str]]:
    """List the pairs of quoted names joined by a dot: tables with their schemas among them."""
    pairs = ((match[1], match[2]) for match in _QUALIFIED.finditer(sql))
    return sorted({(a.replace('""', '"'), b.replace('""', '"')) for a, b in pairs})


def refuse_foreign_names(names: Iterable[str]) -> None:
    """Refuse a query that would run what somebody made in the database."""
    found = sorted(set(names))
    if not found:
        return
    shown = ", ".join(found[:_NAMES_SHOWN_MAX])
    raise OwnQuestionError(
        f"The query was not run: {shown} would be used, which somebody made in this database. "
        "Only what the database brings itself may run in a query; write it another way."
    )
