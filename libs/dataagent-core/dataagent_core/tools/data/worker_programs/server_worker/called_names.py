"""Lists the functions, operators and types that a query uses, after the guard allowed it.

A word before a bracket is a function, quoted or not (or a keyword, which nobody can define, or a
name with its columns). An engine looks up such a name among its own functions and among those that
users defined in the database. The list of allowed names says nothing about the latter.
"""

import re
from collections.abc import Iterable

from ..question_server import OwnQuestionError

# Texts and quoted names are searched too: only the engine knows where they end, and a superfluous
# name is only compared with user-defined functions.
# Allowed functions have plain names, so quotes can only surround a whole name.
_FUNCTION = re.compile(r"""([^\W\d][\w$]*)["`]?\s*\(""")
_SIGNS = re.compile(r"[-+*/<>=~!@#%^&|?]+")
_QUALIFIED = re.compile(r'"((?:[^"]|"")+)"\s*\.\s*"((?:[^"]|"")+)"')
# The type of a cast, in every notation, and the types of the columns a function returns.
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
    """List the names before a bracket, as written and in lower case."""
    written = set(_FUNCTION.findall(sql))
    return sorted(written | {name.lower() for name in written})


def list_used_operators(sql: str) -> list[str]:
    """List the operators, and those that words such as LIKE and IN imply."""
    found = {
        run[start:end]
        for run in {run[:_OPERATOR_CHARS_MAX] for run in _SIGNS.findall(sql)}
        for start in range(len(run))
        for end in range(start + 1, len(run) + 1)
    }
    return sorted(found | _IMPLIED)


def list_named_types(sql: str) -> list[str]:
    """List the words in the position of a type, in lower case."""
    return sorted({word.lower() for way in (_TYPE, _TYPE_OF_TEXT) for word in way.findall(sql)})


def list_qualified_names(sql: str) -> list[tuple[str, str]]:
    """List the pairs of quoted names joined by a dot, such as schema and table."""
    pairs = ((match[1], match[2]) for match in _QUALIFIED.finditer(sql))
    return sorted({(a.replace('""', '"'), b.replace('""', '"')) for a, b in pairs})


def refuse_foreign_names(names: Iterable[str]) -> None:
    """Refuse a query that would use user-defined objects of the database."""
    found = sorted(set(names))
    if not found:
        return
    shown = ", ".join(found[:_NAMES_SHOWN_MAX])
    raise OwnQuestionError(
        f"The query was not run: {shown} would be used, which somebody made in this database. "
        "Only what the database brings itself may run in a query; write it another way."
    )
