"""Splits Cypher into tokens. Comments and blanks go; a backslash outside of a text is refused.

Neo4j reads an escape like that of U+0041 as a letter anywhere, even where it then ends a text or a
name. Here an escape has a meaning in a text only, and texts are handed over as parameters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from dataagent_core.errors import QueryRefusedError

CypherTokenKind = Literal["name", "quoted", "text", "number", "sign", "end"]
_BLANKS: Final = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_NAME: Final = re.compile(r"[^\W\d]\w*")
_QUOTED: Final = re.compile(r"`((?:[^`]|``)+)`")
_SIGN: Final = re.compile(r"<>|<=|>=|\.\.|[()\[\]{}<>=+\-*/%^.,:|&!;]")
_TEXT: Final = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_KEPT: Final = "\\'\"`"


@dataclass(frozen=True, slots=True)
class CypherToken:
    """A piece of a query, and where it stands."""

    kind: CypherTokenKind
    # Without quotes, and with the signs that escapes stand for.
    value: str
    start: int
    end: int

    def is_word(self, *words: str) -> bool:
        """Say whether it is one of these words of Cypher, in any case."""
        return self.kind == "name" and self.value.upper() in words

    def is_sign(self, *signs: str) -> bool:
        """Say whether it is one of these signs."""
        return self.kind == "sign" and self.value in signs


def split_tokens(query: str) -> list[CypherToken]:
    """Return the tokens of a query, and one at the end that says so."""
    return [*_split(query), CypherToken("end", "", len(query), len(query))]


def _split(query: str) -> Iterator[CypherToken]:
    position = 0
    while position < len(query):
        if blanks := _BLANKS.match(query, position):
            position = blanks.end()
            continue
        token = _read_token(query, position)
        if token is None:
            sign = query[position]
            hint = " A query takes no parameters." if sign == "$" else ""
            raise QueryRefusedError(
                f"The query has {sign!r} at position {position + 1}, which cannot stand there."
                f"{hint}"
            )
        yield token
        position = token.end


def _read_token(query: str, position: int) -> CypherToken | None:
    patterns: tuple[tuple[CypherTokenKind, re.Pattern[str]], ...] = (
        ("number", _NUMBER),
        ("name", _NAME),
        ("sign", _SIGN),
    )
    if found := _TEXT.match(query, position):
        value = found[1] if found[1] is not None else found[2]
        return CypherToken("text", _ESCAPE.sub(_unescape, value), position, found.end())
    if found := _QUOTED.match(query, position):
        return CypherToken("quoted", found[1].replace("``", "`"), position, found.end())
    for kind, pattern in patterns:
        if found := pattern.match(query, position):
            return CypherToken(kind, found[0], position, found.end())
    return None


def _unescape(found: re.Match[str]) -> str:
    escape = found[1]
    if len(escape) > 1:
        return chr(int(escape[1:], 16))
    if escape in _KEPT:
        return escape
    if escape in _ESCAPED:
        return _ESCAPED[escape]
    raise QueryRefusedError(f"The query has the escape \\{escape} in a text, which Cypher has not.")
