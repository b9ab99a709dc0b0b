"""Tokenizes text; where the tokenizer errs, a space is added that changes nothing for an engine.

`1e3+1e3` is a sum of two numbers, which the tokenizer takes for `1e3+1` and a name.
"""

import re
from dataclasses import dataclass

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import Token, TokenType

from dataagent_core.tools.data.guard.refusals import make_not_allowed_error

# A number up to a sign that is not its exponent's own.
_EXPONENT_THEN_SIGN = re.compile(r"(?:\d+\.?\d*|\.\d+)[eE][-+]?\d+(?=[-+])")
_NUMBER_LIKE = frozenset({TokenType.NUMBER, TokenType.VAR})
_PASSES_MAX = 100


@dataclass(frozen=True, slots=True)
class SqlTokens:
    """A text and its tokens; a token's `start` and `end` count in this text."""

    sql: str
    tokens: list[Token]


def tokenize_sql(sql: str, dialect: Dialect) -> SqlTokens:
    """Tokenize a text as its engine does."""
    for _ in range(_PASSES_MAX):
        tokens = dialect.tokenize(sql)
        indexes = [
            index for token in tokens if (index := _find_missing_space(sql, token)) is not None
        ]
        if not indexes:
            return SqlTokens(sql, tokens)
        starts = (0, *indexes)
        sql = " ".join(sql[a:b] for a, b in zip(starts, (*indexes, len(sql)), strict=True))
    raise make_not_allowed_error(
        "A sum of so many numbers without spaces", "put spaces between them"
    )


def _find_missing_space(sql: str, token: Token) -> int | None:
    """Return the index of a missing space in a token."""
    if token.token_type not in _NUMBER_LIKE:
        return None
    number = _EXPONENT_THEN_SIGN.match(sql, token.start)
    return number.end() if number is not None and number.end() <= token.end else None
