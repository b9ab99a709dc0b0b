"""Splits a query into tokens, each with its place. Pure."""

import re
from dataclasses import dataclass
from typing import Final, Literal, NoReturn

from dataagent_core.errors import QueryRefusedError
from dataagent_core.memory.graph.query.graph_schema import QUERY_HELP

TokenKind = Literal["word", "text", "number", "sign", "end"]
_TOKEN: Final = re.compile(
    r"(?P<space>\s+|//[^\n]*)|(?P<word>[^\W\d]\w*|`[^`\n]+`)"
    r"|(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<sign><>|<=|>=|->|<-|[(){}\[\]:,.=<>*-])",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a value or a sign; `place` counts characters from 1."""

    kind: TokenKind
    text: str
    place: int


def split_tokens(query: str) -> list[Token]:
    """Split a query; raises for a character that has no meaning in one."""
    tokens: list[Token] = []
    place = 0
    while place < len(query):
        found = _TOKEN.match(query, place)
        if found is None:
            problem = (
                "a text that is not closed"
                if query[place] in "'\""
                else f"{query[place]!r} has no meaning here"
            )
            refuse(place + 1, problem)
        if found["word"]:
            tokens.append(Token("word", found["word"].strip("`"), place + 1))
        elif found["text"]:
            text = _ESCAPE.sub(lambda one: _ESCAPES.get(one[1], one[1]), found["text"][1:-1])
            tokens.append(Token("text", text, place + 1))
        elif found["number"]:
            tokens.append(Token("number", found["number"], place + 1))
        elif found["sign"]:
            tokens.append(Token("sign", found["sign"], place + 1))
        place = found.end()
    return [*tokens, Token("end", "", len(query) + 1)]


def refuse(place: int, problem: str) -> NoReturn:
    """Refuse a query, with what is wrong where, and how it can be written."""
    raise QueryRefusedError(f"At character {place} of the graph query: {problem}. {QUERY_HELP}")
