"""Reads expressions and writes them anew.

Each is written in brackets of its own, so that none can become part of something else.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import Final

from dataagent_core.memory.graph.neo4j.query.cypher_functions import FUNCTIONS, QUANTIFIERS
from dataagent_core.memory.graph.neo4j.query.cypher_reader import CypherReader
from dataagent_core.memory.graph.neo4j.schema import LABEL_OF_ALL

_COMPARISONS: Final = ("=", "<>", "<", "<=", ">", ">=")
_CONSTANTS: Final = ("TRUE", "FALSE", "NULL")
_SUBQUERIES: Final = ("EXISTS", "COUNT", "COLLECT")


class CypherExpressions(CypherReader):
    """Expressions; patterns and subqueries in them are read by those below."""

    @abstractmethod
    def is_pattern_next(self) -> bool:
        """Say whether a path begins here rather than an expression in brackets."""

    @abstractmethod
    def pattern_predicate(self) -> str:
        """Read a path that is asked for."""

    @abstractmethod
    def pattern_comprehension(self) -> str:
        """Read a list made of paths, after its bracket."""

    @abstractmethod
    def subquery(self, *, needs_return: bool) -> str:
        """Read what is in the braces of a subquery."""

    def expression(self) -> str:
        """Read an expression."""
        with self.deeper():
            return self._joined("OR", lambda: self._joined("XOR", self._conjunction))

    def _conjunction(self) -> str:
        return self._joined("AND", self._negation)

    def _joined(self, word: str, read: Callable[[], str]) -> str:
        text = read()
        while self.take_word(word):
            text = f"({text} {word} {read()})"
        return text

    def _negation(self) -> str:
        if self.take_word("NOT"):
            with self.deeper():
                return f"(NOT {self._negation()})"
        return self._comparison()

    def _comparison(self) -> str:
        left = self._sum()
        for words in (("STARTS", "WITH"), ("ENDS", "WITH"), ("CONTAINS",), ("IN",)):
            if self.take_word(*words):
                return f"({left} {' '.join(words)} {self._sum()})"
        for words in (("IS", "NULL"), ("IS", "NOT", "NULL")):
            if self.take_word(*words):
                return f"({left} {' '.join(words)})"
        if self.peek().is_sign(*_COMPARISONS):
            sign = self.take().value
            return f"({left} {sign} {self._sum()})"
        return left

    def _sum(self) -> str:
        text = self._product()
        while self.peek().is_sign("+", "-"):
            sign = self.take().value
            if sign == "+":
                self.count_addition()
            text = f"({text} {sign} {self._product()})"
        return text

    def _product(self) -> str:
        text = self._power()
        while self.peek().is_sign("*", "/", "%"):
            text = f"({text} {self.take().value} {self._power()})"
        return text

    def _power(self) -> str:
        text = self._signed()
        while self.take_sign("^"):
            text = f"({text} ^ {self._signed()})"
        return text

    def _signed(self) -> str:
        if self.take_sign("-"):
            with self.deeper():
                return f"(- {self._signed()})"
        return self._followed(self._atom())

    def _followed(self, text: str) -> str:
        while True:
            if self.take_sign("."):
                text = f"{text}.{self.expect_name('a property')}"
            elif self.take_sign("["):
                text = f"{text}[{self._index()}]"
                self.expect_sign("]")
            elif self.take_sign(":"):
                text = f"({text}:{self.label_expression()})"
            else:
                return text

    def _index(self) -> str:
        first = "" if self.peek().is_sign("..") else self.expression()
        if not self.take_sign(".."):
            return first
        return f"{first}..{'' if self.peek().is_sign(']') else self.expression()}"

    def label_expression(self) -> str:
        """Read labels or types joined with `|`, `&` and `!`."""
        text = self._label()
        while self.peek().is_sign("|", "&"):
            sign = self.take().value
            # `:A|:B` is an older way to write `:A|B`.
            self.take_sign(":")
            text = f"{text}{sign}{self._label()}"
        return f"({text})"

    def _label(self) -> str:
        with self.deeper():
            if self.take_sign("!"):
                return f"!{self._label()}"
            if self.take_sign("("):
                text = self.label_expression()
                self.expect_sign(")")
                return text
            return self.expect_name("a label")

    def properties(self) -> str:
        """Read a map, after its brace."""
        pairs: list[str] = []
        while not self.take_sign("}"):
            if pairs:
                self.expect_sign(",")
            name = self.expect_name("a property")
            self.expect_sign(":")
            pairs.append(f"{name}: {self.expression()}")
        return f"{{{', '.join(pairs)}}}"

    def _atom(self) -> str:
        token = self.peek()
        match token.kind:
            case "text":
                return self.make_parameter(self.take().value)
            case "number":
                return self.take().value
            case "name" | "quoted":
                return self._named()
            case "sign" if token.value == "(":
                return self._bracketed()
            case "sign" if token.value == "[":
                self.take()
                return self._list()
            case "sign" if token.value == "{":
                self.take()
                return self.properties()
            case _:
                raise self.refuse("an expression is expected")

    def _bracketed(self) -> str:
        if self.is_pattern_next():
            return self.pattern_predicate()
        self.take()
        text = self.expression()
        self.expect_sign(")")
        return text

    def _named(self) -> str:
        token = self.peek()
        if token.is_word(*_CONSTANTS):
            return self.take().value.lower()
        if token.is_word("CASE"):
            self.take()
            return self._case()
        if token.is_word(*_SUBQUERIES) and self.peek(1).is_sign("{"):
            word = self.take().value.upper()
            self.take()
            return f"{word} {{ {self.subquery(needs_return=word == 'COLLECT')} }}"
        if token.kind == "name" and self.peek(1).is_sign("("):
            return self._call()
        return self.expect_variable()

    def _call(self) -> str:
        name = self.peek().value
        if name.upper() == "EXISTS":
            self.take()
            if self.is_pattern_next():
                return self.pattern_predicate()
            return f"({self._bracketed()} IS NOT NULL)"
        if name.upper() in QUANTIFIERS:
            self.take()
            self.take()
            text = self._for_each()
            self.expect_sign(")")
            return f"{name.lower()}({text})"
        if name.lower() not in FUNCTIONS:
            raise self.refuse(f"the function {name} is not available")
        self.take()
        self.take()
        known = FUNCTIONS[name.lower()]
        if known == "count" and self.take_sign("*", ")"):
            return "count(*)"
        distinct = "DISTINCT " if self.take_word("DISTINCT") else ""
        values: list[str] = []
        while not self.take_sign(")"):
            if values:
                self.expect_sign(",")
            values.append(self.expression())
        text = f"{known}({distinct}{', '.join(values)})"
        if known != "labels":
            return text
        one = self.make_name()
        return f"[{one} IN {text} WHERE {one} <> '{LABEL_OF_ALL}']"

    def _for_each(self) -> str:
        variable = self.expect_variable()
        self.expect_word("IN")
        text = f"{variable} IN {self.expression()}"
        return f"{text} WHERE {self.expression()}" if self.take_word("WHERE") else text

    def _list(self) -> str:
        named_path = self.peek(1).is_sign("=") and self.peek(2).is_sign("(")
        if named_path or (self.peek().is_sign("(") and self.is_pattern_next()):
            return self.pattern_comprehension()
        if self.peek().kind in {"name", "quoted"} and self.peek(1).is_word("IN"):
            text = self._for_each()
            text += f" | {self.expression()}" if self.take_sign("|") else ""
            self.expect_sign("]")
            return f"[{text}]"
        values: list[str] = []
        while not self.take_sign("]"):
            if values:
                self.expect_sign(",")
            values.append(self.expression())
        return f"[{', '.join(values)}]"

    def _case(self) -> str:
        parts = ["CASE"]
        if not self.peek().is_word("WHEN"):
            parts.append(self.expression())
        while self.take_word("WHEN"):
            condition = self.expression()
            self.expect_word("THEN")
            parts.append(f"WHEN {condition} THEN {self.expression()}")
        if self.take_word("ELSE"):
            parts.append(f"ELSE {self.expression()}")
        self.expect_word("END")
        return f"({' '.join(parts)} END)"
