"""Reads tokens one after the other. Pure."""

from collections.abc import Sequence

from dataagent_core.memory.graph.query.query_tokens import Token, refuse
from dataagent_core.memory.graph.query.query_tree import QueryValue


class QueryReader:
    """The tokens of a query and how far they were read."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._next = 0

    def peek(self, ahead: int = 0) -> Token:
        """Return the next token, or one after it, and leave it."""
        return self._tokens[min(self._next + ahead, len(self._tokens) - 1)]

    def next(self) -> Token:
        """Read a token; the last one is the end, again and again."""
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def take(self, sign: str) -> bool:
        """Read a sign if it is the next token."""
        if self.peek().kind == "sign" and self.peek().text == sign:
            self.next()
            return True
        return False

    def take_words(self, *words: str) -> bool:
        """Read some words if they come next, in whatever case."""
        following = self._tokens[self._next : self._next + len(words)]
        if [one.text.upper() for one in following if one.kind == "word"] != list(words):
            return False
        self._next += len(words)
        return True

    def expect(self, sign: str) -> Token:
        """Read a sign."""
        if self.peek().kind != "sign" or self.peek().text != sign:
            refuse(self.peek().place, f"{sign!r} is expected, and {self._show()} is there")
        return self.next()

    def expect_word(self, what: str) -> Token:
        """Read a word."""
        if self.peek().kind != "word":
            refuse(self.peek().place, f"{what} is expected, and {self._show()} is there")
        return self.next()

    def read_value(self) -> QueryValue:
        """Read a text, a number, `true` or `false`."""
        negative = self.take("-")
        token = self.next()
        if token.kind == "number":
            number = float(token.text) if "." in token.text else int(token.text)
            return -number if negative else number
        if token.kind == "text" and not negative:
            return token.text
        if token.kind == "word" and token.text.lower() in {"true", "false"} and not negative:
            return token.text.lower() == "true"
        return refuse(token.place, "a value is expected: 'text' in quotes, a number, true or false")

    def _show(self) -> str:
        return repr(self.peek().text) if self.peek().kind != "end" else "the end"
