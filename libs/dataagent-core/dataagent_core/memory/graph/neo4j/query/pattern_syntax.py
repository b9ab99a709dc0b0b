"""Reads patterns, and adds to each node and each relation that it is of the caller's scopes.

What a query left unnamed gets a name of ours, so that a condition can be put on it. A relation only
joins nodes of its own scope, so a path over relations of the scopes leaves them nowhere.
"""

from dataclasses import dataclass
from typing import Final

from dataagent_core.config.limits.neo4j import NEO4J_QUERY_PATH_MAX
from dataagent_core.memory.graph.neo4j.query.expression_syntax import CypherExpressions
from dataagent_core.memory.graph.neo4j.schema import LABEL_OF_ALL

SCOPES: Final = "$scopes"
_NODE: Final = f"`{LABEL_OF_ALL}`"


@dataclass(frozen=True, slots=True)
class ScopedPattern:
    """A pattern with the condition that all of it is of the scopes."""

    text: str
    condition: str


class CypherPatterns(CypherExpressions):
    """Patterns in MATCH, in subqueries, in conditions and in lists."""

    def patterns(self) -> ScopedPattern:
        """Read patterns with commas between them."""
        texts: list[str] = []
        conditions: list[str] = []
        while not texts or self.take_sign(","):
            texts.append(self._path(conditions))
        return ScopedPattern(", ".join(texts), " AND ".join(dict.fromkeys(conditions)))

    def where(self, pattern: ScopedPattern) -> str:
        """Write the condition of a pattern with what the query asks besides."""
        condition = f"WHERE {pattern.condition}"
        return f"{condition} AND {self.expression()}" if self.take_word("WHERE") else condition

    def is_pattern_next(self) -> bool:
        closing = self._closing_bracket()
        if closing is None:
            return False
        inside = self.peek(1)
        looks_like_node = inside.is_sign(")", ":", "{") or (
            inside.kind in {"name", "quoted"} and self.peek(2).is_sign(")", ":", "{")
        )
        left = 1 if self.peek(closing + 1).is_sign("<") else 0
        dash, after = self.peek(closing + 1 + left), self.peek(closing + 2 + left)
        return looks_like_node and dash.is_sign("-") and after.is_sign("-", "[")

    def pattern_predicate(self) -> str:
        conditions: list[str] = []
        text = self._path(conditions)
        return f"EXISTS {{ MATCH {text} WHERE {' AND '.join(dict.fromkeys(conditions))} }}"

    def pattern_comprehension(self) -> str:
        conditions: list[str] = []
        text = self._path(conditions)
        where = self.where(ScopedPattern(text, " AND ".join(dict.fromkeys(conditions))))
        self.expect_sign("|")
        result = self.expression()
        self.expect_sign("]")
        return f"[{text} {where} | {result}]"

    def _path(self, conditions: list[str]) -> str:
        with self.deeper():
            name = ""
            if self.peek(1).is_sign("="):
                name = f"{self.expect_variable()} = "
                self.take()
            text = name + self._node(conditions)
            while self.peek().is_sign("-", "<"):
                text += self._relation(conditions) + self._node(conditions)
            return text

    def _node(self, conditions: list[str]) -> str:
        if not self.take_sign("("):
            raise self.refuse("a node in brackets is expected")
        name = self._variable(")", ":", "{")
        labels = f"{_NODE}&{self.label_expression()}" if self.take_sign(":") else _NODE
        values = self.properties() if self.take_sign("{") else ""
        conditions.append(f"{name}.`scope` IN {SCOPES}")
        if self.take_word("WHERE"):
            conditions.append(self.expression())
        self.expect_sign(")")
        return f"({name}:{labels} {values})"

    def _relation(self, conditions: list[str]) -> str:
        start = "<-" if self.take_sign("<") else "-"
        self.expect_sign("-")
        name, inside = "", ""
        if self.take_sign("["):
            name, inside = self._inside_relation(conditions)
        else:
            name = self.make_name()
            conditions.append(f"{name}.`scope` IN {SCOPES}")
        self.expect_sign("-")
        end = "->" if self.take_sign(">") else "-"
        return f"{start}[{name}{inside}]{end}"

    def _inside_relation(self, conditions: list[str]) -> tuple[str, str]:
        name = self._variable("]", ":", "{", "*")
        inside = f":{self.label_expression()}" if self.take_sign(":") else ""
        hops = self._hops() if self.take_sign("*") else ""
        values = f" {self.properties()}" if self.take_sign("{") else ""
        if hops:
            one = self.make_name()
            conditions.append(f"all({one} IN {name} WHERE {one}.`scope` IN {SCOPES})")
        else:
            conditions.append(f"{name}.`scope` IN {SCOPES}")
        if self.take_word("WHERE"):
            conditions.append(self.expression())
        self.expect_sign("]")
        return name, f"{inside}{hops}{values}"

    def _hops(self) -> str:
        least = self.expect_count("how many steps") if self.peek().kind == "number" else "1"
        most = least
        if self.take_sign(".."):
            most = self.expect_count(f"the most steps, up to {NEO4J_QUERY_PATH_MAX},")
        elif self.peek(-1).is_sign("*"):
            raise self.refuse(f"a path needs its most steps, as in *1..{NEO4J_QUERY_PATH_MAX}")
        if int(most) > NEO4J_QUERY_PATH_MAX:
            raise self.refuse(f"a path has at most {NEO4J_QUERY_PATH_MAX} steps")
        return f"*{least}..{most}"

    def _variable(self, *without: str) -> str:
        if self.peek().is_sign(*without) or self.peek().is_word("WHERE"):
            return self.make_name()
        return self.expect_variable()

    def _closing_bracket(self) -> int | None:
        depth = ahead = 0
        while True:
            token = self.peek(ahead)
            depth += token.is_sign("(") - token.is_sign(")")
            if depth == 0:
                return ahead
            if token.kind == "end":
                return None
            ahead += 1
