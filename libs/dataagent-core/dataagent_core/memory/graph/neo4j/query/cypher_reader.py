"""Reads tokens one after the other, and keeps what the new query needs: names and parameters."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from dataagent_core.config.limits.neo4j import (
    NEO4J_QUERY_ADDITIONS_MAX,
    NEO4J_QUERY_CHARS_MAX,
    NEO4J_QUERY_DEPTH_MAX,
)
from dataagent_core.errors import QueryRefusedError
from dataagent_core.memory.graph.neo4j.query.cypher_tokens import CypherToken, split_tokens

# Names that begin so are ours.
OURS: Final = "__"


class CypherReader:
    """The tokens of one query."""

    def __init__(self, query: str) -> None:
        if len(query) > NEO4J_QUERY_CHARS_MAX:
            raise QueryRefusedError(
                f"The query has {len(query):,} characters; at most {NEO4J_QUERY_CHARS_MAX:,} are "
                "read."
            )
        self.query = query
        self.parameters: dict[str, object] = {}
        self._tokens = split_tokens(query)
        self._position = 0
        self._names = 0
        self._depth = 0
        self._additions = 0

    def peek(self, ahead: int = 0) -> CypherToken:
        """Return a token without taking it."""
        return self._tokens[min(self._position + ahead, len(self._tokens) - 1)]

    def take(self) -> CypherToken:
        """Return the next token and go on."""
        token = self.peek()
        self._position += 1
        return token

    def take_word(self, *words: str) -> bool:
        """Go on if these words come next."""
        if all(self.peek(n).is_word(word) for n, word in enumerate(words)):
            self._position += len(words)
            return True
        return False

    def take_sign(self, *signs: str) -> bool:
        """Go on if these signs come next."""
        if all(self.peek(n).is_sign(sign) for n, sign in enumerate(signs)):
            self._position += len(signs)
            return True
        return False

    def expect_sign(self, *signs: str) -> None:
        """Go on over these signs, which must come next."""
        if not self.take_sign(*signs):
            raise self.refuse(f"{''.join(signs)!r} is expected")

    def expect_word(self, word: str) -> None:
        """Go on over a word, which must come next."""
        if not self.take_word(word):
            raise self.refuse(f"{word} is expected")

    def expect_name(self, what: str) -> str:
        """Take a name and return it as it is written."""
        token = self.peek()
        if token.kind not in {"name", "quoted"}:
            raise self.refuse(f"the name of {what} is expected")
        self._position += 1
        return quote(token.value)

    def expect_variable(self) -> str:
        """Take the name of a variable; those that begin like ours are refused."""
        token = self.peek()
        if token.value.startswith(OURS):
            raise self.refuse(f"the name of a variable cannot begin with {OURS}")
        return self.expect_name("a variable")

    def expect_count(self, what: str) -> str:
        """Take a whole number."""
        token = self.peek()
        if token.kind != "number" or not token.value.isdecimal():
            raise self.refuse(f"{what} is expected, as a number")
        self._position += 1
        return str(int(token.value))

    def make_name(self) -> str:
        """Make a variable for what the query left unnamed."""
        self._names += 1
        return f"`{OURS}{self._names}`"

    def make_parameter(self, value: object) -> str:
        """Hand a value over beside the query."""
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return f"${name}"

    def count_addition(self) -> None:
        """Refuse more than some additions: each can double what a text takes."""
        self._additions += 1
        if self._additions > NEO4J_QUERY_ADDITIONS_MAX:
            raise self.refuse(f"at most {NEO4J_QUERY_ADDITIONS_MAX} additions are allowed")

    @contextmanager
    def deeper(self) -> Generator[None]:
        """Bound how deep a query is."""
        self._depth += 1
        if self._depth > NEO4J_QUERY_DEPTH_MAX:
            raise self.refuse(f"it is nested deeper than {NEO4J_QUERY_DEPTH_MAX}")
        yield
        self._depth -= 1

    def refuse(self, problem: str) -> QueryRefusedError:
        """Say what is wrong at this place."""
        token = self.peek()
        where = "at its end" if token.kind == "end" else f"before {token.value!r}"
        return QueryRefusedError(
            f"The query cannot be read {where}, at position {token.start + 1}: {problem}."
        )


def quote(name: str) -> str:
    """Write a name so that it is only a name."""
    if "\\" in name or "\0" in name:
        raise QueryRefusedError(f"The name {name!r} holds a sign that no name of ours has.")
    return f"`{name.replace('`', '``')}`"
